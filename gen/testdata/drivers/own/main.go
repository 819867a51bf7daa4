// Package own compares decoders that fill structs of a user's package with compiler/interp. The
// structs are drawn: a tag names the value for each field, and the type of the field determines the
// conversion.
//
//	own fixed NAME N SOURCE...      N random records of each event of a unit, SOURCE as for unit.Load
//	own calls N NAME=DIR...         recordings of uftrace, N payloads for each side of every function
//	own markers N NAME=DIR...       traces of LTTng, and each decoder on the markers of the others
//	own ctf N NAME=DIR...           traces of the Common Trace Format, likewise
//	own hooks NAME N SOURCE...      templates, SOURCE as for unit.Templates
package own

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/testdata/drivers/decoders"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Main runs the driver with the arguments of a command line, without its name.
func Main(args []string) {
	switch args[0] {
	case "fixed":
		for _, layout := range []string{"as compiled", "moved", "wider"} {
			fixed(args[1], number(args[2]), args[3:], layout)
		}
	case "calls":
		sequential[uftrace.Entry](args[0], number(args[1]), args[2:])
	case "markers":
		sequential[lttng.Entry](args[0], number(args[1]), args[2:])
	case "ctf":
		sequential[ctf.Entry](args[0], number(args[1]), args[2:])
	case "hooks":
		templatesOf(args[1], number(args[2]), args[3:])
	}
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	must(err)
	return n
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// comparison is a generated package and its Decoder.
type comparison[E any] struct {
	name       string
	g          *decoders.Generated[E]
	d          *bind.Decoder[E]
	missing    map[string]error
	texts, bad int
}

func newComparison[E any](name string) *comparison[E] {
	return &comparison[E]{name: name, g: decoders.Of[E](name)}
}

// structName is the struct for event i.
func structName(i int) string { return fmt.Sprintf("E%d", i) }

// structOf returns the type of the struct for event i, or nil if there is none. The target of the
// package has one field for each struct, in the order of the events.
func (c *comparison[E]) structOf(i int) reflect.Type {
	p := c.g.Packages[0]
	at := slices.IndexFunc(p.Events, func(e bind.Event) bool { return e.Type == structName(i) })
	if at < 0 {
		return nil
	}
	return reflect.TypeOf(p.New()).Elem().Field(at).Type
}

// fills reports whether there is a struct for event i, and whether it has a field for data of a
// record.
func (c *comparison[E]) fills(i int) (is, values bool) {
	s := c.structOf(i)
	if s == nil {
		return false, false
	}
	for i := range s.NumField() {
		values = values || !strings.HasPrefix(s.Field(i).Tag.Get("tracec"), "@")
	}
	return true, values
}

// bind requests all events.
func (c *comparison[E]) bind(src bind.Source, opts ...bind.Option) {
	c.missing = map[string]error{}
	opts = append(opts, c.g.All(func(event string, err error) { c.missing[event] = err })...)
	c.d = c.g.BindTo(src, opts...)
}

func (c *comparison[E]) differs(format string, args ...any) {
	if c.bad++; c.bad < 20 {
		fmt.Printf("%s: %s\n", c.name, fmt.Sprintf(format, args...))
	}
}

func (c *comparison[E]) done(what string) {
	fmt.Printf("%s %s: %d texts, %d events differ\n", c.name, what, c.texts, c.bad)
}

// fixed compares events whose fields have offsets.
func fixed(name string, n int, source []string, layout string) {
	u, err := unit.Load(source)
	must(err)
	refusable, wider := map[*ir.Event]bool{}, map[*ir.Event]map[string]*ir.Field{}
	for i, ev := range u.Events {
		refusable[ev] = shares(ev)
		switch layout {
		case "moved":
			for _, f := range ev.Fields {
				if !f.Common {
					f.Offset += 24
				}
			}
			ev.Size += 24
		case "wider":
			wider[ev] = widen(rand.New(rand.NewPCG(uint64(i), 9)), ev)
		}
	}
	c := newComparison[record.None](name)
	c.bind(unit.Describe(u))
	relocated := layout != "as compiled" || u.Target.BigEndian != bind.HostBigEndian()
	for i, ev := range u.Events {
		if is, _ := c.fills(i); !is || relocated && (refusable[ev] || mixed(ev)) || layout == "wider" && c.refused(i, ev, wider[ev]) {
			continue
		}
		var readers []*interp.Reader
		for _, f := range ev.Fields {
			readers = append(readers, interp.NewReader(f, u.Target))
		}
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		for range n {
			data := irtest.RandomRecord(rng, ev, u.Target)
			if rng.IntN(8) == 0 {
				data = data[:rng.IntN(len(data)+1)]
			}
			if !c.fixedRecord(u, i, readers, data) {
				c.differs("%s %s:%s\ndata %x", layout, ev.Group, ev.Name, data)
				break
			}
		}
	}
	c.done(layout)
}

// fixedRecord compares one record.
func (c *comparison[E]) fixedRecord(u *ir.Unit, i int, readers []*interp.Reader, data []byte) bool {
	ev := u.Events[i]
	r := record.Record{ID: uint32(i), Data: data, CPU: 3, Task: -7, Time: 1 << 40, Lost: -1, Stream: 5}
	kept := bytes.Clone(data)
	got, ok := decoders.Decode(c.d, &r, nil)
	c.texts++
	if len(data) < ev.Size {
		return ok && !got.IsValid()
	}
	if !got.IsValid() || got.Type().Name() != structName(i) || !bytes.Equal(kept, data) {
		fmt.Printf("decoded as %v\n", got)
		return false
	}
	has := ofRecord(&r)
	for j, f := range ev.Fields {
		rd := readers[j]
		v := &value{typ: ir.Type{Size: int8(f.Size), Signed: f.Signed}}
		switch {
		case f.Kind == ir.Int:
			v.numbers = []uint64{rd.Uint(data)}
		case f.Text:
			if text := rd.Text(data); text != nil || !f.Fault { // an event lacks a text that could not be read
				v.texts = [][]byte{text}
			}
		case f.Elem > 1:
			v.typ.Size, v.list = int8(f.Elem), true
			for k := range rd.Len(data) {
				v.numbers = append(v.numbers, rd.Elem(data, k))
			}
		default:
			v.texts = [][]byte{rd.Bytes(data)}
		}
		if has[f.Name] == nil {
			has[f.Name] = v
		}
	}
	return same(got, has)
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

// shares reports whether fields share bytes, or dynamic data begin at a place that a 16-bit offset
// cannot reach. Relocation refuses such events.
func shares(ev *ir.Event) bool {
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
