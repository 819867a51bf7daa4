// Downstream is a user's program. It prints from typed events who ran and which programs were
// executed, and leaves out the one field that print fmt shows as a name.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"generated/downstream/sched"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

//go:generate go tool tracec gen -pkg sched -o sched/sched_gen.go -text -events sched:sched_switch,sched:sched_process_exec trace.dat

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, name := range os.Args[1:] {
		rec, err := ftrace.Open(name)
		if err != nil {
			log.Fatal(err)
		}
		if err := errors.Join(show(out, rec), texts(rec)); err != nil {
			log.Fatal(err)
		}
		rec.Close()
	}
}

func show(out *bufio.Writer, rec *ftrace.Recording) error {
	d, err := sched.Bind(rec, sched.SchedSwitchEvent, sched.SchedProcessExecEvent, bind.Optional())
	if err != nil {
		return err
	}
	for r, e := range d.Events(context.Background(), record.Options{}) {
		switch e := e.(type) {
		case *sched.SchedSwitch:
			fmt.Fprintf(out, "prev_comm=%s prev_pid=%d prev_prio=%d next_comm=%s next_pid=%d next_prio=%d\n",
				e.PrevComm, e.PrevPID, e.PrevPrio, e.NextComm.Bytes(), e.NextPID, e.NextPrio)
		case *sched.SchedProcessExec:
			if e.CommonPID != r.Task {
				return fmt.Errorf("common_pid is %d of thread %d", e.CommonPID, r.Task)
			}
			fmt.Fprintf(out, "filename=%s pid=%d old_pid=%d\n", e.Filename(), e.PID, e.OldPID)
		default:
			return fmt.Errorf("%T was not asked for", e)
		}
	}
	return d.Err()
}

// texts checks the text of events, and a loop that is left early and started again.
func texts(rec *ftrace.Recording) error {
	d, err := sched.Bind(rec, sched.SchedProcessExecEvent)
	if errors.Is(err, bind.ErrMissing) { // the recording does not have the event
		return nil
	}
	if err != nil {
		return err
	}
	events := d.Events(context.Background(), record.Options{})
	n := 0
	for r, e := range events {
		n++
		exec := e.(*sched.SchedProcessExec)
		want := fmt.Appendf(nil, "filename=%s pid=%d", exec.Filename(), exec.PID)
		if s, ok := d.AppendText(nil, r, nil, nil); !ok || !bytes.HasPrefix(s, want) {
			return fmt.Errorf("AppendText: %q", s)
		}
	}
	first := 0
	for range events {
		first++
		break
	}
	if first != min(n, 1) {
		return fmt.Errorf("%d events after a break", first)
	}
	return d.Err()
}
