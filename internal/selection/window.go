package selection

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/record"
)

// TimeForm is the format of times in reports of a recording.
type TimeForm uint8

// The formats.
const (
	Nanoseconds  TimeForm = iota // seconds with nine digits after the point
	Microseconds                 // seconds with six digits, rounded
	Ticks                        // whole numbers of a clock without a unit of time
)

// A Span is the time from the first to the last event of a recording. Times are as in reports,
// before rounding.
type Span struct {
	First, Last uint64
	Empty       bool // no events
	Form        TimeForm
}

// NoEnd is the end of a window without --until.
const NoEnd = math.MaxUint64

// Window returns the bounds of the time in nanoseconds or ticks. since is inclusive, until
// exclusive. Without --until, until is NoEnd. An empty window is an error if the user wrote it.
// Times relative to an end of the recording need [Options.Settle] first.
func (o *Options) Window(form TimeForm) (since, until uint64, err error) {
	until = NoEnd
	for _, b := range o.bounds() {
		m, err := parseMoment(b.option, b.text)
		switch {
		case err != nil:
			return 0, 0, err
		case m.from != recorded:
			return 0, 0, Usagef("%s %s: the recording has no known begin and end", b.option, b.text)
		}
		v, err := ParseTime(b.text, form)
		if err != nil {
			return 0, 0, Usagef("%s %s: %w", b.option, b.text, err)
		}
		if b.option == "--until" {
			until = v
		} else {
			since = v
		}
	}
	if o.Since == "" || o.Until == "" || since < until {
		return since, until, nil
	}
	if o.written != nil { // times relative to different ends of the recording can meet
		return since, since, nil
	}
	return 0, 0, o.backwards()
}

// backwards returns the error for bounds in the wrong order.
func (o *Options) backwards() error {
	var words []string
	for _, b := range o.bounds() {
		words = append(words, b.option+" "+b.text)
	}
	return Usagef("%s: the time ends before it begins", strings.Join(words, " "))
}

// Records returns the window as options of containers, which skip the records outside of it.
func (o *Options) Records(form TimeForm) (r record.Options, err error) {
	if r.Since, r.Until, err = o.Window(form); err != nil {
		return r, err
	}
	switch {
	case r.Until == NoEnd:
		r.Until = 0
	case r.Until <= r.Since: // an empty window; an Until of 0 would mean no end
		r.Since, r.Until = NoEnd, 1
	}
	return r, nil
}

// Of returns the elements of a list that are in the set, as options of containers. It returns nil
// for the set of all CPUs.
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

// mostCPUs is larger than any number of a processor that containers accept.
const mostCPUs = 1 << 16

// Believed is Of for recordings that do not list their processors. Only their events name them.
func (s CPUSet) Believed() (list []int32) {
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

// errNoTime is the error for text that is not a time.
var errNoTime = errors.New("want a time such as 12.5, +0.5s or -1s")

// ParseTime parses a time in the format of reports. It returns the first nanosecond, or tick, that
// is not before it: digits after the ninth count, though reports do not print them. In a format
// that rounds to microseconds, a time with up to six decimals means the first nanosecond that is
// printed as that time.
func ParseTime(text string, form TimeForm) (uint64, error) {
	whole, frac, point := strings.Cut(strings.TrimSpace(text), ".")
	v, err := strconv.ParseUint(whole, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, errors.New("too large for a time")
	}
	if err != nil || point && frac == "" || strings.Trim(frac, "0123456789") != "" {
		return 0, errNoTime
	}
	if form == Ticks {
		if point {
			return 0, errors.New("the clock of this recording counts in whole units, not seconds")
		}
		return v, nil
	}
	if v >= math.MaxUint64/1_000_000_000 {
		return 0, errors.New("too large for a time")
	}
	digits := min(len(frac), 9)
	ns, err := strconv.ParseUint("0"+frac[:digits]+strings.Repeat("0", 9-digits), 10, 64)
	if err != nil {
		return 0, errNoTime
	}
	v = v*1_000_000_000 + ns
	if strings.Trim(frac[digits:], "0") != "" {
		v++
	}
	if form == Microseconds && len(frac) <= roundedDigits && v >= 500 {
		v -= 500
	}
	return v, nil
}

// roundedDigits is the number of decimals of a format that rounds.
const roundedDigits = 6

// AppendTime appends a time in the format of reports.
func AppendTime(dst []byte, t uint64, form TimeForm) []byte {
	switch form {
	case Ticks:
		return strconv.AppendUint(dst, t, 10)
	case Microseconds:
		t = rounded(t)
		return fmt.Appendf(dst, "%d.%06d", t/1_000_000_000, t%1_000_000_000/1000)
	}
	return fmt.Appendf(dst, "%d.%09d", t/1_000_000_000, t%1_000_000_000)
}

// rounded returns a time, rounded to microseconds.
func rounded(t uint64) uint64 { return t/1000*1000 + (t%1000+500)/1000*1000 }
