// Downstream is a user's program: it prints who ran and what was executed, from typed events, and leaves out the
// one field that print fmt shows as a name.
package main

import (
	"bufio"
	"bytes"
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
			SchedSwitch: func(r *record.Record, e *sched.SchedSwitch) {
				fmt.Fprintf(out, "prev_comm=%s prev_pid=%d prev_prio=%d next_comm=%s next_pid=%d next_prio=%d\n",
					text(e.PrevComm[:]), e.PrevPID, e.PrevPrio, text(e.NextComm[:]), e.NextPID, e.NextPrio)
			},
			SchedProcessExec: func(r *record.Record, e *sched.SchedProcessExec) {
				fmt.Fprintf(out, "filename=%s pid=%d old_pid=%d\n", e.Filename(r), e.PID, e.OldPID)
				if s := e.AppendText(nil, r, nil); !bytes.HasPrefix(s, []byte("filename=")) {
					log.Fatalf("AppendText: %q", s)
				}
			},
			Missing: func(event string, err error) {
				if !errors.Is(err, bind.ErrMissing) { // recordings may lack an event, but not have another of that name
					log.Fatal(err)
				}
			},
		}
		if err := d.Run(rec); err != nil {
			log.Fatal(err)
		}
		rec.Close()
	}
}

func text(b []byte) []byte {
	b, _, _ = bytes.Cut(b, []byte{0})
	return b
}
