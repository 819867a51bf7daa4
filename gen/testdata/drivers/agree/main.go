// Package agree compares generated AppendText with compiler/interp. It makes again the units from
// which decoders were generated, and prints one line for each event that differs.
//
//	agree NAME N SOURCE...    with N random records an event; SOURCE as for unit.Load
package agree

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
	for _, moved := range []int{0, 24} {
		u, err := unit.Load(args[2:])
		if err != nil {
			panic(err)
		}
		refusable := map[*ir.Event]bool{}
		for _, ev := range u.Events {
			refusable[ev] = damaged(ev)
			move(ev, moved)
		}
		compare(args[0], u, n, moved, refusable)
	}
}

// move changes ev to the layout that another kernel may have: the same fields at other places.
func move(ev *ir.Event, by int) {
	for _, f := range ev.Fields {
		if !f.Common {
			f.Offset += by
		}
	}
	ev.Size += by
}

func compare(name string, u *ir.Unit, n, moved int, refusable map[*ir.Event]bool) {
	d := decoders.Of[record.None](name).BindTo(unit.Describe(u))
	// Two worlds, each with its own memory. Both see the same calls if both back ends do the same.
	env, reference := irtest.Env(u.Target.BigEndian, u.Target.WordSize), irtest.Env(u.Target.BigEndian, u.Target.WordSize)
	m := interp.NewMachine(reference)
	texts, bad := 0, 0
	relocated := moved != 0 || u.Target.BigEndian != bind.HostBigEndian()
	for i, ev := range u.Events {
		if !ev.HasText || relocated && mixed(ev) {
			continue
		}
		p, err := interp.Compile(ev, u.Target)
		if err != nil {
			panic(err)
		}
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		for range n {
			data := irtest.RandomRecord(rng, ev, u.Target)
			kept := bytes.Clone(data)
			r := record.Record{ID: uint32(i), Data: data}
			got, ok := d.AppendText([]byte("before "), &r, nil, env)
			if !ok && relocated && refusable[ev] {
				break // not bound: the reference must not see a call that the other world does not see
			}
			want := m.AppendText([]byte("before "), p, kept)
			sameEnd := *env.Outcome == *reference.Outcome
			*env.Outcome, *reference.Outcome = render.Outcome{}, render.Outcome{}
			texts++
			if ok && sameEnd && bytes.Equal(got, want) && bytes.Equal(data, kept) && &r.Data[:1][0] == &data[:1][0] {
				continue
			}
			if bad++; bad < 20 {
				fmt.Printf("%s moved %d %s:%s ok=%v\n got %q\nwant %q\ndata %x\n", name, moved, ev.Group, ev.Name, ok, got, want, kept)
			}
			break
		}
	}
	fmt.Printf("%s moved %d: %d texts, %d events differ\n", name, moved, texts, bad)
}

// mixed reports whether the event has a tail beside dynamic data. Relocation puts the dynamic data
// after the tail, which makes the tail longer.
func mixed(ev *ir.Event) bool {
	tail, dynamic := false, false
	for _, f := range ev.Fields {
		tail = tail || f.Kind == ir.Tail
		dynamic = dynamic || f.Kind == ir.Dynamic
	}
	return tail && dynamic
}

// damaged reports whether fields share bytes, or dynamic data begin at a place that a 16-bit offset
// cannot reach. Relocation refuses such events.
func damaged(ev *ir.Event) bool {
	for i, f := range ev.Fields {
		if f.Kind == ir.Dynamic && ev.Size > 0xffff-8 {
			return true
		}
		for _, g := range ev.Fields[:i] {
			if f.Offset < g.Offset+g.Size && (g.Offset < f.Offset+f.Size || f.Kind == ir.Tail) || g.Kind == ir.Tail && g.Offset < f.Offset+f.Size {
				return true
			}
		}
	}
	return false
}
