// Hooks is a user's program: it prints values and text of the hooks in an AIX trace.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"
	"testing"

	"generated/hooks/trace"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

//go:generate go tool tracec gen hooks.trcfmt -pkg trace -o trace/hooks_gen.go

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	rec, err := aix.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	var end render.Outcome
	env := &render.Env{BigEndian: true, WordSize: rec.Info().WordSize(), Outcome: &end}
	var d trace.Decoder
	text := func(r *record.Record, x *aix.Entry) error {
		end = render.Outcome{}
		line, ok := d.AppendText(nil, r, x, env)
		_, err := fmt.Fprintf(out, "\t%q %v %v\n", line, ok, end.Reason)
		return err
	}
	d = trace.Decoder{
		UserEvent: func(r *record.Record, x *aix.Entry, h *trace.UserEvent) error {
			fmt.Fprintf(out, "010 tid %d: %d times %g %s\n", x.TID, h.Count, h.Rate, h.Name)
			return text(r, x)
		},
		Call: func(r *record.Record, x *aix.Entry, h *trace.Call) error {
			fmt.Fprintf(out, "011 type %d fd %d %v path %s %v: %d\n", h.Type, h.FD, h.HasFD, h.Path, h.HasPath, h.Result)
			return text(r, x)
		},
		Vector: func(r *record.Record, x *aix.Entry, h *trace.Vector) error {
			n := testing.AllocsPerRun(20, func() { h.Decode(r.Data, x, nil) }) // slices keep their memory
			fmt.Fprintf(out, "012 %d: %v %v = %d, %v allocations\n", h.N, h.Offset, h.Length, h.Sum, n)
			return text(r, x)
		},
		Fault: func(r *record.Record, x *aix.Entry, h *trace.Fault) error {
			fmt.Fprintf(out, "014 kind %d at %#x\n", h.Kind, h.Address)
			return text(r, x)
		},
		Quiet: func(r *record.Record, x *aix.Entry, h *trace.Quiet) error {
			fmt.Fprintf(out, "015 %d %v\n", h.Value, h.HasValue)
			return text(r, x)
		},
		Other: func(r *record.Record, x *aix.Entry) error {
			fmt.Fprintf(out, "other %04X\n", r.ID)
			return text(r, x)
		},
		Short: func(r *record.Record, x *aix.Entry) error {
			fmt.Fprintf(out, "short %04X at %d\n", r.ID, x.Offset)
			return text(r, x)
		},
	}
	if err := d.Run(context.Background(), rec); err != nil {
		log.Fatal(err)
	}
	fmt.Fprintf(out, "%+v\n", d.Stats())
}
