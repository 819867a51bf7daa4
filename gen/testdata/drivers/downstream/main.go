// Downstream is a user's program: it prints who ran and what was executed, from typed events, and leaves out the
// one field that print fmt shows as a name.
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
		d := sched.Decoder{
			SchedSwitch: func(r *record.Record, e *sched.SchedSwitch) error {
				_, err := fmt.Fprintf(out, "prev_comm=%s prev_pid=%d prev_prio=%d next_comm=%s next_pid=%d next_prio=%d\n",
					e.PrevComm, e.PrevPID, e.PrevPrio, e.NextComm.Bytes(), e.NextPID, e.NextPrio)
				return err
			},
			SchedProcessExec: func(r *record.Record, e *sched.SchedProcessExec) error {
				if e.CommonPID != r.Task {
					return fmt.Errorf("common_pid is %d of thread %d", e.CommonPID, r.Task)
				}
				_, err := fmt.Fprintf(out, "filename=%s pid=%d old_pid=%d\n", e.Filename(), e.PID, e.OldPID)
				return err
			},
			Optional: true,
		}
		if err := d.Run(context.Background(), rec); err != nil {
			log.Fatal(err)
		}
		texts(rec)
		rec.Close()
	}
}

// texts compares the iterator with a Decoder, and looks at the text of what both find.
func texts(rec *ftrace.Recording) {
	var text sched.Decoder
	if err := text.Bind(rec); err != nil {
		log.Fatal(err)
	}
	n := 0
	var w sched.Walk
	for r, e := range sched.SchedProcessExecEvents(rec, &w) {
		n++
		if s, ok := text.AppendText(nil, r, nil); !ok || !bytes.HasPrefix(s, fmt.Appendf(nil, "filename=%s pid=%d", e.Filename(), e.PID)) {
			log.Fatalf("AppendText: %q", s)
		}
	}
	if err := w.Err(); err != nil {
		if errors.Is(err, bind.ErrMissing) { // the recording does not have the event
			return
		}
		log.Fatal(err)
	}
	first := 0
	for range sched.SchedProcessExecEvents(rec, &w) {
		first++
		break
	}
	if first != min(n, 1) {
		log.Fatalf("%d events after a break", first)
	}
}
