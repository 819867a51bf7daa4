// Package kept has the mistakes that the analyzer is to find, one in each function.
package kept

import (
	"bytes"
	"container/list"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/gen/lifetime/testdata/decoders"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

var (
	last     *decoders.SchedSwitch
	lastData []byte
	all      []*decoders.SchedSwitch
	byCPU    = map[int32]*record.Record{}
	anything any
)

func globals(d *decoders.Decoder) {
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		last = e                 // want `event e, which is valid until its callback returns, is kept in the package's variable last`
		lastData = r.Data        // want `record r, .* kept in the package's variable lastData`
		lastData = r.Data[4:8]   // want `package's variable lastData`
		all = append(all, e)     // want `package's variable all`
		byCPU[r.CPU] = r         // want `package's variable byCPU`
		anything = e             // want `package's variable anything`
		anything = e.PrevComm    // an array
		lastData = e.PrevComm[:] // want `package's variable lastData`
		return nil
	}
}

func captured(d *decoders.Decoder) []*decoders.SchedSwitch {
	var events []*decoders.SchedSwitch
	var first *record.Record
	names := map[string][]byte{}
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		events = append(events, e) // want `variable events outside of the callback`
		if first == nil {
			first = r // want `variable first outside`
		}
		return nil
	}
	d.IRQHandlerEntry = func(r *record.Record, e *decoders.IRQHandlerEntry) error {
		names["irq"] = e.Name() // want `variable names outside`
		return nil
	}
	_ = first
	return events
}

type analysis struct {
	events  []*decoders.SchedSwitch
	record  *record.Record
	name    []byte
	records []record.Record
	queue   chan *decoders.SchedSwitch
}

func (a *analysis) onSwitch(r *record.Record, e *decoders.SchedSwitch) error {
	a.events = append(a.events, e)    // want `what parameter a leads to`
	a.records = append(a.records, *r) // want `what parameter a leads to`
	a.record = r                      // want `what parameter a leads to`
	return nil
}

func (a *analysis) onInterrupt(r *record.Record, e *decoders.IRQHandlerEntry) error {
	a.name = e.Name()                  // want `what parameter a leads to`
	a.name = bytes.TrimSpace(e.Name()) // want `what parameter a leads to`
	a.name = append(e.Name(), '!')     // want `what parameter a leads to`
	name := e.Name()
	if len(name) > 3 {
		name = name[:3]
	}
	a.name = name // want `what parameter a leads to`
	copied := *e
	anything = copied // want `package's variable anything`
	return nil
}

func channels(d *decoders.Decoder, out chan *decoders.SchedSwitch, data chan []byte) {
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		out <- e // want `in a channel`
		select {
		case data <- r.Data: // want `in a channel`
		default:
		}
		return nil
	}
}

func goroutines(d *decoders.Decoder, wait *sync.WaitGroup) {
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		go print(e) // want `by a goroutine`
		wait.Add(1)
		go func() { // want `by a goroutine`
			defer wait.Done()
			println(e.PrevPID)
		}()
		return nil
	}
}

func closures(d *decoders.Decoder) []func() {
	var later []func()
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		later = append(later, func() { println(e.PrevPID) }) // want `variable later outside`
		f := func() { lastData = r.Data }                    // want `package's variable lastData`
		f()
		return nil
	}
	return later
}

func print(e *decoders.SchedSwitch) { println(e.PrevPID) }

// keep keeps for its caller.
func keep(e *decoders.SchedSwitch) { last = e }

func (a *analysis) add(data []byte) { a.name = data }

func tail(data []byte) []byte { return data[1:] }

func wrap(e *decoders.SchedSwitch) any { return struct{ e *decoders.SchedSwitch }{e} }

func helpers(d *decoders.Decoder) {
	a := &analysis{}
	var rest []byte
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		keep(e)             // want `by keep, in the package's variable last`
		a.add(r.Data)       // want `variable a outside`
		rest = tail(r.Data) // want `variable rest outside`
		anything = wrap(e)  // want `package's variable anything`
		return nil
	}
	_ = rest
}

func library(d *decoders.Decoder) {
	l := list.New()
	var m sync.Map
	var p atomic.Pointer[record.Record]
	var ctx context.Context
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		l.PushBack(e)                            // want `variable l outside`
		m.Store(r.CPU, e)                        // want `variable m outside`
		p.Store(r)                               // want `variable p outside`
		ctx = context.WithValue(ctx, "event", e) // want `variable ctx outside`
		return nil
	}
	_ = ctx
}

func loops(rec *ftrace.Recording) (*record.Record, error) {
	var longest *decoders.SchedSwitch
	var w decoders.Walk
	var names [][]byte
	for r, e := range decoders.SchedSwitchEvents(rec, &w) {
		if longest == nil {
			longest = e // want `event e, which is valid until the next one, is kept in variable longest`
		}
		if r.CPU == 7 {
			return r, nil // want `record r, which is valid until the next one`
		}
	}
	for _, e := range decoders.IRQHandlerEntryEvents(rec, &w) {
		names = append(names, e.Name()) // want `variable names outside`
	}
	for _, u := range decoders.Events(rec, &w) {
		anything = u // want `package's variable anything`
	}
	return nil, errors.New("none")
}

func values(r *dynamic.Reader) (v dynamic.Value) {
	var events []*dynamic.Event
	for ev := range r.All() {
		events = append(events, ev) // want `variable events outside`
		v, _ = ev.Field("comm")     // want `event ev, which is valid until the next one, is kept in variable v`
	}
	_ = events
	return v
}

func batches(s record.Stream[record.None], kept *[][]record.Record) {
	for {
		batch, err := s.Next()
		if err != nil {
			return
		}
		*kept = append(*kept, batch.Records) // want `memory of record, which is valid until the next call`
	}
}

type visit struct {
	seen map[string]*analysis
}

// pointers to what is looked up live longer, too.
func (v *visit) onSwitch(r *record.Record, e *decoders.SchedSwitch) error {
	a := v.seen[e.PrevComm.String()]
	if a == nil {
		a = &analysis{}
		v.seen[e.PrevComm.String()] = a
	}
	a.record = r // want `is kept`
	return nil
}

// a value in a struct that is kept.
func (v *visit) onSwitches(r *record.Record, e *decoders.SchedSwitch) error {
	a := analysis{record: r}
	v.seen["x"] = &a // want `what parameter v leads to`
	return nil
}
