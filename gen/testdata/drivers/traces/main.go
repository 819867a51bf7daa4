// Package traces compares generated decoders of events that are read from front to back with
// compiler/interp. It compares their text and the values in their structs, for the contents of
// traces and for random payloads. Decoders also run on the other traces, whose payloads may have
// another layout. If both traces have an event with the same description, text and values must
// equal those of the recorded payload.
//
//	traces markers N NAME=DIR...    of LTTng, with N random payloads for each marker
//	traces ctf N NAME=DIR...        of the Common Trace Format, with N for each event
//	traces apart N NAME=DIR...      likewise, if the name of the directory is the group of its events
//	traces perf N NAME=FILE...      of perf.data, with N for each attribute and type of record
//
// Traces that give the same decoder have one NAME.
package traces

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
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Main runs the driver with the arguments of a command line, without its name.
func Main(args []string) {
	n, err := strconv.Atoi(args[1])
	if err != nil {
		panic(err)
	}
	switch args[0] {
	case "ctf":
		compare[ctf.Entry, *ctf.Stream](n, args[2:], ctfTrace)
	case "apart":
		compare[ctf.Entry, *ctf.Stream](n, args[2:], ctfApart)
	case "perf":
		compare[perf.Entry, *perf.Stream](n, args[2:], perfData)
	default:
		compare[lttng.Entry, *lttng.Stream](n, args[2:], lttngTrace)
	}
}

// trace is a trace with its events.
type trace[E any, S stream[E]] struct {
	source  bind.Source
	target  ir.Target
	streams func(record.Options) []S
	events  []described[E]
}

type stream[E any] interface {
	record.Stream[E]
	Close()
}

// described is an event of a trace.
type described[E any] struct {
	id    uint32    // of its records
	event *ir.Event // nil: not compared
	// same is equal for events that decoders read in the same way, in any layout.
	same string
	// own is set if the decoder of the trace was made from this description.
	own   bool
	entry E
}

// key finds an event in another trace.
func (d *described[E]) key() [3]string { return [3]string{d.event.Group, d.event.Name, d.same} }

func compare[E any, S stream[E]](n int, args []string, open func(dir string) trace[E, S]) {
	var list []trace[E, S]
	var names []string
	for _, arg := range args {
		name, dir, _ := strings.Cut(arg, "=")
		list, names = append(list, open(dir)), append(names, name)
	}
	for i, name := range names {
		if slices.Index(names, name) < i {
			continue
		}
		texts, bad := 0, 0
		for j, tr := range list {
			own := list[i]
			if names[j] == name {
				own = tr
			}
			c := newComparison(name, own, tr, names[j] == name)
			c.recorded()
			if c.own {
				c.random(n)
			}
			texts += c.texts
			bad += c.bad
		}
		fmt.Printf("%s: %d texts, %d events differ\n", name, texts, bad)
	}
}

type comparison[E any, S stream[E]] struct {
	trace[E, S]
	d          *bind.Decoder[E]
	own        bool              // the decoder was compiled from this trace
	kinds      map[uint32]*event // by id, only the compared ones
	texts, bad int
}

// event is an event, compiled by the interpreter.
type event struct {
	*ir.Event
	text, values *interp.Program
	own          bool
	limit        int // number of records to compare
}

func newComparison[E any, S stream[E]](name string, own, tr trace[E, S], same bool) *comparison[E, S] {
	c := &comparison[E, S]{trace: tr, d: decoders.Of[E](name).BindTo(tr.source), own: same, kinds: map[uint32]*event{}}
	compiled := map[[3]string]bool{}
	for _, e := range own.events {
		if e.event != nil && e.own {
			compiled[e.key()] = true
		}
	}
	limit := 1000
	if same {
		limit = 20_000
	}
	for _, e := range tr.events {
		if e.event != nil && compiled[e.key()] {
			only := *e.event
			only.Text = e.event.Decode
			c.kinds[e.id] = &event{e.event, c.compile(e.event), c.compile(&only), same && e.own, limit}
		}
	}
	return c
}

func (c *comparison[E, S]) compile(ev *ir.Event) *interp.Program {
	p, err := interp.CompileValues(ev, c.target)
	if err != nil {
		panic(err)
	}
	return p
}

// foreign limits the events for each file of another trace, because every decoder reads every
// trace.
const foreign = 2000

// recorded compares the events of the trace.
func (c *comparison[E, S]) recorded() {
	for _, s := range c.streams(record.Options{}) {
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
		s.Close()
	}
}

// random compares drawn payloads: complete ones with strings of any length, cut ones, and noise.
func (c *comparison[E, S]) random(n int) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range c.events {
		e := &c.events[i]
		x := c.kinds[e.id]
		for range n {
			if x != nil && x.own {
				data := irtest.Damaged(rng, irtest.Payload(rng, irtest.NewKept(x.Event), c.target))
				c.one(&record.Record{ID: e.id, Data: data}, &e.entry)
			}
		}
	}
}

// one compares one record.
func (c *comparison[E, S]) one(r *record.Record, x *E) {
	k := c.kinds[r.ID]
	if k == nil || k.limit == 0 {
		return
	}
	if _, ok := c.d.AppendText(nil, r, x, c.env()); !ok && !k.own { // a number that is too wide
		return
	}
	k.limit--
	c.texts++
	if !c.agrees(k, r, x) {
		c.bad++
	}
}

func (c *comparison[E, S]) env() *render.Env {
	return &render.Env{BigEndian: c.target.BigEndian, WordSize: c.target.WordSize, Outcome: &render.Outcome{}}
}

func (c *comparison[E, S]) agrees(k *event, r *record.Record, x *E) bool {
	reference, world := c.env(), c.env()
	want := interp.NewMachine(reference).AppendText([]byte("before "), k.text, r.Data)
	short := reference.Outcome.Reason == render.ExitShort
	got, ok := c.d.AppendText([]byte("before "), r, x, world)
	if !ok || (k.own || !short) && (!bytes.Equal(got, want) || *reference.Outcome != *world.Outcome) {
		fmt.Printf("%s.%s ok=%v\n got %q %v\nwant %q %v\ndata %x\n", k.Group, k.Name, ok, got, *world.Outcome, want, *reference.Outcome, r.Data)
		return false
	}
	e, ok := decoders.Decode(c.d, r, x)
	if !ok || e.IsValid() == short {
		fmt.Printf("%s: decoded %v, short %v, want %v\ndata %x\n", k.Name, ok, !e.IsValid(), short, r.Data)
		return false
	}
	if n := decoders.Allocations(func() { got, _ = c.d.AppendText(got[:0], r, x, world) }); n != 0 {
		fmt.Printf("%s: %v allocations\n", k.Name, n)
		return false
	}
	if n := decoders.Allocations(func() { c.d.Decode(r, x) }); n != 0 { // slices keep their memory
		fmt.Printf("%s: %v allocations of values\n", k.Name, n)
		return false
	}
	return short || c.values(k, r, e)
}

// values compares a struct with the values that the interpreter keeps.
func (c *comparison[E, S]) values(k *event, r *record.Record, e reflect.Value) bool {
	kept := irtest.NewKept(k.Event)
	machine := interp.NewMachine(c.env())
	machine.Keep = kept.Keep
	machine.AppendText(nil, k.values, r.Data)
	if why := kept.Differs(e); why != "" {
		fmt.Printf("%s: %s\ndata %x\n", k.Name, why, r.Data)
		return false
	}
	return true
}
