// Package templates compares generated templates with compiler/interp: their text, how they end,
// and the values in their structs.
//
//	templates NAME N SOURCE...    with N random records an environment of every hook; SOURCE as for unit.Templates
package templates

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"

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
	r, x := &record.Record{ID: ev.ID, Data: data}, &aix.Entry{Flags: aix.Flags(env)}
	reference, world := irtest.Env(true, target.WordSize), irtest.Env(true, target.WordSize)
	m := interp.NewMachine(reference)
	kept := map[string][]any{}
	keep := func(datum int, v uint64, b []byte) {
		d := ev.Values[datum]
		switch {
		case d.Type != ir.Type{}:
			kept[d.Name] = append(kept[d.Name], v)
		case d.Text:
			kept[d.Name] = append(kept[d.Name], bytes.Clone(render.CString(b)))
		default:
			kept[d.Name] = append(kept[d.Name], bytes.Clone(b))
		}
	}
	m.Keep = keep
	want := m.AppendText([]byte("before "), p.text, data)
	short := len(data) < ev.Size || reference.Outcome.Reason == render.ExitShort
	if p.values != nil { // values come from a program of their own, which is otherwise like the text
		values := irtest.Env(true, target.WordSize)
		m := interp.NewMachine(values)
		m.Keep = keep
		clear(kept)
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

// programs are those of an event in one environment.
type programs struct {
	event        *ir.Event
	target       ir.Target
	text, values *interp.Program // values is nil where the text itself keeps them, as that of drawn programs does
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

// fieldName is the name of a value's field, in lower case.
func fieldName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	if name[0] >= '0' && name[0] <= '9' {
		name = "x" + name
	}
	return name
}

// values compares what is decoded.
func (c *comparison) values(ev *ir.Event, r *record.Record, x *aix.Entry, kept map[string][]any, short bool) bool {
	*c.env = *irtest.Env(true, 8)
	e, ok := decoders.Decode(c.d, r, x)
	if !ok || e.IsValid() == short {
		fmt.Printf("hook %d: decoded %v, short %v, want %v\n", ev.ID, ok, !e.IsValid(), short)
		return false
	}
	if short {
		return true
	}
	for _, d := range ev.Values {
		name := fieldName(d.Name)
		if !same(e, name, d, kept[d.Name]) {
			fmt.Printf("hook %d: %s is %v, want %v\ndata %x\n", ev.ID, name, field(e, name), kept[d.Name], r.Data)
			return false
		}
	}
	return true
}

// field finds a field by its name in lower case.
func field(e reflect.Value, name string) reflect.Value {
	return e.FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, name) })
}

// same compares a field with the values that it was given: all of a slice, else the last.
func same(e reflect.Value, name string, d *ir.Datum, want []any) bool {
	f := field(e, name)
	isBytes := d.Type == ir.Type{} && f.Type().Elem().Kind() == reflect.Uint8
	if f.Kind() == reflect.Slice && !isBytes {
		if f.Len() != len(want) {
			return false
		}
		for i := range want {
			if !equal(f.Index(i), want[i]) {
				return false
			}
		}
		return true
	}
	if has := field(e, "has"+name); has.IsValid() && has.Bool() != (len(want) > 0) {
		return false
	}
	if len(want) == 0 {
		return f.Kind() == reflect.Slice && f.Len() == 0 || f.IsZero()
	}
	return equal(f, want[len(want)-1])
}

func equal(f reflect.Value, want any) bool {
	if b, ok := want.([]byte); ok {
		return bytes.Equal(f.Bytes(), b)
	}
	switch bits := want.(uint64); f.Kind() { // numbers that are none need not equal themselves
	case reflect.Float32:
		return math.Float32bits(float32(f.Float())) == uint32(bits) || f.Float() != f.Float() && math.Float32frombits(uint32(bits)) != math.Float32frombits(uint32(bits))
	case reflect.Float64:
		return math.Float64bits(f.Float()) == bits
	}
	return reflect.ValueOf(want).Convert(f.Type()).Interface() == f.Interface()
}
