package dump

import (
	"math"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// span decides which records are within -r. Elapsed times count from the first record that is read,
// files in their order, and anew from each that is earlier: from lost records, which have no time,
// so that the next record is zero.
type span struct {
	opts     callstack.Range
	all      bool
	zero     uint64
	from, to uint64
}

func newSpan(r callstack.Range) span {
	return span{opts: r, all: r == callstack.Range{}, zero: math.MaxUint64}
}

// window returns options for all records that are within as far as that is known: where bounds are
// times, and gaps, which have no time, are not within. Filters may need the records before.
func (d *dumper) window() (o record.Options) {
	if r := d.span.opts; r.From > 0 && !r.FromElapsed && !r.ToElapsed && !d.filtered() {
		o.Since, o.Until = r.Window()
	}
	return o
}

// takes reports whether a record of a thread is within.
func (s *span) takes(t uint64) bool {
	if !s.all && (t < s.zero || s.zero == 0) {
		s.count(t)
	}
	return s.holds(t)
}

// holds reports whether a time is within.
func (s *span) holds(t uint64) bool { return s.all || t >= s.from && t <= s.to }

// count sets the zero point.
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
