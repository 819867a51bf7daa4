// Package templates compares generated templates with compiler/interp: their text, the reason of
// their end, and the values in their structs.
//
//	templates NAME N SOURCE...    with N random records an environment of every hook; SOURCE as for unit.Templates
package templates

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/testdata/drivers/decoders"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/aix/layout"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Main runs the driver with the arguments of a command line, without its name.
func Main(args []string) {
	n, err := strconv.Atoi(args[1])
	if err != nil {
		panic(err)
	}
	templates, err := unit.Templates(args[2:])
	if err != nil {
		panic(err)
	}
	c := comparison{env: new(render.Env)}
	c.d = decoders.Of[aix.Entry](args[0]).BindTo(layout.Source(nil), bind.WithEnv(c.env)) // no trace describes its entries
	for i, t := range templates {
		for env, ev := range t.Events {
			rng := rand.New(rand.NewPCG(uint64(i), uint64(env)))
			p := compile(ev, aix.Env(env))
			for range n {
				if !c.one(p, aix.Env(env), rng) {
					c.bad++
					break
				}
			}
		}
	}
	fmt.Printf("hooks: %d texts, %d events differ\n", c.texts, c.bad)
}

type comparison struct {
	d          *bind.Decoder[aix.Entry]
	env        *render.Env // of d
	texts, bad int
}

// one compares one record.
func (c *comparison) one(p *programs, env aix.Env, rng *rand.Rand) bool {
	ev, target := p.event, p.target
	data := irtest.RandomRecord(rng, ev, target)
	if ev.Group == "test" && ev.Values() != nil && ev.Values()[0].Offset == ir.Sequential && rng.IntN(4) > 0 {
		data = irtest.Payload(rng, irtest.NewKept(ev), target)
	}
	r, x := &record.Record{ID: ev.ID, Data: data}, &aix.Entry{Flags: aix.Flags(env)}
	reference, world := irtest.Env(true, target.WordSize), irtest.Env(true, target.WordSize)
	m := interp.NewMachine(reference)
	kept := irtest.NewKept(ev)
	m.Keep = kept.Keep
	want := m.AppendText([]byte("before "), p.text, data)
	short := len(data) < ev.Size || reference.Outcome.Reason == render.ExitShort
	if p.values != nil { // values come from a separate program, which otherwise equals the text
		values := irtest.Env(true, target.WordSize)
		m := interp.NewMachine(values)
		m.Keep = kept.Keep
		kept.Reset()
		m.AppendText(nil, p.values, data)
		if short = len(data) < ev.Size || values.Outcome.Reason == render.ExitShort; short && reference.Outcome.Reason == render.Ended && len(data) >= ev.Size {
			fmt.Printf("hook %d env %d: short values of a complete text\ndata %x\n", ev.ID, env, data)
			return false
		}
	}
	got, ok := c.d.AppendText([]byte("before "), r, x, world)
	c.texts++
	if !ok || !bytes.Equal(got, want) || *reference.Outcome != *world.Outcome {
		fmt.Printf("hook %d env %d ok=%v\n got %q %v\nwant %q %v\ndata %x\n", ev.ID, env, ok, got, *world.Outcome, want, *reference.Outcome, data)
		return false
	}
	if n := decoders.Allocations(func() { got, _ = c.d.AppendText(got[:0], r, x, world) }); n != 0 && !irtest.Allocates(&ir.Program{Body: ev.Text}) {
		fmt.Printf("hook %d env %d: %v allocations\n", ev.ID, env, n)
		return false
	}
	return c.values(ev, r, x, kept, short)
}

// programs holds the programs of an event in one environment.
type programs struct {
	event        *ir.Event
	target       ir.Target
	text, values *interp.Program // values is nil if the text itself keeps them, as in drawn programs
}

func compile(ev *ir.Event, env aix.Env) *programs {
	p := &programs{event: ev, target: ir.Target{BigEndian: true, WordSize: 4 + 4*int(env/2)}}
	var err error
	if p.text, err = interp.CompileValues(ev, p.target); err != nil {
		panic(err)
	}
	if ev.Group == "test" {
		return p
	}
	only := *ev
	only.Text = ev.Decode
	if p.values, err = interp.CompileValues(&only, p.target); err != nil {
		panic(err)
	}
	return p
}

// values compares the decoded values.
func (c *comparison) values(ev *ir.Event, r *record.Record, x *aix.Entry, kept *irtest.Kept, short bool) bool {
	*c.env = *irtest.Env(true, 8)
	e, ok := decoders.Decode(c.d, r, x)
	if !ok || e.IsValid() == short {
		fmt.Printf("hook %d: decoded %v, short %v, want %v\n", ev.ID, ok, !e.IsValid(), short)
		return false
	}
	if short {
		return true
	}
	if why := kept.Differs(e); why != "" {
		fmt.Printf("hook %d: %s\ndata %x\n", ev.ID, why, r.Data)
		return false
	}
	return true
}
