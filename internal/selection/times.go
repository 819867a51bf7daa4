package selection

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/record"
)

// Times describes how reports of a recording print the times of its records.
type Times struct {
	Form TimeForm
	// Origin is the time of a record that reports print as 0.
	Origin uint64
}

// Shift converts a window of printed times to a window of times of records.
func (t Times) Shift(r record.Options) record.Options {
	for _, bound := range []*uint64{&r.Since, &r.Until} {
		// Since NoEnd with Until 1 is an empty window. Until 0 is unbounded.
		if *bound > 1 || *bound == 1 && r.Since != NoEnd {
			*bound += min(t.Origin, NoEnd-*bound)
		}
	}
	return r
}

// Bounds returns the options that select the events between two times of records. from is
// inclusive, to is exclusive.
func (t Times) Bounds(from, to uint64) string {
	if to <= t.Origin { // before all events with a time
		return "--until 0"
	}
	return fmt.Sprintf("--since %s --until %s", t.exactly(from-min(from, t.Origin)), t.exactly(to-min(to, t.Origin)))
}

// BoundsSince is Bounds in times relative to first, the time of the recording's first event. If
// that is impossible, it returns Bounds.
func (t Times) BoundsSince(first, from, to uint64) string {
	if t.Form == Ticks || first == 0 {
		return t.Bounds(from, to)
	}
	if to <= first {
		return "--until +0s"
	}
	return fmt.Sprintf("--since +%ss --until +%ss", t.exactly(from-min(from, first)), t.exactly(to-min(to, first)))
}

// exactly formats a time so that no reader treats it as a rounded one.
func (t Times) exactly(time uint64) string {
	if t.Form == Ticks || time == 0 {
		return strconv.FormatUint(time, 10)
	}
	least := 0
	if t.Form == Microseconds {
		least = roundedDigits + 1
	}
	whole, frac := time/1_000_000_000, fmt.Sprintf("%09d", time%1_000_000_000)
	if frac = frac[:max(least, len(strings.TrimRight(frac, "0")))]; frac == "" {
		return strconv.FormatUint(whole, 10)
	}
	return fmt.Sprintf("%d.%s", whole, frac)
}
