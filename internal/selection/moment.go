package selection

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// An origin is the reference point of a time bound.
type origin uint8

// The origins.
const (
	recorded origin = iota // the clock of the recording, or the zero of reports
	begin                  // the first event of the recording
	end                    // backwards from the last event
)

// moment is a time bound relative to one end of the recording.
type moment struct {
	from  origin
	after time.Duration // before, if the origin is end
	exact bool          // it has more digits than a rounded time
}

// bound is an option with a time.
type bound struct{ option, text string }

// bounds returns the given bounds. The bound of --last is a bound of --since.
func (o *Options) bounds() (list []bound) {
	for _, b := range []bound{{"--since", o.Since}, {"--until", o.Until}} {
		if b.text != "" {
			list = append(list, b)
		}
	}
	if o.Last != "" {
		list = append(list, bound{"--last", o.Last})
	}
	return list
}

// checkTimes checks times as far as that does not depend on the recording.
func (o *Options) checkTimes() error {
	if o.Since != "" && o.Last != "" {
		return Usagef("--since and --last exclude each other")
	}
	var since, until moment
	for _, b := range o.bounds() {
		m, err := parseMoment(b.option, b.text)
		if err != nil {
			return err
		}
		if m.from == recorded && !allDigits(b.text) { // whole numbers may be larger in clocks without a unit of time
			if _, err := ParseTime(b.text, Nanoseconds); err != nil {
				return Usagef("%s %s: %w", b.option, b.text, err)
			}
		}
		if b.option == "--until" {
			until = m
		} else {
			since = m
		}
	}
	if since.from == until.from && since.from != recorded && since.compare(until) >= 0 {
		return o.backwards()
	}
	return nil
}

// counted reports whether a bound is relative to an end of the recording.
func (o *Options) counted() bool {
	for _, b := range o.bounds() {
		if m, err := parseMoment(b.option, b.text); err == nil && m.from != recorded {
			return true
		}
	}
	return false
}

// parseMoment parses a time relative to an end of the recording. Other times have the origin
// recorded.
func parseMoment(option, text string) (m moment, err error) {
	text = strings.TrimSpace(text)
	if option == "--last" {
		d, ok := parseDuration(text)
		if !ok {
			return m, Usagef("--last %s: want a duration such as 1s or 100ms", text)
		}
		return moment{from: end, after: d, exact: manyDigits(text)}, nil
	}
	switch {
	case strings.HasPrefix(text, "+"):
		m.from = begin
	case strings.HasPrefix(text, "-"):
		m.from = end
	default:
		d, ok := parseDuration(text)
		if !ok {
			return m, nil
		}
		return m, Usagef("%s %s: write +%s from the beginning, -%s from the end, or %s as printed", option, text, text,
			text, seconds(d))
	}
	sign, rest := text[:1], text[1:]
	d, ok := parseDuration(rest)
	switch {
	case ok:
		m.after, m.exact = d, manyDigits(rest)
		return m, nil
	case allDigits(strings.Replace(rest, ".", "", 1)):
		return m, Usagef("%s %s: a duration needs a unit: %s%ss or %s%sms", option, text, sign, rest, sign, rest)
	}
	return m, Usagef("%s %s: %w", option, text, errNoTime)
}

// parseDuration reads a duration with a unit and without a sign.
func parseDuration(text string) (time.Duration, bool) {
	if text == "" || !unicode.IsDigit(rune(text[0])) && text[0] != '.' || allDigits(text) {
		return 0, false
	}
	d, err := time.ParseDuration(text)
	return d, err == nil
}

// allDigits reports whether a text is a whole number.
func allDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// manyDigits reports whether a duration is written with more digits than rounded times have.
func manyDigits(text string) bool {
	_, frac, _ := strings.Cut(text, ".")
	return strings.HasSuffix(text, "ns") || len(frac)-len(strings.TrimLeft(frac, "0123456789")) > roundedDigits
}

// seconds formats a duration as a time.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// at returns the time of a moment in the format of a recording's reports.
func (m moment) at(s *Span) string {
	t := s.First
	if m.from == end {
		t = s.Last
	}
	short := s.Form == Microseconds && !m.exact // relative to the printed time
	if short {
		t = rounded(t)
	}
	after := uint64(m.after)
	switch {
	case m.from == end:
		t -= min(t, after)
	default:
		t += min(after, math.MaxUint64-t)
	}
	t = min(t, latest)
	if short && t%1000 == 0 {
		return fmt.Sprintf("%d.%06d", t/1_000_000_000, t%1_000_000_000/1000)
	}
	return fmt.Sprintf("%d.%09d", t/1_000_000_000, t%1_000_000_000)
}

// latest is the latest time that ParseTime accepts.
const latest = math.MaxUint64/1_000_000_000*1_000_000_000 - 1

// compare compares moments with the same origin.
func (m moment) compare(other moment) int {
	if m.from == end {
		m, other = other, m
	}
	return cmp.Compare(m.after, other.after)
}

// ErrOnce is the error of a recording that is read once. Its begin and its end are unknown.
var ErrOnce = errors.New("is read once, as it comes")

// Settle returns options for the recording with that name, with absolute times instead of times
// relative to an end of the recording. It calls span only for such times. If fromFirst is set, it
// does not need span for times relative to the first event.
func (o *Options) Settle(name string, fromFirst bool, span func() (*Span, error)) (*Options, error) {
	if !o.counted() {
		return o, nil
	}
	settled := *o
	settled.written, settled.Last = o, ""
	var whole *Span
	for _, b := range o.bounds() {
		m, err := parseMoment(b.option, b.text)
		ends := whole
		switch {
		case err != nil:
			return nil, err
		case m.from == recorded:
			continue
		case m.from == begin && fromFirst: // works for recordings that are read once
			ends = &Span{}
		case whole == nil:
			if whole, err = span(); err != nil {
				return nil, spanError(b, err)
			}
			ends = whole
		}
		if ends.Form == Ticks {
			return nil, Usagef("%s %s: the clock of %s does not count time: write a number as printed", b.option,
				b.text, name)
		}
		if text := m.at(ends); b.option == "--until" {
			settled.Until = text
		} else {
			settled.Since = text
		}
	}
	return &settled, nil
}

// spanError returns the error for an option if the span of the recording is unknown.
func spanError(b bound, err error) error {
	if !errors.Is(err, ErrOnce) {
		return err
	}
	m, _ := parseMoment(b.option, b.text)
	end := "the begin of the recording is unknown before it is read"
	if m.from != begin {
		end = "the end of the recording is unknown before it has ended"
	}
	return Usagef("%s %s: standard input and --follow are read once, as they come: %s", b.option, b.text, end)
}

// Timed reports whether the options limit the time.
func (o *Options) Timed() bool { return len(o.bounds()) > 0 }

// Settled reports whether Settle has changed the options.
func (o *Options) Settled() bool { return o.written != nil }

// Outside returns the message if the window of settled options is outside of the recording. It
// returns nil if it is not, or if that is unknown.
func (o *Options) Outside(name, noun string, span *Span) error {
	written := o
	if o.written != nil {
		written = o.written
	}
	switch since, until, err := o.Window(span.Form); {
	case err != nil || span.Empty:
	case since > span.Last:
		return &Note{fmt.Errorf("%s: no %s from %s on; it ends at %s", name, noun, written.Since,
			AppendTime(nil, span.Last, span.Form))}
	case until <= span.First:
		return &Note{fmt.Errorf("%s: no %s before %s; it begins at %s", name, noun, written.Until,
			AppendTime(nil, span.First, span.Form))}
	}
	return nil
}
