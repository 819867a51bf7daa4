// Package markers compares generated decoders of LTTng's markers with compiler/interp: their text
// and the values in their structs, on what traces hold and on random payloads. Decoders also run on
// the traces of others, whose payloads may be laid out otherwise: where both have a marker with the
// same format, text and values are those of the recorded payload.
//
//	markers N NAME=DIR...    with N random payloads for each marker
package markers

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/gen/testdata/drivers/decoders"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Main runs the driver with the arguments of a command line, without its name.
func Main(args []string) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		panic(err)
	}
	var list []*lttng.Recording
	var names []string
	for _, arg := range args[1:] {
		name, dir, _ := strings.Cut(arg, "=")
		rec, err := lttng.Open(dir)
		if err != nil {
			panic(err)
		}
		list, names = append(list, rec), append(names, name)
	}
	for i, own := range list {
		texts, bad := 0, 0
		for j, rec := range list {
			c := newComparison(names[i], own, rec, i == j)
			c.recorded()
			if i == j {
				c.random(n)
			}
			texts += c.texts
			bad += c.bad
		}
		fmt.Printf("%s: %d texts, %d events differ\n", names[i], texts, bad)
	}
}

type comparison struct {
	d          *bind.Decoder[lttng.Entry]
	rec        *lttng.Recording
	own        bool // the decoder was compiled from this trace
	target     ir.Target
	markers    []*marker // by Index; nil: not to be compared
	texts, bad int
}

// marker is a marker by the interpreter.
type marker struct {
	event        *ir.Event
	text, values *interp.Program
	limit        int // records that are compared
}

func newComparison(name string, own, rec *lttng.Recording, same bool) *comparison {
	d, err := decoders.Of[lttng.Entry](name).Bind(rec, bind.Unfit(func(string, error) {}))
	if err != nil {
		panic(err)
	}
	c := &comparison{d: d, rec: rec, own: same, target: recorded.Target(rec.Traces()[0].Info())}
	formats := map[[2]string]string{}
	for _, m := range own.Markers() {
		formats[[2]string{m.Channel, m.Name}] = m.Format
	}
	limit := 1000
	if same {
		limit = 20_000
	}
	rules := recorded.Rules(rec.Traces()[0].Info())
	rules.Flat = true // as generated
	era := recorded.Rules(own.Traces()[0].Info()).Era
	for _, m := range rec.Markers() {
		var x *marker
		format, ok := formats[[2]string{m.Channel, m.Name}]
		if ev, err := recorded.Compile(m, rules); err == nil && ok && format == m.Format && era == rules.Era {
			only := *ev
			only.Text = ev.Decode
			x = &marker{ev, c.compile(ev), c.compile(&only), limit}
		}
		c.markers = append(c.markers, x)
	}
	return c
}

func (c *comparison) compile(ev *ir.Event) *interp.Program {
	p, err := interp.CompileValues(ev, c.target)
	if err != nil {
		panic(err)
	}
	return p
}

// foreign bounds the events of a file of another trace: every decoder meets every trace.
const foreign = 2000

// recorded compares the events of the trace.
func (c *comparison) recorded() {
	for _, s := range c.rec.Streams(record.Options{}) {
		for n := 0; c.own || n < foreign; {
			batch, err := s.Next()
			if err != nil {
				break
			}
			n += len(batch.Records)
			for i := range batch.Records {
				c.one(&batch.Records[i], &batch.Entries[i])
			}
		}
		s.Close()
	}
}

// random compares payloads that are drawn: whole ones with strings of any length, some cut short, and noise.
func (c *comparison) random(n int) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, m := range c.rec.Markers() {
		for range n {
			data := payload(rng, m)
			switch rng.IntN(4) {
			case 0:
				data = data[:rng.IntN(len(data)+1)]
			case 1:
				for range 1 + rng.IntN(3) {
					if len(data) > 0 {
						data[rng.IntN(len(data))] = byte(rng.Uint32())
					}
				}
			}
			c.one(&record.Record{ID: uint32(m.Index), Data: data}, &lttng.Entry{Marker: m})
		}
	}
}

