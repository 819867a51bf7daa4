// Hooks is a user's program: it prints values and text of the hooks in an AIX trace.
package main

import (
	"bufio"
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
	text := func(r *record.Record, x *aix.Entry) {
		end = render.Outcome{}
		line, ok := trace.AppendText(nil, r, x, env)
		fmt.Fprintf(out, "\t%q %v %v\n", line, ok, end.Reason)
	}
	d := trace.Decoder{
		Hook010: func(r *record.Record, x *aix.Entry, h *trace.Hook010) {
			fmt.Fprintf(out, "010 tid %d: %d times %g %s\n", x.TID, h.Count, h.Rate, h.Name)
			text(r, x)
		},
		Hook011: func(r *record.Record, x *aix.Entry, h *trace.Hook011) {
			fmt.Fprintf(out, "011 type %d fd %d %v path %s %v: %d\n", h.Type, h.FD, h.HasFD, h.Path, h.HasPath, h.Result)
			text(r, x)
		},
		Hook012: func(r *record.Record, x *aix.Entry, h *trace.Hook012) {
			n := testing.AllocsPerRun(20, func() { h.Decode(r, x, nil) }) // slices keep their memory
			fmt.Fprintf(out, "012 %d: %v %v = %d, %v allocations\n", h.N, h.Offset, h.Length, h.Sum, n)
			text(r, x)
		},
		Hook014: func(r *record.Record, x *aix.Entry, h *trace.Hook014) {
			fmt.Fprintf(out, "014 kind %d at %#x\n", h.Kind, h.Address)
			text(r, x)
		},
		Hook015: func(r *record.Record, x *aix.Entry, h *trace.Hook015) {
			fmt.Fprintf(out, "015 %d %v\n", h.Value, h.HasValue)
			text(r, x)
		},
		Other: func(r *record.Record, x *aix.Entry) {
			fmt.Fprintf(out, "other %04X\n", r.ID)
			text(r, x)
		},
		Short: func(r *record.Record, x *aix.Entry) {
			fmt.Fprintf(out, "short %04X at %d\n", r.ID, x.Offset)
			text(r, x)
		},
	}
	if err := d.Run(rec); err != nil {
		log.Fatal(err)
	}
	fmt.Fprintf(out, "%+v\n", d.Stats())
}
