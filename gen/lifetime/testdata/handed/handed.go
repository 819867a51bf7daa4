// Package handed has mistakes that go through function literals, methods, generic functions, Go's library and iterators, one in each line with a want.
package handed

import (
	"container/ring"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/gen/lifetime/testdata/decoders"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

var (
	last *decoders.SchedSwitch
	text string
	raw  unsafe.Pointer
)

func literal(d *decoders.Decoder) {
	var all []*decoders.SchedSwitch
	add := func(e *decoders.SchedSwitch) { all = append(all, e) }
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		add(e) // want `by a function literal, in variable all`
		return nil
	}
}

func push[T any](to *[]T, v T) { *to = append(*to, v) }

func generic(d *decoders.Decoder) {
	var all []*decoders.SchedSwitch
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		push(&all, e) // want `variable all outside`
		return nil
	}
}

type store[T any] struct{ list []T }

func (s *store[T]) add(v T) { s.list = append(s.list, v) }

func genericMethod(d *decoders.Decoder) {
	var all store[*decoders.SchedSwitch]
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		all.add(e) // want `variable all outside`
		return nil
	}
}

func unsafeStrings(d *decoders.Decoder) {
	counts := map[string]int{}
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		text = unsafe.String(&r.Data[0], 4) // want `package's variable text`
		s := unsafe.String(unsafe.SliceData(r.Data), len(r.Data))
		counts[s[2:]]++ // want `variable counts outside`
		return nil
	}
}

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func unsafeHelper(d *decoders.Decoder) {
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		text = view(r.Data) // want `package's variable text`
		b := r.Data
		text = *(*string)(unsafe.Pointer(&b)) // want `package's variable text`
		return nil
	}
}

func later(d *decoders.Decoder, ctx context.Context) {
	var wg sync.WaitGroup
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		wg.Go(func() { println(e.PrevPID) })                       // want `by a function that runs later`
		time.AfterFunc(time.Second, func() { println(e.PrevPID) }) // want `by a function that runs later`
		context.AfterFunc(ctx, func() { println(e.PrevPID) })      // want `by a function that runs later`
		return nil
	}
}

func atomics(d *decoders.Decoder) {
	rg := ring.New(8)
	var v atomic.Value
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		atomic.StorePointer(&raw, unsafe.Pointer(e)) // want `package's variable raw`
		rg.Value = e                                 // want `variable rg outside`
		v.CompareAndSwap(nil, e)                     // want `variable v outside`
		return nil
	}
}

func collected(r *dynamic.Reader, rec *ftrace.Recording) {
	list := slices.Collect(r.All()) // want `memory of each event, .* by slices.Collect`
	var w decoders.Walk
	byRecord := maps.Collect(decoders.SchedSwitchEvents(rec, &w)) // want `memory of each record, .* by maps.Collect`
	_, _ = list, byRecord
}

func pulled(r *dynamic.Reader) []*dynamic.Event {
	next, stop := iter.Pull(r.All())
	defer stop()
	var list []*dynamic.Event
	for {
		ev, ok := next()
		if !ok {
			return list
		}
		list = append(list, ev) // want `event, which is valid until the next call, is kept in variable list`
	}
}

type keeper struct{ e *decoders.SchedSwitch }

func (k *keeper) keep(e *decoders.SchedSwitch) { k.e = e }

func bound(d *decoders.Decoder) {
	k := &keeper{}
	save := k.keep
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		save(e) // want `by keep`
		return nil
	}
}

func deferred(d *decoders.Decoder, out chan any) {
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		defer func() { last = e }() // want `package's variable last`
		out <- struct {             // want `in a channel`
			n int
			e *decoders.SchedSwitch
		}{1, e}
		x := [2]*decoders.SchedSwitch{e}
		out <- x    // want `in a channel`
		out <- x[:] // want `in a channel`
		m := map[int]*decoders.SchedSwitch{1: e}
		out <- m // want `in a channel`
		p := &x
		out <- p[0] // want `in a channel`
		return nil
	}
}

func nested(d *decoders.Decoder) {
	m := map[string][]*record.Record{}
	mm := map[string]map[int][]byte{"x": {}}
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		m["x"] = append(m["x"], r) // want `outside of the callback`
		mm["x"][1] = r.Data        // want `outside of the callback`
		for _, s := range [][]byte{r.Data} {
			mm["x"][2] = s // want `outside of the callback`
		}
		func() { last = e }() // want `package's variable last`
		return nil
	}
}

type sink interface{ put(e *decoders.SchedSwitch) }

func (k *keeper) put(e *decoders.SchedSwitch) { k.e = e }

func interfaces(d *decoders.Decoder) {
	var s sink = &keeper{}
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		s.put(e) // want `by put`
		return nil
	}
}

func loopVariables(rec *ftrace.Recording) (first *record.Record) {
	var w decoders.Walk
	for r := range decoders.SchedSwitchEvents(rec, &w) {
		defer println(r) // want `by a deferred call`
		if first == nil {
			first = r // want `variable first`
		}
	}
	return first
}

func mapped(r *dynamic.Reader) map[uint64]*dynamic.Event {
	next, stop := iter.Pull(r.All())
	defer stop()
	byTime := map[uint64]*dynamic.Event{}
	for {
		ev, ok := next()
		if !ok {
			return byTime
		}
		byTime[ev.Time] = ev // want `event, which is valid until the next call, is kept in a map`
	}
}

func batches(s record.Stream[record.None]) (all [][]record.Record) {
	for {
		batch, err := s.Next()
		if err != nil {
			return all
		}
		if len(batch.Records) > 2 {
			all = append(all, batch.Records) // want `record, which is valid until the next call, is kept in variable all`
		}
	}
}
