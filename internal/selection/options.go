// Package selection selects events of recordings of any system, by names, processors, threads,
// filters and a window of time. It checks them against the catalog of the recording.
package selection

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/filter"
)

// Options select events. The zero value selects all of them.
type Options struct {
	CPUs   CPUSet
	Events []string // globs: "sched:*", "sched_switch", "*:irq_*"; if empty, all
	Tasks  []string // threads by id or name; if empty, all
	// Filters select by the values of fields, in the language of package grammar/filter. An event
	// must pass one of the filters that name its type. If empty, all events pass.
	Filters []string
	// Since and Until bound the time: as reports print it (12.5), after the first event of the
	// recording (+0.5s) or before its last one (-1s). Since is inclusive, Until exclusive, and an
	// empty string is unbounded. Last is a duration. It is equivalent to Since with a minus before
	// it. See [Options.Settle].
	Since, Until, Last string
	// Limit ends the reading after that many selected events. 0 means unlimited.
	Limit int64

	written *Options // the original options, if Settle has changed them; otherwise nil
}

// CPUSet is a set of CPUs. Nil is the set of all CPUs.
type CPUSet []CPURange

// CPURange is the range of the CPUs First to Last, both included.
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

// ParseCPUs parses "0,3-5" or, as in trace-cmd, "0:3-5". The set for "all" is nil. The error
// explains the syntax.
func ParseCPUs(text string) (CPUSet, error) {
	if text == "all" {
		return nil, nil
	}
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
			return nil, errors.New("want CPUs such as 0,2-3")
		case b < a:
			return nil, fmt.Errorf("want %d-%d", b, a)
		}
		set = append(set, CPURange{int(a), int(b)})
	}
	if len(set) == 0 {
		return nil, errors.New("want CPUs such as 0,2-3")
	}
	return set, nil
}

// Check rejects options that are invalid for all recordings.
func (o *Options) Check() error {
	if _, err := EventMatcher(o.Events); err != nil {
		return err
	}
	if _, err := filter.Parse(o.Filters); err != nil {
		return &UsageError{err}
	}
	return o.checkTimes()
}

// UsageError is an invalid option, for this kind of recording or for all.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

func (e *UsageError) Unwrap() error { return e.Err }

// Usagef returns a UsageError with a formatted message.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }
