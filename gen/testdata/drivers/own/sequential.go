package own

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	traces "github.com/tracec/tracec/compiler/ctf/recorded"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	markers "github.com/tracec/tracec/compiler/lttng/recorded"
	calls "github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/decoders"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
)

// everything chooses all events.
func everything(string, string) bool { return true }

// describe makes the unit of a recording.
func describe(kind, dir string) *ir.Unit {
	switch kind {
	case "calls":
		rec, err := uftrace.Open(dir)
		must(err)
		u, _ := calls.Unit(rec, everything)
		return u
	case "ctf":
		rec, err := ctf.Open(dir)
		must(err)
		u, _ := traces.Unit(rec, everything)
		return u
	}
	rec, err := lttng.Open(dir)
	must(err)
	u, _ := markers.Unit(rec, everything)
	return u
}

// sequential compares decoders of recordings with their own events and with the events of the other
// recordings.
func sequential[E any](kind string, n int, args []string) {
	var names []string
	var units []*ir.Unit
	for _, arg := range args {
		name, dir, _ := strings.Cut(arg, "=")
		names, units = append(names, name), append(units, describe(kind, dir))
	}
	for i, own := range units {
		c := newComparison[E](names[i])
		for j, u := range units {
			c.bind(describeSequential(u))
			for k, ev := range u.Events {
				at := k
				if i != j {
					at = slices.IndexFunc(own.Events, func(x *ir.Event) bool { return x.Group == ev.Group && x.Name == ev.Name && x.Exit == ev.Exit })
				}
				if at < 0 {
					continue
				}
				if is, values := c.fills(at); is {
					c.payloads(n, own.Events[at], u, k, at, i == j, values)
				}
			}
		}
		c.done(kind)
	}
}

// describeSequential describes the events of u like a recording, with their positions as ids.
func describeSequential(u *ir.Unit) bind.Source {
	var events []bind.Event
	for i, ev := range u.Events {
		e := bind.Event{Group: ev.Group, Name: ev.Name, Exit: ev.Exit, ID: uint32(i), BigEndian: u.Target.BigEndian, Sequential: true}
		layout, err := gen.Layout(u, ev)
		if err != nil {
			panic(err)
		}
		e.Fields = layout.Fields
		events = append(events, e)
	}
	return bind.Sources(events)
}

// payloads compares drawn payloads of an event. native reports that they have the compiled layout.
func (c *comparison[E]) payloads(n int, own *ir.Event, u *ir.Unit, id, at int, native, values bool) {
	ev := u.Events[id]
	only := *ev
	only.Text = ev.Decode
	p, err := interp.CompileValues(&only, u.Target)
	must(err)
	rng := rand.New(rand.NewPCG(uint64(id), 3))
	for range n {
		data := irtest.Damaged(rng, irtest.Payload(rng, irtest.NewKept(ev), u.Target))
		r := &record.Record{ID: uint32(id), Data: data, CPU: 2, Task: 99, Time: 77, Stream: 1}
		has, short := interpreted(ev, own, p, irtest.Env(u.Target.BigEndian, u.Target.WordSize), data)
		got, ok := decoders.Decode(c.d, r, new(E))
		if !ok {
			return // not bound: the recording lacks a field, or has it in another form
		}
		c.texts++
		is := !got.IsValid()
		for name, v := range ofRecord(r) {
			has[name] = v
		}
		switch {
		case native && values && is != short, !short && is, !values && is:
			c.differs("%s: short is %v, want %v\ndata %x", ev.Name, is, short, data)
		case !is && got.Type().Name() != structName(at):
			c.differs("%s: decoded as %v", ev.Name, got.Type())
		case !is && !short && !same(got, has):
			c.differs("%s\ndata %x", ev.Name, data)
		}
	}
}

