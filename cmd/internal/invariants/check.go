package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// finding is a violated invariant.
type finding struct {
	rule  string
	count int
	first string // the first violation
}

func (f *finding) String() string {
	return fmt.Sprintf("%s: %d times, first %s", f.rule, f.count, f.first)
}

// findings holds the violated invariants by rule, and the number of checks of each kind.
type findings struct {
	list   map[string]*finding
	looked map[string]int
}

func newFindings() *findings { return &findings{map[string]*finding{}, map[string]int{}} }

// checked counts a check.
func (s *findings) checked(what string) { s.looked[what]++ }

func (s *findings) add(rule, format string, args ...any) {
	f := s.list[rule]
	if f == nil {
		f = &finding{rule: rule, first: fmt.Sprintf(format, args...)}
		s.list[rule] = f
	}
	f.count++
}

// sorted returns the violated invariants.
func (s *findings) sorted() []*finding {
	return slices.SortedFunc(maps.Values(s.list), func(a, b *finding) int { return strings.Compare(a.rule, b.rule) })
}

// system checks the events of one kind of recording.
type system interface {
	// event receives all events in time order.
	event(ev *tracec.Event)
	// finish is called after the last event.
	finish()
}

// check reads a recording in all ways and notes violations. The error is from streams that failed.
func check(rec record.Recording, found *findings) error {
	if w, ok := rec.(interface{ Unwrap() record.Recording }); ok { // a recording of tracec.Open
		rec = w.Unwrap()
	}
	var sys system
	streams := 0
	switch rec := rec.(type) {
	case *ftrace.Recording:
		sys, streams = &ftraceSystem{found: found, graphs: map[graphKey][]uint64{}},
			countAll(rec.Streams(ftrace.StreamOptions{}))
	case *uftrace.Recording:
		sys = newUftrace(rec, found)
		streams = countAll(rec.Streams(record.Options{})) + countAll(rec.KernelStreams()) + countAll(rec.PerfStreams())
		for _, x := range rec.Merge(uftrace.MergeOptions{}).All() {
			if x.Source == uftrace.Extern { // these events have no stream
				streams++
			}
		}
	case *lttng.Recording:
		sys, streams = &lttngSystem{found: found, offsets: map[int32]int64{}}, countAll(rec.Streams(record.Options{}))
	case *aix.Recording:
		sys, streams = &aixSystem{found: found, offsets: map[int32]int64{}, off: map[int32]bool{}},
			countAll(rec.Streams(record.Options{}))
	default:
		return fmt.Errorf("%T is of no known kind", rec)
	}
	n, err := walk(rec, sys, found)
	if err != nil {
		return err
	}
	sys.finish()
	if streams != n.events {
		found.add("count of streams", "%d events one stream after the other, %d merged", streams, n.events)
	}
	return checkChoices(rec, n, found)
}

// count is the result of a walk over all events.
type count struct {
	events int
	byCPU  map[int32]int
	times  []uint64 // times of some of them, in order
}

// walk reads all events in time order.
func walk(rec record.Recording, sys system, found *findings) (count, error) {
	n := count{byCPU: map[int32]int{}}
	r, err := tracec.NewReader(rec)
	if err != nil {
		return n, err
	}
	var last uint64
	back := map[int32]uint64{} // by stream: its last time
	for ev := range r.All() {
		if n.events++; n.events%1000 == 1 && ev.Time >= last {
			n.times = append(n.times, ev.Time)
		}
		n.byCPU[ev.CPU]++
		if ev.Time < last && ev.Time >= back[ev.Stream] { // otherwise the times of the stream itself step back
			found.add("order of the merge", "%d after %d", ev.Time, last)
		}
		last, back[ev.Stream] = ev.Time, ev.Time
		sys.event(ev)
	}
	return n, r.Err()
}

// checkChoices counts the events again by processor and by windows of time. These walks skip all
// other events.
func checkChoices(rec record.Recording, n count, found *findings) error {
	for cpu, want := range n.byCPU {
		if cpu < 0 { // events without a processor cannot be selected
			continue
		}
		got, err := countOf(rec, record.Options{CPUs: []int32{cpu}})
		if err != nil {
			return err
		}
		if got != want {
			found.add("count by processor", "%d events of processor %d, %d of them when it is chosen", want, cpu, got)
		}
	}
	sum := 0
	var since uint64
	steps := max(len(n.times)/5, 1)
	for i := steps; since != 0 || i == steps; i += steps {
		o := record.Options{Since: since}
		if i < len(n.times) {
			o.Until = n.times[i]
		}
		got, err := countOf(rec, o)
		if err != nil {
			return err
		}
		sum, since = sum+got, o.Until
	}
	if sum != n.events {
		found.add("count by windows", "%d events, %d of them in windows of time", n.events, sum)
	}
	return nil
}

func countOf(rec record.Recording, o record.Options) (n int, err error) {
	r, err := tracec.NewReader(rec, tracec.WithRecords(o))
	if err != nil {
		return 0, err
	}
	for range r.All() {
		n++
	}
	return n, r.Err()
}

// countAll counts the events of streams, one after the other.
func countAll[E any, S record.Stream[E]](streams []S) (n int) {
	for _, s := range streams {
		for {
			batch, err := s.Next()
			n += len(batch.Records)
			if err != nil {
				break
			}
		}
	}
	return n
}
