package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/record"
)

// TimeForm is how the reports of a recording print times.
type TimeForm uint8

// The forms.
const (
	Nanoseconds  TimeForm = iota // seconds with nine digits after the point
	Microseconds                 // seconds with six, rounded
	Ticks                        // whole numbers of a clock that does not count time
)

// NoEnd is the end of a window without --until.
const NoEnd = math.MaxUint64

// Window returns the bounds of the time in nanoseconds or ticks: what happened at since and later, and before until, is
// chosen. Without --until, until is NoEnd. A window that is empty by what is written is an error.
func (o *Options) Window(form TimeForm) (since, until uint64, err error) {
	until = NoEnd
	for _, b := range []struct {
		option, text string
		to           *uint64
	}{{"--since", o.Since, &since}, {"--until", o.Until, &until}} {
		if b.text == "" {
			continue
		}
		if *b.to, err = ParseTime(b.text, form); err != nil {
			return 0, 0, Usagef("%s: %w", b.option, err)
		}
	}
	if o.Since != "" && o.Until != "" && until <= since {
		return 0, 0, Usagef("--since %s --until %s: the time ends before it begins", o.Since, o.Until)
	}
	return since, until, nil
}

// Records returns the window as containers have it: they leave out what is outside themselves.
func (o *Options) Records(form TimeForm) (r record.Options, err error) {
	if r.Since, r.Until, err = o.Window(form); err != nil {
		return r, err
	}
	switch r.Until {
	case NoEnd:
		r.Until = 0
	case 0: // that would mean no end; nothing is before it
		r.Since, r.Until = NoEnd, 1
	}
	return r, nil
}

// Of returns those of a list that are in the set, as containers have them; nil for the set of all.
func (s CPUSet) Of(cpus []int) (list []int32) {
	if s == nil {
		return nil
	}
	list = []int32{}
	for _, cpu := range cpus {
		if s.Has(cpu) && cpu <= math.MaxInt32 {
			list = append(list, int32(cpu))
		}
	}
	return list
}

// mostCPUs is more than any number of a processor that containers believe.
const mostCPUs = 1 << 16

// believed is Of for recordings that only say with their events which processors they have.
func (s CPUSet) believed() (list []int32) {
	if s == nil {
		return nil
	}
	list = []int32{}
	for cpu := range mostCPUs {
		if s.Has(cpu) {
			list = append(list, int32(cpu))
		}
	}
	return list
}

// ParseTime reads a time as reports print it. It returns the first nanosecond, or tick, that is not before it: digits after
// the ninth count, though reports do not print them. Of a form that rounds to microseconds, a time with no more than six
// digits after the point means the first nanosecond that is printed so.
func ParseTime(text string, form TimeForm) (uint64, error) {
	whole, frac, point := strings.Cut(strings.TrimSpace(text), ".")
	v, err := strconv.ParseUint(whole, 10, 64)
	if err != nil || point && frac == "" || strings.Trim(frac, "0123456789") != "" {
		return 0, fmt.Errorf("%q is not a time", text)
	}
	if form == Ticks {
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
	if strings.Trim(frac[digits:], "0") != "" {
		v++
	}
	if form == Microseconds && len(frac) <= 6 && v >= 500 {
		v -= 500
	}
	return v, nil
}
