// Package kept has the mistakes that the analyzer must find, one in each function.
package kept

import (
	"bytes"
	"container/list"
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/gen/lifetime/testdata/decoders"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/bind"
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

func globals(ctx context.Context, d *decoders.Decoder) {
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			last = e                 // want `event e, which is valid until the next one, is kept in the package's variable last`
			lastData = r.Data        // want `record r, .* kept in the package's variable lastData`
			lastData = r.Data[4:8]   // want `package's variable lastData`
			all = append(all, e)     // want `package's variable all`
			byCPU[r.CPU] = r         // want `package's variable byCPU`
			anything = e             // want `package's variable anything`
			anything = e.PrevComm    // an array
			lastData = e.PrevComm[:] // want `package's variable lastData`
		}
	}
}

func captured(ctx context.Context, d *decoders.Decoder) []*decoders.SchedSwitch {
	var events []*decoders.SchedSwitch
	var first *record.Record
	names := map[string][]byte{}
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			events = append(events, e) // want `variable events`
			if first == nil {
				first = r // want `variable first`
			}
		}
	}
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.IRQHandlerEntry:
			names["irq"] = e.Name() // want `variable names`
		}
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
	a.records = append(a.records, *r) // want `what parameter a leads to`
	a.record = r                      // want `what parameter a leads to`
	return nil
}

// the event belongs to the loop, so the mistake is reported where the function is called.
func (a *analysis) onEvent(e *decoders.SchedSwitch) { a.events = append(a.events, e) }

func handlers(ctx context.Context, d *decoders.Decoder) {
	a := &analysis{}
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			a.onEvent(e)     // want `event e, .* variable a`
			a.onSwitch(r, e) // want `record r, .* variable a`
		}
	}
}

// a function that is passed to others also gets events.
func (a *analysis) onAny(r *record.Record, e any) error {
	switch e := e.(type) {
	case *decoders.SchedSwitch:
		a.events = append(a.events, e) // want `event e, which is valid until the function returns, is kept in what parameter a leads to`
	case *decoders.IRQHandlerEntry:
		a.name = e.Name() // want `what parameter a leads to`
	}
	return nil
}

func interrupts(ctx context.Context, d *decoders.Decoder, a *analysis) {
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.IRQHandlerEntry:
			a.name = e.Name()                  // want `variable a`
			a.name = bytes.TrimSpace(e.Name()) // want `variable a`
			a.name = append(e.Name(), '!')     // want `variable a`
			name := e.Name()
			if len(name) > 3 {
				name = name[:3]
			}
			a.name = name // want `variable a`
			copied := *e
			anything = copied // want `package's variable anything`
		}
	}
}

func channels(ctx context.Context, d *decoders.Decoder, out chan *decoders.SchedSwitch, data chan []byte) {
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			out <- e // want `in a channel`
			select {
			case data <- r.Data: // want `in a channel`
			default:
			}
		}
	}
}

func goroutines(ctx context.Context, d *decoders.Decoder, wait *sync.WaitGroup) {
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			go print(e) // want `by a goroutine`
			wait.Add(1)
			go func() { // want `by a goroutine`
				defer wait.Done()
				println(e.PrevPID)
			}()
		}
	}
}

func closures(ctx context.Context, d *decoders.Decoder) []func() {
	var later []func()
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			later = append(later, func() { println(e.PrevPID) }) // want `variable later`
			f := func() { lastData = r.Data }                    // want `package's variable lastData`
			f()
		}
	}
	return later
}

func print(e *decoders.SchedSwitch) { println(e.PrevPID) }

// keep keeps data of its caller.
func keep(e *decoders.SchedSwitch) { last = e }

func (a *analysis) add(data []byte) { a.name = data }

func tail(data []byte) []byte { return data[1:] }

func wrap(e *decoders.SchedSwitch) any { return struct{ e *decoders.SchedSwitch }{e} }

func helpers(ctx context.Context, d *decoders.Decoder) {
	a := &analysis{}
	var rest []byte
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			keep(e)             // want `by keep, in the package's variable last`
			a.add(r.Data)       // want `variable a`
			rest = tail(r.Data) // want `variable rest`
			anything = wrap(e)  // want `package's variable anything`
		}
	}
	_ = rest
}

func library(ctx context.Context, d *decoders.Decoder) {
	l := list.New()
	var m sync.Map
	var p atomic.Pointer[record.Record]
	with := ctx
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			l.PushBack(e)                              // want `variable l`
			m.Store(r.CPU, e)                          // want `variable m`
			p.Store(r)                                 // want `variable p`
			with = context.WithValue(with, "event", e) // want `variable with`
		}
	}
	_ = with
}

