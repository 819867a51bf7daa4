package ctf

import (
	"fmt"
	"math"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

const second = 1_000_000_000

// clock converts cycles of a clock to nanoseconds.
type clock struct {
	hz     uint64
	offset int64 // time of cycle 0 relative to base, in nanoseconds
	base   int64 // time of Record.Time 0, in nanoseconds from the clock's origin
}

// clockOf returns the conversion of a clock. If a clock begins before its origin, its times count
// from its own beginning, since Record.Time is not negative.
func clockOf(c *metadata.Clock) clock {
	if c == nil {
		return clock{hz: second}
	}
	k := clock{hz: c.Frequency}
	if c.Seconds < 0 {
		k.base = max(c.Seconds, math.MinInt64/second) * second
	} else {
		k.offset = min(c.Seconds, math.MaxInt64/second-1) * second
	}
	k.offset += int64(scale(uint64(c.Cycles), k.hz))
	return k
}

// nanoseconds returns the time of a cycle, relative to base.
func (k *clock) nanoseconds(cycles uint64) uint64 { return uint64(k.offset) + scale(cycles, k.hz) }

// scale converts cycles to nanoseconds as babeltrace2 does (docs/spec/ctf.md 5.2).
func scale(cycles, hz uint64) uint64 {
	if hz == second {
		return cycles
	}
	return uint64(second * float64(cycles) / float64(hz))
}

// Incomparable returns an error that names two clocks without a common origin. The order of their
// events is unknown (docs/spec/ctf.md 7.5). If there are no such clocks, it returns nil.
func (r *Recording) Incomparable() error {
	var first *metadata.Clock
	var in *Trace
	for _, t := range r.traces {
		for _, s := range t.streams {
			switch c := s.Clock; {
			case c == nil:
			case first == nil:
				first, in = c, t
			case !first.SameOrigin(c) && (c.ID != first.ID || t.Identity() != in.Identity()): // clocks of two traces
				return fmt.Errorf("the clocks of %s and %s have no common origin: the order of their events is unknown",
					in.Path, t.Path)
			}
		}
	}
	return nil
}