func payload(rng *rand.Rand, m *lttng.Marker) (data []byte) {
	pad := func(n int) {
		for n > 1 && len(data)%n != 0 {
			data = append(data, 0xaa)
		}
	}
	flat, err := m.Flat()
	if err != nil {
		return nil
	}
	for _, f := range flat {
		pad(f.Align)
		switch f.Kind {
		case lttng.Sequence:
			n := rng.IntN(20)
			count := binary.LittleEndian.AppendUint64(nil, uint64(n))[:f.Size]
			if m.Trace().Info().BigEndian {
				slices.Reverse(count)
			}
			data = append(data, count...)
			for range n {
				data = append(data, byte(rng.Uint32()))
			}
			continue
		case lttng.String:
			for range rng.IntN(20) {
				data = append(data, byte(1+rng.Uint32()%255))
			}
			data = append(data, 0)
			pad(f.PadAfter)
			continue
		}
		for range f.Size {
			data = append(data, byte(rng.Uint32()>>rng.IntN(8)))
		}
	}
	return data
}

// one compares one record.
func (c *comparison) one(r *record.Record, x *lttng.Entry) {
	if r.ID == lttng.NoMarker {
		return
	}
	m := c.markers[r.ID]
	if m == nil || m.limit == 0 {
		return
	}
	if _, ok := c.d.AppendText(nil, r, x, c.env()); !ok && !c.own { // a number that is too wide
		return
	}
	m.limit--
	c.texts++
	if !c.agrees(m, r, x) {
		c.bad++
	}
}

func (c *comparison) env() *render.Env {
	return &render.Env{BigEndian: c.target.BigEndian, WordSize: c.target.WordSize, Outcome: &render.Outcome{}}
}

func (c *comparison) agrees(m *marker, r *record.Record, x *lttng.Entry) bool {
	reference, world := c.env(), c.env()
	want := interp.NewMachine(reference).AppendText([]byte("before "), m.text, r.Data)
	short := reference.Outcome.Reason == render.ExitShort
	got, ok := c.d.AppendText([]byte("before "), r, x, world)
	if !ok || (c.own || !short) && (!bytes.Equal(got, want) || *reference.Outcome != *world.Outcome) {
		fmt.Printf("%s.%s ok=%v\n got %q %v\nwant %q %v\ndata %x\n", m.event.Group, m.event.Name, ok, got, *world.Outcome, want, *reference.Outcome, r.Data)
		return false
	}
	e, ok := decoders.Decode(c.d, r, x)
	if !ok || e.IsValid() == short {
		fmt.Printf("%s: decoded %v, short %v, want %v\ndata %x\n", m.event.Name, ok, !e.IsValid(), short, r.Data)
		return false
	}
	if n := decoders.Allocations(func() { got, _ = c.d.AppendText(got[:0], r, x, world) }); n != 0 {
		fmt.Printf("%s: %v allocations\n", m.event.Name, n)
		return false
	}
	return short || c.values(m, r, e)
}

// values compares a struct with what the interpreter keeps.
func (c *comparison) values(m *marker, r *record.Record, e reflect.Value) bool {
	kept := make([]any, len(m.event.Values))
	machine := interp.NewMachine(c.env())
	machine.Keep = func(datum int, v uint64, b []byte) {
		switch d := m.event.Values[datum]; {
		case d.Text:
			kept[datum] = bytes.Clone(render.CString(b))
		case d.Type == ir.Type{}:
			kept[datum] = bytes.Clone(b)
		case d.Float && d.Type.Size == 4:
			kept[datum] = math.Float32frombits(uint32(v))
		case d.Float:
			kept[datum] = math.Float64frombits(v)
		default:
			kept[datum] = v
		}
	}
	machine.AppendText(nil, m.values, r.Data)
	for i, d := range m.event.Values {
		if f := e.Field(i); !equal(f, kept[i]) {
			fmt.Printf("%s: %s is %v, want %v\ndata %x\n", m.event.Name, d.Name, f, kept[i], r.Data)
			return false
		}
	}
	return true
}

func equal(f reflect.Value, want any) bool {
	if b, ok := want.([]byte); ok {
		return f.IsValid() && f.Kind() == reflect.Slice && bytes.Equal(f.Bytes(), b)
	}
	if n, ok := want.(float32); ok {
		have, ok := f.Interface().(float32)
		return ok && math.Float32bits(n) == math.Float32bits(have)
	}
	if n, ok := want.(float64); ok {
		have, ok := f.Interface().(float64)
		return ok && math.Float64bits(n) == math.Float64bits(have)
	}
	bits, ok := want.(uint64)
	if !ok || !f.IsValid() || f.Kind() == reflect.Slice {
		return false
	}
	return reflect.ValueOf(bits).Convert(f.Type()).Interface() == f.Interface()
}
