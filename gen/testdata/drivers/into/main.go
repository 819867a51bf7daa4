// Into is a user's program with structs of its own: it prints who ran and what was executed, and how long each thread ran.
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

// Thread is what the scheduler says of one.
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
		d := Decoder{Switch: printSwitch(out), Exec: printExec(out), Optional: true}
		if err := d.Run(context.Background(), rec); err != nil {
			log.Fatal(err)
		}
		loop(rec, &d)
		rec.Close()
	}
}

func printSwitch(out *bufio.Writer) func(*record.Record, *Switch) error {
	return func(r *record.Record, e *Switch) error {
		if e.At != time.Duration(r.Time) || e.CPU != r.CPU {
			return fmt.Errorf("%v on %d, not as in the record", e.At, e.CPU)
		}
		_, err := fmt.Fprintf(out, "prev_comm=%s prev_pid=%d prev_prio=%d next_comm=%s next_pid=%d next_prio=%d\n",
			e.PrevComm, e.PrevPID, e.PrevPrio, e.NextComm, e.NextPID, e.NextPrio)
		return err
	}
}

func printExec(out *bufio.Writer) func(*record.Record, *Exec) error {
	return func(r *record.Record, e *Exec) error {
		if e.Common != r.Task || e.Task != r.Task {
			return fmt.Errorf("common_pid is %d of thread %d", e.Common, r.Task)
		}
		_, err := fmt.Fprintf(out, "filename=%s pid=%d old_pid=%d\n", e.Filename, e.New, e.Was)
		return err
	}
}

// loop compares the iterator with callbacks.
func loop(rec *ftrace.Recording, d *Decoder) {
	n := 0
	d.Switch, d.Exec = func(*record.Record, *Switch) error { n++; return nil }, nil
	if err := d.RunStreams(context.Background(), rec); err != nil {
		log.Fatal(err)
	}
	var w Walk
	for r, e := range SwitchEvents(rec, &w) {
		if e.CPU != r.CPU {
			log.Fatalf("%d in the struct, %d in the record", e.CPU, r.CPU)
		}
		n--
	}
	if err := w.Err(); n != 0 || err != nil && !errors.Is(err, bind.ErrMissing) { // not every recording has the event
		log.Fatalf("the iterator has %d events less: %v", n, err)
	}
	within(rec)
}

// within has loops within a loop over the same iterator.
func within(rec *ftrace.Recording) {
	var w Walk
	first := Switch{}
	events := SwitchEvents(rec, &w)
	for _, e := range events {
		outer := *e
		if first.NextComm == "" {
			first = outer
		}
		for _, inner := range events {
			if inner.At != first.At || inner.NextPID != first.NextPID {
				log.Fatalf("%v is first within %v, want %v", inner.At, outer.At, first.At)
			}
			break
		}
		if e.At != outer.At || e.CPU != outer.CPU || e.NextPID != outer.NextPID {
			log.Fatalf("%v became %v by a loop within", outer, *e)
		}
		if e.At > first.At {
			break
		}
	}
	if err := w.Err(); err != nil && !errors.Is(err, bind.ErrMissing) {
		log.Fatal(err)
	}
}
