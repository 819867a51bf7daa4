// Into is a user's program with its own structs. It prints who ran, which programs were executed,
// and how long each thread ran.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

//go:generate go tool tracec gen -into . trace.dat

// Thread holds the scheduler's data about a thread.
type Thread int32

// Switch is what the program wants to know of sched_switch: not the state, which kernels have in 4 and in 8 bytes.
//
//tracec:event sched:sched_switch
type Switch struct {
	PrevComm           []byte
	NextComm           string
	PrevPID, NextPID   Thread
	PrevPrio, NextPrio int
	stamp
}

// Exec is sched_process_exec.
//
//tracec:event sched:sched_process_exec
type Exec struct {
	Filename string
	Pid, Old int64  `tracec:"-"`
	New      Thread `tracec:"pid"`
	Was      Thread `tracec:"old_pid"`
	Common   int32  `tracec:"common_pid"`
	Task     int32  `tracec:"@task"`
}

type stamp struct {
	At  time.Duration `tracec:"@time"`
	CPU int32         `tracec:"@cpu"`
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, name := range os.Args[1:] {
		rec, err := ftrace.Open(name)
		if err != nil {
			log.Fatal(err)
		}
		if err := errors.Join(show(out, rec), inStreams(rec), within(rec)); err != nil {
			log.Fatal(err)
		}
		rec.Close()
	}
}

func show(out *bufio.Writer, rec *ftrace.Recording) error {
	d, err := Bind(rec, bind.Optional())
	if err != nil {
		return err
	}
	for r, e := range d.Events(context.Background(), record.Options{}) {
		switch e := e.(type) {
		case *Switch:
			if e.At != time.Duration(r.Time) || e.CPU != r.CPU {
				return fmt.Errorf("%v on %d, not as in the record", e.At, e.CPU)
			}
			fmt.Fprintf(out, "prev_comm=%s prev_pid=%d prev_prio=%d next_comm=%s next_pid=%d next_prio=%d\n",
				e.PrevComm, e.PrevPID, e.PrevPrio, e.NextComm, e.NextPID, e.NextPrio)
		case *Exec:
			if e.Common != r.Task || e.Task != r.Task {
				return fmt.Errorf("common_pid is %d of thread %d", e.Common, r.Task)
			}
			fmt.Fprintf(out, "filename=%s pid=%d old_pid=%d\n", e.Filename, e.New, e.Was)
		}
	}
	return d.Err()
}

// inStreams reads one CPU after the other in its own loop, and compares the number of events.
func inStreams(rec *ftrace.Recording) error {
	d, err := Bind(rec, SwitchEvent, bind.Optional())
	if err != nil {
		return err
	}
	n := 0
	streams := rec.Streams(ftrace.StreamOptions{Options: d.Select(record.Options{})})
	err = record.InStreamOrder(streams, func(records []record.Record, _ []record.None) error {
		for i := range records {
			r := &records[i]
			if e := d.Decode(r, nil).(*Switch); e.CPU != r.CPU {
				return fmt.Errorf("%d in the struct, %d in the record", e.CPU, r.CPU)
			}
			n++
		}
		return nil
	})
	for range d.Events(context.Background(), record.Options{}) {
		n--
	}
	if n != 0 {
		return fmt.Errorf("the iterator has %d events less", n)
	}
	return errors.Join(err, d.Err())
}

// within has loops within a loop, which needs another Decoder.
func within(rec *ftrace.Recording) error {
	d, err := Bind(rec, SwitchEvent, bind.Optional())
	if err != nil {
		return err
	}
	first, inner := Switch{}, d.Clone()
	for _, e := range d.Events(context.Background(), record.Options{}) {
		e := e.(*Switch)
		outer := *e
		if first.NextComm == "" {
			first = outer
		}
		for _, in := range inner.Events(context.Background(), record.Options{}) {
			if in := in.(*Switch); in.At != first.At || in.NextPID != first.NextPID {
				return fmt.Errorf("%v is first within %v, want %v", in.At, outer.At, first.At)
			}
			break
		}
		if e.At != outer.At || e.CPU != outer.CPU || e.NextPID != outer.NextPID {
			return fmt.Errorf("%v became %v by a loop within", outer, *e)
		}
		if e.At > first.At {
			break
		}
	}
	for range d.Events(context.Background(), record.Options{}) {
		for range d.Events(context.Background(), record.Options{}) {
			return errors.New("a Decoder had a loop within its own")
		}
		if d.Err() == nil {
			return errors.New("no error of a loop within a loop")
		}
		return nil
	}
	return errors.Join(d.Err(), inner.Err())
}
