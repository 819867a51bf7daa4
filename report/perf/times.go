package perf

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/render"
)

// times holds the times of earlier lines, and the offset to the time of day.
type times struct {
	first, last uint64 // 0 before the first line
	wall        int64  // ns to add
	second      uint64 // of text
	text        short  // the seconds of the previous line and a point; empty before the first line
}

// textOf returns the text of seconds and a point.
func (t *times) textOf(second uint64) *short {
	if second != t.second || t.text.n == 0 {
		t.second, t.text = second, textOfSecond(second)
	}
	return &t.text
}

func textOfSecond(second uint64) short {
	var room [24]byte
	return newShort(append(number(room[:0], int64(second), 5), '.'))
}

// timeColumn returns the column of the time and of the title after it. As in perf, the time is
// truncated, not rounded. Samples of an event without a time have the largest time.
func (p *printer) timeColumn(timed bool, title string) column {
	t, behind := &p.shown, newShort([]byte(": "+title))
	switch {
	case !timed:
		return func(dst []byte, _ *tracec.Event, _ *perf.Entry) []byte {
			return behind.append(p.time(dst, t.since(p.opts, math.MaxUint64)))
		}
	case p.opts.Relative || p.opts.Delta:
		return func(dst []byte, e *tracec.Event, _ *perf.Entry) []byte {
			return behind.append(p.time(dst, t.since(p.opts, e.Time)))
		}
	}
	return func(dst []byte, e *tracec.Event, _ *perf.Entry) []byte { return behind.append(p.time(dst, e.Time)) }
}

// since returns a time as options select it: since the first line, or since the previous line.
func (t *times) since(o *Options, ns uint64) uint64 {
	switch {
	case o.Relative:
		if t.first == 0 {
			t.first = ns
		}
		return ns - t.first
	case o.Delta:
		last := t.last
		t.last = ns
		if last == 0 {
			last = ns
		}
		return ns - last
	}
	return ns
}

func (p *printer) time(dst []byte, ns uint64) []byte {
	second := ns / 1e9
	dst = p.shown.textOf(second).append(dst)
	if p.opts.Nanoseconds {
		return render.Decimals(dst, uint32(ns-second*1e9), 9)
	}
	return render.Decimals(dst, uint32(ns-second*1e9)/1e3, 6)
}

// timeRange is a part of the time of a recording. Both ends belong to it.
type timeRange struct{ from, to uint64 }

// within reports whether a time is in one of several ranges.
func within(list []timeRange, ns uint64) bool {
	for _, r := range list {
		if r.from <= ns && ns <= r.to {
			return true
		}
	}
	return ns == 0 // events without a time
}

// parseRanges parses the ranges of perf script --time. A range is BEGIN,END in seconds, or a part
// of the time from the first to the last sample: 10%/2 for the second tenth, or 10%-20%. Spaces
// separate ranges in seconds, commas separate parts.
func parseRanges(text string, first, last uint64) (list []timeRange, err error) {
	if text == "" {
		return nil, nil
	}
	if strings.Contains(text, "%") {
		for word := range strings.SplitSeq(text, ",") {
			from, to, err := percents(word)
			if err != nil {
				return nil, fmt.Errorf("--time %s: %w", text, err)
			}
			list = append(list, share(from, to, first, last))
		}
		if last == 0 || last < first {
			return nil, errors.New("--time: the recording lacks the times of its first and last sample")
		}
		return list, nil
	}
	for _, word := range strings.Fields(text) {
		begin, end, ok := strings.Cut(word, ",")
		r := timeRange{to: math.MaxUint64}
		if !ok {
			return nil, errors.New("--time: want BEGIN,END; one of them may be empty")
		}
		for _, b := range []struct {
			text string
			to   *uint64
		}{{begin, &r.from}, {end, &r.to}} {
			if b.text == "" {
				continue
			}
			if *b.to, err = selection.ParseTime(b.text, selection.Nanoseconds); err != nil {
				return nil, fmt.Errorf("--time %s: %w", text, err)
			}
		}
		if r.from > r.to {
			return nil, fmt.Errorf("--time %s: the time ends before it begins", text)
		}
		list = append(list, r)
	}
	return list, nil
}

// percents parses 10%, 10%/2 or 10%-20% as shares of 1.
func percents(word string) (from, to float64, err error) {
	word = strings.TrimSpace(word)
	if a, b, ok := strings.Cut(word, "-"); ok {
		if from, err = percent(a); err == nil {
			to, err = percent(b)
		}
	} else {
		each, nth, several := strings.Cut(word, "/")
		n := 1
		if several {
			n, err = strconv.Atoi(nth)
		}
		if err == nil {
			to, err = percent(each)
		}
		from, to = to*float64(n-1), to*float64(n)
	}
	if err != nil || !(from >= 0 && from <= to && to <= 1) { // also for NaN
		return 0, 0, fmt.Errorf("%q: want 10%%, 10%%/2 or 10%%-20%%, from 0%% to 100%%", word)
	}
	return from, to, nil
}

func percent(text string) (float64, error) {
	digits, ok := strings.CutSuffix(strings.TrimSpace(text), "%")
	if !ok {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.ParseFloat(digits, 64)
	return n / 100, err
}

// share returns the range of a part of a time. Its end belongs to the next part, except for the
// last part.
func share(from, to float64, first, last uint64) timeRange {
	total := float64(last - first)
	r := timeRange{first + uint64(math.Round(from*total)), first + uint64(math.Round(to*total))}
	if r.to > r.from && r.to != last {
		r.to--
	}
	return r
}
