package chrome

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/runtime/record"
)

// Options select the output. The zero value writes everything.
type Options struct {
	// NoArgs omits the fields of events.
	NoArgs bool
	// Workers is the number of goroutines that write the fields of events. 0 means the number of
	// processors that Go uses. The output does not depend on it.
	Workers int
}

// Write writes the events of a reader. If streams of the recording fail, it writes the events of
// the others, and then returns the errors. The recording's Damage then holds the unreadable parts.
func Write(w io.Writer, r *tracec.Reader, o Options) error {
	tl, err := timeline.New(r)
	if err != nil {
		return err
	}
	x := &writer{w: w, opts: o, args: newArguments()}
	x.out = append(x.out, opening...)
	for it := range tl.AllWith(o.Workers, x.appenders()) {
		x.item(it)
		if x.flush(flushSize); x.err != nil {
			return errors.Join(x.err, tl.Err())
		}
	}
	x.names(tl.Tracks())
	x.metadata(r.Recording())
	x.flush(0)
	return errors.Join(x.err, tl.Err())
}

// appenders returns a constructor of functions that write the fields of events in advance, or nil.
func (x *writer) appenders() func() func([]byte, *tracec.Event) []byte {
	switch {
	case x.opts.NoArgs:
		return nil
	case x.opts.Workers == 1: // everything runs on one goroutine
		return func() func([]byte, *tracec.Event) []byte { return x.args.appendProbable }
	}
	return func() func([]byte, *tracec.Event) []byte { return x.args.another().appendProbable }
}

const flushSize = 64 << 10

// writer writes events.
type writer struct {
	w    io.Writer
	opts Options
	err  error
	out  []byte
	some bool // an event was written

	tracks []track  // by Track.Index
	titles [][]byte // such as `"name":"read","cat":"syscalls"`, by Name.Index
	args   *arguments
	based  bool
	base   uint64 // subtracted from all times, in ns
}

// track is the state of a track.
type track struct {
	ids  []byte   // such as `"pid":1,"tid":2`
	last uint64   // time of the last begin or end
	open []opened // by depth
}

// opened is an open span.
type opened struct {
	typ   *tracec.Type // type of the event that began it; may be nil
	begin uint64       // the time to write
	least uint64       // the minimum of begin: earlier events are outside of the span
	args  []byte       // arguments of that event
	held  []byte       // inner spans that begin at the same time
}

// flush writes the buffer if it holds at least least bytes.
func (x *writer) flush(least int) {
	if len(x.out) >= least && x.err == nil {
		_, x.err = x.w.Write(x.out)
		x.out = x.out[:0]
	}
}

// track returns the state of a track.
func (x *writer) track(tr *timeline.Track) *track {
	for len(x.tracks) <= tr.Index {
		x.tracks = append(x.tracks, track{})
	}
	t := &x.tracks[tr.Index]
	if t.ids == nil {
		pid, tid := numbers(tr)
		t.ids = strconv.AppendInt([]byte(`"pid":`), int64(pid), 10)
		t.ids = strconv.AppendInt(append(t.ids, `,"tid":`...), int64(tid), 10)
	}
	return t
}

// item writes an item of the timeline.
func (x *writer) item(it *timeline.Item) {
	if !x.based {
		x.based = true
		if it.Time > 1<<53 {
			x.base = it.Time - it.Time%1e9
		}
	}
	t := x.track(it.Track)
	if it.Lost != 0 {
		x.lost(t, it)
	}
	switch it.Kind {
	case timeline.Begin:
		x.begin(t, it)
	case timeline.End:
		x.end(t, it)
	default:
		x.head('I', t, it.Time)
		x.out = append(append(x.out, `,"s":"t",`...), x.title(it.Name)...)
		x.out = append(x.event(x.out, it, nil, ""), '}')
		x.first()
	}
}

// begin keeps a span until it ends.
func (x *writer) begin(t *track, it *timeline.Item) {
	n := len(it.Track.Open) - 1
	for len(t.open) <= n {
		t.open = append(t.open, opened{})
	}
	span := &t.open[n]
	span.begin, span.typ, span.held = it.Time, nil, span.held[:0]
	note := ""
	if it.Span.Unseen {
		note = `"begin":"not recorded"`
		span.begin, span.least = max(it.Time, t.last), t.last // an earlier event would be inside the span after sorting
	}
	if it.Event != nil {
		span.typ = it.Event.Type
	}
	if !it.Span.Unseen {
		t.last = max(t.last, span.begin)
	}
	span.args = x.event(span.args[:0], it, nil, note)
}