// interpreted returns interp's values, with the types with which own was compiled.
func interpreted(ev, own *ir.Event, p *interp.Program, env *render.Env, data []byte) (has map[string]*value, short bool) {
	has = map[string]*value{}
	enums := map[string]bool{}
	for _, d := range own.Leaves() {
		v := &value{typ: d.Type(), float: d.Kind == ir.Float}
		if d.Enum.OfC() {
			v.typ = ir.I32
			enums[d.Path] = true
		}
		has[d.Path] = v
	}
	all, leaves := ev.AllValues(), map[int]ir.Leaf{}
	for _, l := range ev.Leaves() {
		leaves[l.Number] = l
	}
	m := interp.NewMachine(env)
	m.Keep = func(datum int, n uint64, b []byte) {
		d, ok := leaves[datum]
		if !ok { // a structure or a list begins, without values so far
			for _, l := range all[datum].Leaves() {
				if v := has[leaves[datum+l.Number].Path]; v != nil {
					v.numbers, v.texts = nil, nil
				}
			}
			return
		}
		v, t := has[d.Path], d.Type()
		switch {
		case v == nil:
		case t == ir.Type{} && d.Text:
			v.texts = append(v.texts, bytes.Clone(render.Text(b)))
		case t == ir.Type{}:
			v.texts = append(v.texts, append([]byte{}, b...))
		case d.Kind == ir.Float && t.Size > v.typ.Size:
			v.typ.Size = t.Size
			v.numbers = append(v.numbers, n)
		case d.Kind == ir.Float && t != v.typ: // another size in the other recording
			f := sizedFloat(n, t.Size)
			v.numbers = append(v.numbers, floatBits(f, v.typ.Size))
		case enums[d.Path]:
			// The decoder reads an int from the register if the compiled description declares an
			// enumeration, whatever this recording declares.
			v.numbers = append(v.numbers, n)
		case !d.Enum.OfC() && t.Size > v.typ.Size: // it is bound, so the field holds it or gets only the low bits
			v.typ.Size = t.Size
			v.numbers = append(v.numbers, t.Extend(n))
		default:
			v.numbers = append(v.numbers, t.Extend(n))
		}
	}
	m.AppendText(nil, p, data)
	return has, len(data) < ev.Size || env.Outcome.Reason == render.ExitShort
}

// templatesOf compares templates in all environments.
func templatesOf(name string, n int, source []string) {
	templates, err := unit.Templates(source)
	must(err)
	c, world := newComparison[aix.Entry](name), new(render.Env)
	c.bind(func(name string) []bind.Event {
		var id uint32
		if _, err := fmt.Sscanf(name, "%X", &id); err != nil {
			panic(err)
		}
		return []bind.Event{{Name: name, ID: id, Sequential: true}}
	}, bind.WithEnv(world))
	for i, t := range templates {
		is, values := c.fills(i)
		for env, ev := range t.Events {
			rng := rand.New(rand.NewPCG(uint64(i), uint64(env)))
			target := ir.Target{BigEndian: true, WordSize: 4 + 4*(env/2)}
			only := *ev
			only.Text = ev.Decode
			p, err := interp.CompileValues(&only, target)
			must(err)
			for range n {
				if !is {
					break
				}
				*world = *irtest.Env(true, target.WordSize)
				c.texts++
				if !hook(c.d, t, env, p, irtest.RandomRecord(rng, ev, target), values) {
					c.differs("hook %X env %d", t.ID, env)
					break
				}
			}
		}
	}
	c.done("hooks")
}

// hook compares one record.
func hook(d *bind.Decoder[aix.Entry], t unit.Template, env int, p *interp.Program, data []byte, values bool) bool {
	ev := t.Events[env]
	r := &record.Record{ID: uint32(t.ID), Data: data, CPU: 1, Task: 4, Time: 5}
	has, short := interpreted(ev, merged(t), p, irtest.Env(true, 4+4*(env/2)), data)
	got, ok := decoders.Decode(d, r, &aix.Entry{Flags: aix.Flags(env)})
	if !values {
		short = false
	}
	if !ok || got.IsValid() == short {
		fmt.Printf("decoded %v, short is %v, want %v\ndata %x\n", ok, !got.IsValid(), short, data)
		return false
	}
	for name, v := range ofRecord(r) {
		has[name] = v
	}
	return short || same(got, has)
}

// merged holds the values of all environments, each in its greatest width.
func merged(t unit.Template) *ir.Event {
	all := &ir.Event{}
	byName := map[string]*ir.Field{}
	for _, ev := range t.Events {
		for _, f := range ev.Values() {
			own := f
			if f.Kind == ir.List {
				own = f.Fields[0]
			}
			if have := byName[f.Name]; have == nil {
				copied := *f
				if f.Kind == ir.List {
					e := *own
					copied.Fields, own = []*ir.Field{&e}, &e
				} else {
					own = &copied
				}
				byName[f.Name] = own
				all.Fields = append(all.Fields, &copied)
			} else if own.Size > have.Size {
				have.Size, have.Signed = own.Size, own.Signed
			}
		}
	}
	return all
}
