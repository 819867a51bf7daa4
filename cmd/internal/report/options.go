// Package report holds what the printing of all kinds of recordings has in common: the options that mean
// the same for every kind, and the registry that finds out what a recording is. How a recording of one kind
// is printed is the business of a package of its own, report/tracecmd for ftrace.
package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Options are the options of tracec report. The zero value prints everything.
type Options struct {
	CPUs   CPUSet
	Events []string // globs: "sched:*", "sched_switch", "*:irq_*"; empty is all
	Tasks  []string // threads by id or name; empty is all
	// Since and Until bound the time, as reports print it: see ParseTime. Empty is no bound; what happened
	// at Until itself is left out.
	Since, Until string
	Raw          bool // fields instead of texts
	Plain        bool // the texts of the descriptions, not those of plugins
	Stat         bool // statistics of the buffers instead of events
	// Templates are files that say what the events of a recording mean, for systems whose recordings do not.
	Templates []string
}

// CPUSet is a set of processors; nil holds them all.
type CPUSet []CPURange

// CPURange is the processors First to Last, both included.
type CPURange struct{ First, Last int }

// Has reports whether cpu is in the set.
func (s CPUSet) Has(cpu int) bool {
	for _, r := range s {
		if r.First <= cpu && cpu <= r.Last {
			return true
		}
	}
	return s == nil
}

// ParseCPUs reads "0,3-5" or, as trace-cmd also takes it, "0:3-5".
func ParseCPUs(text string) (CPUSet, error) {
	set := CPUSet{}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ':' }) {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			last = first
		}
		a, errA := strconv.ParseUint(strings.TrimSpace(first), 10, 31)
		b, errB := strconv.ParseUint(strings.TrimSpace(last), 10, 31)
		switch {
		case errA != nil || errB != nil:
			return nil, fmt.Errorf("%q is not a CPU or a range of CPUs", part)
		case b < a:
			return nil, fmt.Errorf("range of CPUs %q must go from lower to greater", part)
		}
		set = append(set, CPURange{int(a), int(b)})
	}
	if len(set) == 0 {
		return nil, fmt.Errorf("%q names no CPU", text)
	}
	return set, nil
}

// ParseTime reads a time as reports print it: seconds, or units of the recording's clock when that does not
// count time; seconds says which. Reports print rounded microseconds: a time with no more than six digits
// after the point means the first nanosecond that is printed so.
func ParseTime(text string, seconds bool) (uint64, error) {
	whole, frac, point := strings.Cut(strings.TrimSpace(text), ".")
	v, err := strconv.ParseUint(whole, 10, 64)
	if err != nil || point && frac == "" {
		return 0, fmt.Errorf("%q is not a time", text)
	}
	if !seconds {
		if point {
			return 0, fmt.Errorf("%q: the clock of this recording counts in whole units, not seconds", text)
		}
		return v, nil
	}
	if v >= math.MaxUint64/1_000_000_000 {
		return 0, fmt.Errorf("%q is too large for a time", text)
	}
	digits := min(len(frac), 9)
	ns, err := strconv.ParseUint("0"+frac[:digits]+strings.Repeat("0", 9-digits), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a time", text)
	}
	v = v*1_000_000_000 + ns
	if len(frac) <= 6 && v >= 500 {
		v -= 500
	}
	return v, nil
}
