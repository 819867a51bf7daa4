package sql

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/tracec/tracec/runtime/record"
)

// bounds are the conditions of a query that select rows before they are made. Rows that pass may
// still fail other conditions.
type bounds struct {
	none           bool // no row passes
	time, cpu, tid span
	name           [][]string // the name must equal one of each list; see same
	recording      [][]string
}

// span is a range of integers, both ends included, or the integers of a list in that range.
type span struct {
	low, high int64
	list      []int64 // nil for all of the range
}

// newBounds returns bounds that all rows pass.
func newBounds() bounds {
	all := span{low: math.MinInt64, high: math.MaxInt64}
	return bounds{time: all, cpu: all, tid: all}
}

// limited reports whether the column has a condition.
func (s *span) limited() bool { return s.low != math.MinInt64 || s.high != math.MaxInt64 }

// comparison is an operator of a condition.
type comparison byte

const (
	equal          comparison = '='
	less           comparison = '<'
	lessOrEqual    comparison = '('
	greater        comparison = '>'
	greaterOrEqual comparison = ')'
)

// add adds a condition on a column with a rule. It ignores a value whose type differs from the
// column's. SQLite then checks the condition.
func (b *bounds) add(on rule, op comparison, value any) {
	if value == nil {
		b.none = true // a comparison with NULL is never true
		return
	}
	switch on {
	case byTime:
		b.time.add(op, value)
	case byCPU:
		b.cpu.add(op, value)
	case byTask:
		b.tid.add(op, value)
	case byName, byRecording:
		if s, ok := value.(string); ok && op == equal && on == byName {
			b.name = append(b.name, []string{s})
		} else if ok && op == equal {
			b.recording = append(b.recording, []string{s})
		}
	}
	b.check()
}

// among adds the condition that a column equals one of several values of its type.
func (b *bounds) among(on rule, ints []int64, texts []string) {
	switch on {
	case byTime:
		b.time.among(ints)
	case byCPU:
		b.cpu.among(ints)
	case byTask:
		b.tid.among(ints)
	case byName:
		b.name = append(b.name, texts)
	case byRecording:
		b.recording = append(b.recording, texts)
	}
	b.check()
}

// check sets none if a range is empty.
func (b *bounds) check() {
	if b.time.low > b.time.high || b.cpu.low > b.cpu.high || b.tid.low > b.tid.high {
		b.none = true
	}
}

func (s *span) add(op comparison, value any) {
	v, ok := value.(int64)
	if !ok {
		return
	}
	switch op {
	case equal:
		s.low, s.high = max(s.low, v), min(s.high, v)
	case less:
		if v == math.MinInt64 {
			s.low, s.high = 0, -1
			return
		}
		s.high = min(s.high, v-1)
	case lessOrEqual:
		s.high = min(s.high, v)
	case greater:
		if v == math.MaxInt64 {
			s.low, s.high = 0, -1
			return
		}
		s.low = max(s.low, v+1)
	case greaterOrEqual:
		s.low = max(s.low, v)
	}
}

// among limits the range to values. If there already is a list, only the ends of the second list
// are used.
func (s *span) among(values []int64) {
	s.low, s.high = max(s.low, slices.Min(values)), min(s.high, slices.Max(values))
	if s.list == nil {
		s.list = slices.Sorted(slices.Values(values))
	}
}

// same reports whether a text may equal the text of a condition. Its collation is unknown and may
// be NOCASE or RTRIM.
func same(a, b string) bool { return loose(a) == loose(b) }

// loose returns the same form for all texts that are equal in some collation of SQLite.
func loose(s string) string { return fold(strings.TrimRight(s, " ")) }

// listed is the maximum number of ids that a reader looks up. It compares more ids by their range.
const listed = 64

// records returns the selection for a reader.
func (b *bounds) records(ctx context.Context) record.Options {
	o := record.Options{Context: ctx, CPUs: b.cpu.ids(), Tasks: b.tid.ids()}
	if b.time.limited() {
		o.Since = uint64(max(b.time.low, 0))
		o.Until = uint64(max(b.time.high, 0)) + 1
	}
	return o
}

// ids lists the ids of a range, or returns nil if there are many.
func (s *span) ids() (list []int32) {
	low, high := max(s.low, 0), min(s.high, math.MaxInt32)
	if len(s.list) > 0 && len(s.list) < listed {
		list = []int32{}
		for _, id := range slices.Compact(slices.Clone(s.list)) {
			if low <= id && id <= high {
				list = append(list, int32(id))
			}
		}
		return list
	}
	if !s.limited() || high-low >= listed {
		return nil
	}
	list = []int32{}
	for id := low; id <= high; id++ {
		list = append(list, int32(id))
	}
	return list
}

// empty reports whether a range contains no id and no time, which are not negative.
func (s *span) empty() bool { return s.high < 0 }

// nothing reports whether no event can pass.
func (b *bounds) nothing() bool { return b.none || b.time.empty() || b.cpu.empty() || b.tid.empty() }

// has reports whether a value is in the range. A negative value is NULL, which is not in it.
func (s *span) has(v int64) bool { return !s.limited() || v >= 0 && s.low <= v && v <= s.high }

// passes reports whether an event passes the conditions that a reader may not apply.
func (b *bounds) passes(r *record.Record) bool {
	return b.cpu.has(int64(r.CPU)) && b.tid.has(int64(r.Task))
}

// allows reports whether a name passes the conditions on it.
func allows(conditions [][]string, name string) bool {
	for _, list := range conditions {
		if !slices.ContainsFunc(list, func(c string) bool { return same(c, name) }) {
			return false
		}
	}
	return true
}
