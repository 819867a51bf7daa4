// Hooks is a user's program. It prints values and text of the hooks in an AIX trace.
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
	"github.com/tracec/tracec/runtime/bind"
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
	d, err := trace.Bind(rec, trace.UserEventEvent, trace.CallEvent, trace.VectorEvent, trace.FaultEvent, trace.QuietEvent, bind.All())
	if err != nil {
		log.Fatal(err)
	}
	for r, e := range d.Events(context.Background(), record.Options{}) {
		x := d.Entry()
		switch h := e.(type) {
		case *trace.UserEvent:
			fmt.Fprintf(out, "010 tid %d: %d times %g %s\n", x.TID, h.Count, h.Rate, h.Name)
		case *trace.Call:
			fmt.Fprintf(out, "011 type %d fd %d %v path %s %v: %d\n", h.Type, h.FD, h.HasFD, h.Path, h.HasPath, h.Result)
		case *trace.Vector:
			n := testing.AllocsPerRun(20, func() { d.Decode(r, x) }) // slices keep their memory
			fmt.Fprintf(out, "012 %d: %v %v = %d, %v allocations\n", h.N, h.Offset, h.Length, h.Sum, n)
		case *trace.Fault:
			fmt.Fprintf(out, "014 kind %d at %#x\n", h.Kind, h.Address)
		case *trace.Quiet:
			fmt.Fprintf(out, "015 %d %v\n", h.Value, h.HasValue)
		case *bind.Short:
			fmt.Fprintf(out, "short %04X at %d\n", r.ID, x.Offset)
		default:
			fmt.Fprintf(out, "other %04X\n", r.ID)
		}
		end = render.Outcome{}
		line, ok := d.AppendText(nil, r, x, env)
		fmt.Fprintf(out, "\t%q %v %v\n", line, ok, end.Reason)
	}
	if err := d.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Fprintf(out, "%+v\n", d.Stats())
}