// end writes a span.
func (x *writer) end(t *track, it *timeline.Item) {
	n := len(it.Track.Open)
	span := &t.open[n]
	if it.Span.Unseen { // the end reports a better begin
		span.begin = min(span.begin, max(it.Span.Begin, span.least))
	}
	end := max(it.Time, span.begin)
	t.last = max(t.last, end)
	start := len(x.out)
	x.head('X', t, span.begin)
	x.out = appendMicroseconds(append(x.out, `,"dur":`...), end-span.begin)
	x.out = append(append(x.out, ','), x.title(it.Span.Name)...)
	x.out = append(x.out, span.args...)
	before := len(x.out)
	x.out = x.event(x.out, it, span.typ, noteEnd(span, it.Span))
	if len(x.out) > before && len(span.args) > 0 { // join arguments: `,"args":{"a":1}` and `,"args":{"b":2}`
		x.out[before-1] = ','
		x.out = append(x.out[:before], x.out[before+len(`,"args":{`):]...)
	}
	x.out = append(append(x.out, '}'), span.held...)
	if n > 0 && (t.open[n-1].begin == span.begin || it.Track.Open[n-1].Unseen && it.Span.Unseen) &&
		len(t.open[n-1].held) < maxHeld {
		t.open[n-1].held = append(t.open[n-1].held, x.out[start:]...)
		x.out = x.out[:start]
		return
	}
	x.first()
}

// maxHeld bounds the spans that wait for an outer span, in recordings with a stopped clock.
const maxHeld = 64 << 10

// noteEnd returns the arguments of a span that are not from an event, which are rare.
func noteEnd(o *opened, s *timeline.Span) string {
	note := ""
	if s.Cut {
		note = `,"end":"not recorded"`
	}
	if o.begin != s.Begin {
		note += `,"length_ns":` + strconv.FormatUint(s.Total(), 10)
	}
	return strings.TrimPrefix(note, ",")
}

// lost writes the number of events lost before an item.
func (x *writer) lost(t *track, it *timeline.Item) {
	x.head('I', t, it.Time)
	x.out = append(x.out, `,"s":"t","name":"lost events","cat":"lost","args":{"count":`...)
	if it.Lost == record.LostUnknown {
		x.out = append(x.out, `"unknown"`...)
	} else {
		x.out = strconv.AppendInt(x.out, it.Lost, 10)
	}
	x.out = append(x.out, "}}"...)
	x.first()
}

// head appends the start of an event.
func (x *writer) head(phase byte, t *track, time uint64) {
	x.out = append(append(x.out, ",\n{\"ph\":\""...), phase, '"', ',')
	x.out = append(append(x.out, t.ids...), `,"ts":`...)
	if time < x.base {
		x.out = appendMicroseconds(append(x.out, '-'), x.base-time)
		return
	}
	x.out = appendMicroseconds(x.out, time-x.base)
}

// first removes the comma before the first event.
func (x *writer) first() {
	if !x.some {
		x.some = true
		x.out[len(opening)] = ' '
	}
}

// opening is the start of the file.
const opening = `{"traceEvents":[`

// appendMicroseconds appends nanoseconds as microseconds with three decimals.
func appendMicroseconds(dst []byte, ns uint64) []byte {
	dst = strconv.AppendUint(dst, ns/1000, 10)
	f := ns % 1000
	return append(dst, '.', byte('0'+f/100), byte('0'+f/10%10), byte('0'+f%10))
}

// title returns the members that name an event.
func (x *writer) title(n *timeline.Name) []byte {
	for len(x.titles) <= n.Index {
		x.titles = append(x.titles, nil)
	}
	if x.titles[n.Index] == nil {
		b := columns.AppendJSON([]byte(`"name":`), n.Text)
		if n.Category != "" {
			b = columns.AppendJSON(append(b, `,"cat":`...), n.Category)
		}
		x.titles[n.Index] = b
	}
	return x.titles[n.Index]
}
