package dump

import (
	"math"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// span selects the records within -r. Elapsed times count from the first record, with files in
// their order. They restart at each record with an earlier time. Lost records have no time, so
// elapsed times restart at the record after them.
type span struct {
	opts     callstack.Range
	all      bool
	zero     uint64
	from, to uint64
}

func newSpan(r callstack.Range) span {
	return span{opts: r, all: r == callstack.Range{}, zero: math.MaxUint64}
}

// window returns options for the records within the range, if the bounds are absolute times. Losses
// have no time and are not in the range. With filters all records are read, since filters may need
// earlier records.
func (d *dumper) window() (o record.Options) {
	if r := d.span.opts; r.From > 0 && !r.FromElapsed && !r.ToElapsed && !d.filtered() {
		o.Since, o.Until = r.Window()
	}
	return o
}

// takes reports whether a record of a thread is within the range. It updates the zero point.
func (s *span) takes(t uint64) bool {
	if !s.all && (t < s.zero || s.zero == 0) {
		s.count(t)
	}
	return s.holds(t)
}

// holds reports whether a time is within the range.
func (s *span) holds(t uint64) bool { return s.all || t >= s.from && t <= s.to }

// count sets the zero point of elapsed times.
func (s *span) count(zero uint64) {
	s.zero, s.from, s.to = zero, s.opts.From, s.opts.To
	if s.opts.FromElapsed {
		s.from += zero
	}
	if s.opts.ToElapsed {
		s.to += zero
	}
	if s.opts.To == 0 {
		s.to = math.MaxUint64
	}
}
