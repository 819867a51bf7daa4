// Package handed has mistakes that involve function literals, methods, generic functions, Go's
// library and iterators, one in each line with a want.
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

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/gen/lifetime/testdata/decoders"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

var (
	last *decoders.SchedSwitch
	text string
	raw  unsafe.Pointer
)

func literal(ctx context.Context, d *decoders.Decoder) {
	var all []*decoders.SchedSwitch
	add := func(e *decoders.SchedSwitch) { all = append(all, e) }
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			add(e) // want `by a function literal, in variable all`
		}
	}
}

func push[T any](to *[]T, v T) { *to = append(*to, v) }

func generic(ctx context.Context, d *decoders.Decoder) {
	var all []*decoders.SchedSwitch
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			push(&all, e) // want `variable all`
		}
	}
}

type store[T any] struct{ list []T }

func (s *store[T]) add(v T) { s.list = append(s.list, v) }

func genericMethod(ctx context.Context, d *decoders.Decoder) {
	var all store[*decoders.SchedSwitch]
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			all.add(e) // want `variable all`
		}
	}
}

func unsafeStrings(ctx context.Context, d *decoders.Decoder) {
	counts := map[string]int{}
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e.(type) {
		case *decoders.SchedSwitch:
			text = unsafe.String(&r.Data[0], 4) // want `package's variable text`
			s := unsafe.String(unsafe.SliceData(r.Data), len(r.Data))
			counts[s[2:]]++ // want `variable counts`
		}
	}
}

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func unsafeHelper(ctx context.Context, d *decoders.Decoder) {
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e.(type) {
		case *decoders.SchedSwitch:
			text = view(r.Data) // want `package's variable text`
			b := r.Data
			text = *(*string)(unsafe.Pointer(&b)) // want `package's variable text`
		}
	}
}

func later(ctx context.Context, d *decoders.Decoder) {
	var wg sync.WaitGroup
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			wg.Go(func() { println(e.PrevPID) })                       // want `by a function that runs later`
			time.AfterFunc(time.Second, func() { println(e.PrevPID) }) // want `by a function that runs later`
			context.AfterFunc(ctx, func() { println(e.PrevPID) })      // want `by a function that runs later`
		}
	}
}

func atomics(ctx context.Context, d *decoders.Decoder) {
	rg := ring.New(8)
	var v atomic.Value
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			atomic.StorePointer(&raw, unsafe.Pointer(e)) // want `package's variable raw`
			rg.Value = e                                 // want `variable rg`
			v.CompareAndSwap(nil, e)                     // want `variable v`
		}
	}
}

func collected(ctx context.Context, r *tracec.Reader, rec *ftrace.Recording) {
	list := slices.Collect(r.All()) // want `memory of each event, .* by slices.Collect`
	d, _ := decoders.Bind(rec)
	byRecord := maps.Collect(d.Events(ctx, record.Options{})) // want `memory of each record, .* by maps.Collect`
	_, _ = list, byRecord
}

func pulled(r *tracec.Reader) []*tracec.Event {
	next, stop := iter.Pull(r.All())
	defer stop()
	var list []*tracec.Event
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

func bound(ctx context.Context, d *decoders.Decoder) {
	k := &keeper{}
	save := k.keep
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			save(e) // want `by keep`
		}
	}
}

func deferred(ctx context.Context, d *decoders.Decoder, out chan any) {
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			defer func() { last = e }() // want `by a deferred call` `package's variable last`
			func() {
				defer func() { last = e }() // want `package's variable last`
			}()
			out <- struct { // want `in a channel`
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
		}
	}
}

func nested(ctx context.Context, d *decoders.Decoder) {
	m := map[string][]*record.Record{}
	mm := map[string]map[int][]byte{"x": {}}
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			m["x"] = append(m["x"], r) // want `in variable m`
			mm["x"][1] = r.Data        // want `in variable mm`
			for _, s := range [][]byte{r.Data} {
				mm["x"][2] = s // want `in variable mm`
			}
			func() { last = e }() // want `package's variable last`
		}
	}
}

type sink interface{ put(e *decoders.SchedSwitch) }

func (k *keeper) put(e *decoders.SchedSwitch) { k.e = e }

func interfaces(ctx context.Context, d *decoders.Decoder) {
	var s sink = &keeper{}
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			s.put(e) // want `by put`
		}
	}
}

func loopVariables(ctx context.Context, rec *ftrace.Recording) (first *record.Record) {
	d, _ := decoders.Bind(rec)
	for r := range d.Events(ctx, record.Options{}) {
		defer println(r) // want `by a deferred call`
		if first == nil {
			first = r // want `variable first`
		}
	}
	return first
}

func mapped(r *tracec.Reader) map[uint64]*tracec.Event {
	next, stop := iter.Pull(r.All())
	defer stop()
	byTime := map[uint64]*tracec.Event{}
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

// each is a function of the program that calls another one for each event.
func each(ctx context.Context, d *decoders.Decoder, fn func(*record.Record, any) error) {
	for r, e := range d.Events(ctx, record.Options{}) {
		if fn(r, e) != nil {
			return
		}
	}
}

func callbacks(ctx context.Context, d *decoders.Decoder) (all []*record.Record) {
	each(ctx, d, func(r *record.Record, e any) error {
		last, _ = e.(*decoders.SchedSwitch) // want `event e, .* package's variable last`
		all = append(all, r)                // want `record r, .* variable all`
		return nil
	})
	return all
}

func pulledEvents(ctx context.Context, d *decoders.Decoder) (list []any) {
	next, stop := iter.Pull2(d.Events(ctx, record.Options{}))
	defer stop()
	for {
		_, e, ok := next()
		if !ok {
			return list
		}
		list = append(list, e) // want `event, which is valid until the next call, is kept in variable list`
	}
}

// decode returns the result of Decode.
func decode(d *decoders.Decoder, r *record.Record) *decoders.SchedSwitch {
	e, _ := d.Decode(r, nil).(*decoders.SchedSwitch)
	return e
}

func decodeAgain(d *decoders.Decoder, r *record.Record) (*decoders.SchedSwitch, error) {
	return decode(d, r), nil
}

func helped(d *decoders.Decoder, records []record.Record) (all []*decoders.SchedSwitch) {
	for i := range records {
		all = append(all, decode(d, &records[i])) // want `event, which is valid until the next call, is kept in variable all`
		e, err := decodeAgain(d, &records[i])
		if err != nil {
			return nil
		}
		last = e // want `event, which is valid until the next call, is kept in the package's variable last`
	}
	return all
}

func twoAtOnce(d *decoders.Decoder, a, b *record.Record) int32 {
	x, ok := d.Decode(a, nil).(*decoders.SchedSwitch)
	y, too := d.Decode(b, nil).(*decoders.SchedSwitch)
	if !ok || !too {
		return 0
	}
	return y.PrevPID - x.NextPID // want `event, which is valid until the next call, is used after it`
}

func twoHelped(d *decoders.Decoder, a, b *record.Record) {
	x := decode(d, a)
	y := decode(d, b)
	println(y.PrevPID, x.NextPID) // want `event, .* is used after it`
}

func twoPulled(r *tracec.Reader) {
	next, stop := iter.Pull(r.All())
	defer stop()
	a, _ := next()
	b, _ := next()
	println(b.Time - a.Time) // want `event, .* is used after it`
}
