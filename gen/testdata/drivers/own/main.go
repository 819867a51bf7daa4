// Package own compares decoders that fill structs of a user's package with compiler/interp. The
// structs are drawn: a tag says what each field is to hold, and its type what becomes of that on
// the way.
//
//	own fixed NAME N SOURCE...      N random records of each event of a unit, SOURCE as for unit.Load
//	own calls N NAME=DIR...         recordings of uftrace, N payloads for each side of every function
//	own markers N NAME=DIR...       traces of LTTng, and each decoder on the markers of the others
//	own hooks NAME N SOURCE...      templates, SOURCE as for unit.Templates
package own

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/ir/irtest"
	"github.com/tracec/tracec/gen/testdata/drivers/decoders"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
)

// Main runs the driver with the arguments of a command line, without its name.
func Main(args []string) {
	switch args[0] {
	case "fixed":
		for _, layout := range []string{"as compiled", "moved", "wider"} {
			fixed(args[1], number(args[2]), args[3:], layout)
		}
	case "calls", "markers":
		sequential(args[0], number(args[1]), args[2:])
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

// comparison is a decoder with all callbacks set.
type comparison struct {
	name       string
	d          reflect.Value
	called     string        // the callback, empty for none
	got        reflect.Value // what it received
	missing    map[string]error
	texts, bad int
}

// made are decoders by name: one is bound again and again.
var made = map[string]any{}

func newComparison(name string) *comparison {
	if made[name] == nil {
		made[name] = decoders.New[name]()
	}
	c := &comparison{name: name, d: reflect.ValueOf(made[name]), missing: map[string]error{}}
	s := c.d.Elem()
	for i := range s.NumField() {
		f, name := s.Field(i), s.Type().Field(i).Name
		if f.Kind() != reflect.Func || !isStruct(name) {
			continue
		}
		f.Set(reflect.MakeFunc(f.Type(), func(args []reflect.Value) []reflect.Value {
			c.called, c.got = name, args[len(args)-1].Elem()
			return []reflect.Value{reflect.Zero(f.Type().Out(0))}
		}))
	}
	s.FieldByName("Missing").Set(reflect.ValueOf(func(event string, err error) { c.missing[event] = err }))
	return c
}

// isStruct reports whether a callback is that of a drawn struct.
func isStruct(name string) bool {
	_, err := strconv.Atoi(name[1:])
	return name[0] == 'E' && err == nil
}

// structName is the struct for event i.
func structName(i int) string { return fmt.Sprintf("E%d", i) }

// fills reports whether there is a struct for event i, and whether it has a field for what the data of a record hold.
func (c *comparison) fills(i int) (is, values bool) {
	f, ok := c.d.Elem().Type().FieldByName(structName(i))
	if !ok {
		return false, false
	}
	s := f.Type.In(f.Type.NumIn() - 1).Elem()
	for i := range s.NumField() {
		values = values || !strings.HasPrefix(s.Field(i).Tag.Get("tracec"), "@")
	}
	return true, values
}

func (c *comparison) bind(src bind.Source) {
	if err := c.d.MethodByName("BindTo").Call([]reflect.Value{reflect.ValueOf(src)})[0]; !err.IsNil() {
		panic(err.Interface())
	}
}

// handle dispatches a record; entry is what the container adds to it, nil for none.
func (c *comparison) handle(r *record.Record, entry any) {
	c.called = ""
	args := []reflect.Value{reflect.ValueOf(r)}
	if entry != nil {
		args = append(args, reflect.ValueOf(entry))
	}
	out := c.d.MethodByName("Handle").Call(args)
	if !out[1].IsNil() || out[0].Bool() != (c.called != "") {
		panic(fmt.Sprint("Handle: ", out[0], out[1]))
	}
}

func (c *comparison) short() uint64 {
	return c.d.MethodByName("Stats").Call(nil)[0].Interface().(bind.Stats).Short
}

func (c *comparison) differs(format string, args ...any) {
	if c.bad++; c.bad < 20 {
		fmt.Printf("%s: %s\n", c.name, fmt.Sprintf(format, args...))
	}
}

func (c *comparison) done(what string) {
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
	c := newComparison(name)
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
func (c *comparison) fixedRecord(u *ir.Unit, i int, readers []*interp.Reader, data []byte) bool {
	ev := u.Events[i]
	r := record.Record{ID: uint32(i), Data: data, CPU: 3, Task: -7, Time: 1 << 40, Lost: -1, Stream: 5}
	kept := bytes.Clone(data)
	before := c.short()
	c.handle(&r, nil)
	c.texts++
	if len(data) < ev.Size {
		return c.called == "" && c.short() == before+1
	}
	if c.called != fmt.Sprintf("E%d", i) || !bytes.Equal(kept, data) {
		fmt.Printf("%s is called\n", c.called)
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
	return c.same(has)
}

// mixed reports a tail beside dynamic data: relocation puts the dynamic data after the tail, which makes the tail longer.
func mixed(ev *ir.Event) bool {
	tail, dynamic := false, false
	for _, f := range ev.Fields {
		tail = tail || f.Kind == ir.Tail
		dynamic = dynamic || f.Kind == ir.Dynamic
	}
	return tail && dynamic
}

// shares reports fields that share bytes, or dynamic data that begins where no 16-bit offset leads: relocation refuses such events.
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