func loops(rec *ftrace.Recording) (*record.Record, error) {
	d, err := decoders.Bind(rec)
	if err != nil {
		return nil, err
	}
	var longest *decoders.SchedSwitch
	var names [][]byte
	for r, e := range d.Events(context.Background(), record.Options{}) {
		if longest == nil {
			longest = e.(*decoders.SchedSwitch) // want `event e, which is valid until the next one, is kept in variable longest`
		}
		if e, ok := e.(*decoders.IRQHandlerEntry); ok {
			names = append(names, e.Name()) // want `variable names`
		}
		anything = e // want `package's variable anything`
		if r.CPU == 7 {
			return r, nil // want `record r, which is valid until the next one`
		}
	}
	return nil, errors.New("none")
}

func values(r *tracec.Reader) (v tracec.Value) {
	var events []*tracec.Event
	for ev := range r.All() {
		events = append(events, ev) // want `variable events`
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

// pointers that a lookup returns also live longer.
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

func entries(d *bind.Decoder[aix.Entry]) (list []*aix.Entry, all [][]byte) {
	for r := range d.Events(context.Background(), record.Options{}) {
		x := d.Entry()
		list = append(list, x)    // want `entry, which is valid until the next one, is kept in variable list`
		anything = x              // want `package's variable anything`
		all = append(all, r.Data) // want `variable all`
	}
	return list, all
}

func decoded(ctx context.Context, d *decoders.Decoder, m *record.Merger[record.None]) (all []any) {
	var e *decoders.SchedSwitch
	for {
		records, entries, err := m.NextRun()
		if err != nil {
			return all
		}
		for i := range records {
			before := e
			e, _ = d.Decode(&records[i], &entries[i]).(*decoders.SchedSwitch) // want `event, .* is kept in variable e`
			if before != nil && e != nil {
				println(before.NextPID, e.PrevPID)
			}
			x := d.Decode(&records[i], nil)
			all = append(all, x)                // want `event, which is valid until the next call, is kept in variable all`
			last, _ = x.(*decoders.SchedSwitch) // want `package's variable last`
		}
	}
}

func walks(m *record.Merger[aix.Entry], d *bind.Decoder[aix.Entry]) (list []*aix.Entry, runs [][]record.Record) {
	m.Run(func(r *record.Record, x *aix.Entry) error {
		list = append(list, x)    // want `entry x, which is valid until the function returns, is kept in variable list`
		lastData = r.Data         // want `record r, .* variable lastData`
		anything = d.Decode(r, x) // want `event, .* variable anything`
		return nil
	})
	m.EachRun(func(records []record.Record, entries []aix.Entry) error {
		runs = append(runs, records)          // want `record records, .* variable runs`
		list = append(list, &entries[0])      // want `entry entries, .* variable list`
		lastData = records[0].Data            // want `variable lastData`
		anything = d.Decode(&records[0], nil) // want `event, .* variable anything`
		return nil
	})
	for r, x := range m.All() {
		byCPU[r.CPU] = r       // want `record r, which is valid until the next one, .* variable byCPU`
		list = append(list, x) // want `entry x, .* variable list`
	}
	return list, runs
}

type part struct {
	events []*decoders.SchedSwitch
	first  *record.Record
	name   []byte
}

func slices(ctx context.Context, d *decoders.Decoder) (first any) {
	bind.Parallel(ctx, d, bind.Slicing{}, func(d *decoders.Decoder, events iter.Seq2[*record.Record, any]) (p part, err error) {
		for r, e := range events {
			switch e := e.(type) {
			case *decoders.SchedSwitch:
				p.events = append(p.events, e) // want `event e, .* variable p`
			case *decoders.IRQHandlerEntry:
				p.name = e.Name() // want `event e, .* variable p`
			}
			p.first = r // want `record r, .* variable p`
		}
		return p, nil
	}, func(part) error { return nil })
	bind.Parallel(ctx, d, bind.Slicing{}, func(d *decoders.Decoder, events iter.Seq2[*record.Record, any]) (any, error) {
		for _, e := range events {
			return e, nil // want `event e, which is valid until the next one`
		}
		return nil, nil
	}, func(e any) error { first = e; return nil })
	return first
}

func root(ctx context.Context, rec *tracec.Recording) (ev *tracec.Event, texts [][]byte) {
	for e, err := range rec.Events(ctx) {
		if err != nil {
			break
		}
		ev = e                        // want `event e, which is valid until the next one, is kept in variable ev`
		texts = append(texts, e.Data) // want `variable texts`
	}
	return ev, texts
}
