package babeltrace

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tracec/tracec/report"
)

// A Moment is a bound of babeltrace2's --begin or --end: a time since the Unix epoch, or a time of
// the day of the first event.
type Moment struct {
	ns  int64
	day bool // ns is since midnight
}

// The forms of a moment.
var (
	secondsForm = form(`^(-?)([0-9]{1,11})(?:\.([0-9]{1,9}))?$`)
	clockForm   = form(`^(?:([0-9]{4}-[0-9]{2}-[0-9]{2}) )?([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?$`)
)

// form returns a function that compiles an expression on first use. Few runs of the command need
// it.
func form(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// ParseMoment parses `[YYYY-MM-DD ]hh:mm[:ss[.n]]` or `s[.n]`.
func ParseMoment(text string, zone *time.Location) (Moment, error) {
	if m := secondsForm().FindStringSubmatch(text); m != nil {
		s, _ := strconv.ParseInt(m[2], 10, 64)
		if s > 1<<33 {
			return Moment{}, report.Usagef("%s: too many seconds", text)
		}
		ns := s*second + fraction(m[3])
		if m[1] != "" {
			ns = -ns
		}
		return Moment{ns: ns}, nil
	}
	m := clockForm().FindStringSubmatch(text)
	if m == nil {
		return Moment{}, report.Usagef("invalid time %q: want [YYYY-MM-DD ]hh:mm[:ss[.n]] or s[.n]", text)
	}
	if m[4] == "" {
		m[4] = "00"
	}
	of, err := time.Parse("15:04:05", m[2]+":"+m[3]+":"+m[4])
	if err != nil {
		return Moment{}, report.Usagef("invalid time of day %q", text)
	}
	if m[1] == "" {
		midnight := of.Truncate(24 * time.Hour)
		return Moment{ns: int64(of.Sub(midnight)) + fraction(m[5]), day: true}, nil
	}
	date, err := time.ParseInLocation("2006-01-02 15:04:05", m[1]+" "+of.Format("15:04:05"), zone)
	if err != nil || date.Year() > 2200 {
		return Moment{}, report.Usagef("invalid date %q", text)
	}
	return Moment{ns: date.UnixNano() + fraction(m[5])}, nil
}

// fraction returns the nanoseconds of digits after the point.
func fraction(digits string) int64 {
	n, _ := strconv.ParseInt((digits + "000000000")[:9], 10, 64)
	return n
}

// SplitRange splits a value of --timerange: BEGIN,END or [BEGIN,END].
func SplitRange(text string) (begin, end string, err error) {
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
		text = strings.TrimSuffix(inner, "]")
	}
	begin, end, ok := strings.Cut(text, ",")
	if !ok || strings.Contains(end, ",") {
		return "", "", report.Usagef("--timerange: want BEGIN,END or [BEGIN,END]")
	}
	return begin, end, nil
}

// at returns the moment in nanoseconds since the epoch, for a recording that begins at first.
func (m Moment) at(first int64, zone *time.Location) int64 {
	if !m.day {
		return m.ns
	}
	t := time.Unix(0, first).In(zone)
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone).UnixNano() + m.ns
}

// A Window is the time from Begin to End, both included. A nil bound means no limit.
type Window struct {
	Begin, End *Moment
	// Overlap limits each trace to the time in which all its streams are active.
	Overlap bool
}

// windowOptions are the options that set a Window.
const windowOptions = "--begin, --end, --timerange or --stream-intersection"

// limited reports whether the window has limits.
func (w *Window) limited() bool { return w.Begin != nil || w.End != nil || w.Overlap }

// bounds are the times of a window, both included, in nanoseconds from the origin of the clock.
type bounds struct{ from, to int64 }

var unbounded = bounds{math.MinInt64, math.MaxInt64}

// within returns the intersection of two bounds.
func (b bounds) within(c bounds) bounds { return bounds{max(b.from, c.from), min(b.to, c.to)} }

func (b bounds) has(ns int64) bool { return b.from <= ns && ns <= b.to }

// bounds returns the times of Begin and End.
func (w *Window) bounds(ctx context.Context, job *report.Job, t *Times) (bounds, error) {
	b, first, zone := unbounded, int64(0), t.Zone
	if zone == nil {
		zone = time.Local
	}
	if w.Begin != nil && w.Begin.day || w.End != nil && w.End.day {
		span, err := job.Span(ctx)
		if err != nil {
			return b, err
		}
		first = int64(span.First) + t.Offset
	}
	if w.Begin != nil {
		b.from = w.Begin.at(first, zone) - t.Offset
	}
	if w.End != nil {
		b.to = w.End.at(first, zone) - t.Offset
	}
	if b.from > b.to {
		return b, report.Usagef("the time range ends before it begins")
	}
	return b, nil
}

// selected returns the options that select the events of a window.
func (b bounds) selected() *report.Options {
	o := &report.Options{}
	if b.from != unbounded.from {
		o.Since = bound(b.from)
	}
	if b.to != unbounded.to {
		o.Until = bound(b.to + 1)
	}
	return o
}

// bound returns a time in the form of --since.
func bound(ns int64) string {
	ns = max(ns, 0)
	return fmt.Sprintf("%d.%09d", ns/second, ns%second)
}
