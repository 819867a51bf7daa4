// Package markers compares generated decoders of LTTng's markers with compiler/interp: their text
// and the values in their structs, on what traces hold and on random payloads. Decoders also run on
// the traces of others, whose payloads may be laid out otherwise: where both have a marker with the
// same format, text and values are those of the recorded payload.
//
//	markers N NAME=DIR...    with N random payloads for each marker
//
// Traces that give the same decoder have one NAME.
package markers

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/gen/testdata/drivers/decoders"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/layout"
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
	for i, name := range names {
		if slices.Index(names, name) < i {
			continue
		}
		texts, bad := 0, 0
		for j, rec := range list {
			own := list[i]
			if names[j] == name {
				own = rec
			}
			c := newComparison(name, own, rec, own == rec)
			c.recorded()
			if own == rec {
				c.random(n)
			}
			texts += c.texts
			bad += c.bad
		}
		fmt.Printf("%s: %d texts, %d events differ\n", name, texts, bad)
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

// drawing draws the payload of a marker.
type drawing struct {
	rng  *rand.Rand
	big  bool
	data []byte
}

func payload(rng *rand.Rand, m *lttng.Marker) []byte {
	d := &drawing{rng: rng, big: m.Trace().Info().BigEndian}
	d.fields(layout.Fields(m, d.big))
	return d.data
}

func (d *drawing) pad(n int) {
	for n > 1 && len(d.data)%n != 0 {
		d.data = append(d.data, 0xaa)
	}
}

func (d *drawing) fields(fields []bind.Field) {
	for i := range fields {
		d.field(&fields[i])
	}
}

func (d *drawing) field(f *bind.Field) {
	d.pad(f.Align)
	switch f.Kind {
	case bind.Counted:
		for range d.count(f.Size, 20) {
			d.data = append(d.data, byte(d.rng.Uint32()))
		}
	case bind.Terminated:
		for range d.rng.IntN(20) {
			d.data = append(d.data, byte(1+d.rng.Uint32()%255))
		}
		d.data = append(d.data, 0)
	case bind.Struct:
		d.fields(f.Fields)
	case bind.List:
		n := f.Count
		if f.Size > 0 {
			n = d.count(f.Size, 5)
		}
		for range n {
			d.field(&f.Fields[0])
		}
		d.pad(f.Fields[0].Align)
	default:
		for range f.Size {
			d.data = append(d.data, byte(d.rng.Uint32()>>d.rng.IntN(8)))
		}
	}
	d.pad(f.PadAfter)
}

// count draws a length less than n.
func (d *drawing) count(size, n int) int {
	n = d.rng.IntN(n)
	count := binary.LittleEndian.AppendUint64(nil, uint64(n))[:size]
	if d.big {
		slices.Reverse(count)
	}
	d.data = append(d.data, count...)
	return n
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
	if n := decoders.Allocations(func() { c.d.Decode(r, x) }); n != 0 { // slices keep their memory
		fmt.Printf("%s: %v allocations of values\n", m.event.Name, n)
		return false
	}
	return short || c.values(m, r, e)
}

// values compares a struct with what the interpreter keeps.
func (c *comparison) values(m *marker, r *record.Record, e reflect.Value) bool {
	kept := irtest.NewKept(m.event)
	machine := interp.NewMachine(c.env())
	machine.Keep = kept.Keep
	machine.AppendText(nil, m.values, r.Data)
	if why := kept.Differs(e); why != "" {
		fmt.Printf("%s: %s\ndata %x\n", m.event.Name, why, r.Data)
		return false
	}
	return true
}
