// Package copied has programs that pass records to functions and iterators, and keep only copies.
package copied

import (
	"bytes"
	"context"
	"encoding/json"
	"hash/crc32"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/gen/lifetime/testdata/decoders"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// literals that keep in variables of the step.
func literals(ctx context.Context, d *decoders.Decoder) {
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			var all []*decoders.SchedSwitch
			add := func(e *decoders.SchedSwitch) { all = append(all, e) }
			add(e)
			add(e)
			println(len(all))
		}
	}
}

// literals that copy for the function around the loop.
func copied(ctx context.Context, d *decoders.Decoder) []decoders.SchedSwitch {
	var all []decoders.SchedSwitch
	add := func(e *decoders.SchedSwitch) { all = append(all, *e) }
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			add(e)
		}
	}
	return all
}

func push[T any](to *[]T, v T) { *to = append(*to, v) }

func first[T any](list []T) T { return list[0] }

// generic functions that get copies.
func generic(ctx context.Context, d *decoders.Decoder) (pids []int32, all []decoders.SchedSwitch, names []string) {
	var sum byte
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			push(&pids, e.PrevPID)
			push(&all, *e)
			push(&names, string(r.Data))
			sum += first(r.Data)
			var mine []*decoders.SchedSwitch
			push(&mine, e)
		}
	}
	return pids, all, names
}

var seen = map[string]int{}

var name string

// strings that refer to the record and are copied before they are kept.
func views(ctx context.Context, d *decoders.Decoder) {
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			s := unsafe.String(unsafe.SliceData(r.Data), len(r.Data))
			if n, ok := seen[s]; ok {
				println(n)
			}
			name = strings.Clone(s[2:])
			name = "of " + s
			data := []byte(s)
			seen[string(data)]++
			if strings.HasPrefix(s, "x") {
				name = e.PrevComm.String()
			}
		}
	}
}

type tally struct {
	pids map[int32]int
	last decoders.SchedSwitch
	data []byte
	hash uint32
}

func (t *tally) count(e *decoders.SchedSwitch) { t.pids[e.PrevPID]++; t.last = *e }

func (t *tally) sum(data []byte) {
	t.data = append(t.data[:0], data...)
	t.hash = crc32.ChecksumIEEE(data)
}

type sink interface{ count(e *decoders.SchedSwitch) }

// method values and interfaces.
func methods(ctx context.Context, d *decoders.Decoder) {
	t := &tally{}
	count, sum := t.count, t.sum
	var s sink = t
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			count(e)
			sum(r.Data)
			s.count(e)
		}
	}
}

// numbers of iterators are collected.
func collected(r *tracec.Reader, rec *ftrace.Recording) ([]uint64, map[int32]int32) {
	times := func(yield func(uint64) bool) {
		for ev := range r.All() {
			if !yield(ev.Time) {
				return
			}
		}
	}
	d, _ := decoders.Bind(rec, decoders.SchedSwitchEvent)
	pids := func(yield func(int32, int32) bool) {
		for r, e := range d.Events(context.Background(), record.Options{}) {
			if !yield(r.CPU, e.(*decoders.SchedSwitch).NextPID) {
				return
			}
		}
	}
	return slices.Collect(times), maps.Collect(pids)
}

// pulled events are used before the next one.
func pulled(r *tracec.Reader) (n int, texts []string) {
	next, stop := iter.Pull(r.All())
	defer stop()
	for {
		ev, ok := next()
		if !ok {
			return n, texts
		}
		text, _ := ev.AppendText(nil)
		texts = append(texts, string(text))
		n += len(ev.Type.Name)
	}
}

// switches is the program's own iterator over the matching events.
func switches(ctx context.Context, d *decoders.Decoder, pid int32) iter.Seq2[*record.Record, *decoders.SchedSwitch] {
	return func(yield func(*record.Record, *decoders.SchedSwitch) bool) {
		for r, e := range d.Events(context.Background(), record.Options{}) {
			if e, ok := e.(*decoders.SchedSwitch); ok && e.PrevPID == pid && !yield(r, e) {
				return
			}
		}
	}
}

// buffers that copy.
func buffers(ctx context.Context, d *decoders.Decoder) {
	var b bytes.Buffer
	var mu sync.Mutex
	enc := json.NewEncoder(&b)
	var lines []string
	line := func(f string) { lines = append(lines, f) }
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			mu.Lock()
			b.Write(r.Data)
			line(string(r.Data))
			line(e.NextComm.String())
			func() {
				defer func() { println(e.PrevPID) }()
				enc.Encode(e)
			}()
			mu.Unlock()
		}
	}
}

// scratch lists are emptied for each event.
func scratch(r *tracec.Reader) (n int) {
	next, stop := iter.Pull(r.All())
	defer stop()
	var list []*tracec.Event
	for {
		ev, ok := next()
		if !ok {
			return n
		}
		list = append(list[:0], ev, ev)
		mine := map[string]*tracec.Event{}
		mine["x"] = ev
		n += len(list) + len(mine)
	}
}

func decode(d *decoders.Decoder, r *record.Record) *decoders.SchedSwitch {
	e, _ := d.Decode(r, nil).(*decoders.SchedSwitch)
	return e
}

// one event after the other, also through a function.
func oneByOne(d, other *decoders.Decoder, records []record.Record) (pids []int32, wait uint64) {
	var before decoders.SchedSwitch
	for i := range records {
		x := decode(d, &records[i])
		if x == nil {
			continue
		}
		y := decode(other, &records[i])
		pids = append(pids, x.PrevPID, y.NextPID)
		before = *x
		if x = decode(d, &records[i]); x != nil {
			pids = append(pids, before.PrevPID, x.PrevPID)
		}
	}
	return pids, wait
}

// events of a queue that is read again after the last event was used.
func queued(r *tracec.Reader) (sum uint64) {
	next, stop := iter.Pull(r.All())
	defer stop()
	for a, ok := next(); ok; a, ok = next() {
		sum += a.Time
	}
	a, ok := next()
	for ok {
		sum += a.Time
		a, ok = next()
	}
	return sum
}
