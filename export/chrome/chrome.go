package chrome

import (
	"errors"
	"io"
	"strconv"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/runtime/record"
)

// Options choose what is written. The zero value is all.
type Options struct {
	// NoArgs leaves out the fields of events.
	NoArgs bool
}

// Write writes what a reader has. Errors of the recording's streams do not keep the rest from being written: they are returned after that.
// What could not be read is in the recording's Damage.
func Write(w io.Writer, r *dynamic.Reader, o Options) error {
	tl, err := timeline.New(r)
	if err != nil {
		return err
	}
	x := &writer{w: w, opts: o, args: newArguments()}
	x.out = append(x.out, `{"traceEvents":[`...)
	for it := range tl.All() {
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

const flushSize = 64 << 10

// writer writes events.
type writer struct {
	w    io.Writer
	opts Options
	err  error
	out  []byte
	some bool // an event was written

	tracks []track  // by Track.Index
	titles [][]byte // `"name":"read","cat":"syscalls"` by Name.Index
	args   *arguments
	based  bool
	base   uint64 // ns that times are less by
}

// track is what is known of a track.
type track struct {
	ids  []byte   // `"pid":1,"tid":2`
	last uint64   // time of its last event
	used bool     // and there is one
	open []opened // by depth
}

// opened is a span that has begun.
type opened struct {
	name  *timeline.Name
	typ   *dynamic.Type // of the event that began it; nil: none
	begin uint64        // as written
}

// flush writes what is there, when that is much.
func (x *writer) flush(least int) {
	if len(x.out) >= least && x.err == nil {
		_, x.err = x.w.Write(x.out)
		x.out = x.out[:0]
	}
}

// track returns what is known of a track.
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
		x.head('i', t, it.Time)
		x.out = append(append(x.out, `,"s":"t",`...), x.title(it.Name)...)
		x.event(it, nil, "")
		x.out = append(x.out, '}')
	}
}

// begin writes the begin of a span.
func (x *writer) begin(t *track, it *timeline.Item) {
	span := opened{name: it.Name, begin: it.Time}
	note := ""
	if it.Span.Unseen {
		note = `"begin":"not recorded"`
		span.begin = max(it.Time, t.last) // importers sort: what came before would be within it
	}
	if it.Event != nil {
		span.typ = it.Event.Type
	}
	n := len(it.Track.Open) - 1
	for len(t.open) <= n {
		t.open = append(t.open, opened{})
	}
	t.open[n] = span
	t.last = max(t.last, span.begin)
	x.head('B', t, span.begin)
	x.out = append(append(x.out, ','), x.title(it.Name)...)
	x.event(it, nil, note)
	x.out = append(x.out, '}')
}

// end writes the end of a span.
func (x *writer) end(t *track, it *timeline.Item) {
	var span opened
	if n := len(it.Track.Open); n < len(t.open) {
		span = t.open[n]
	}
	t.last = max(t.last, it.Time)
	x.head('E', t, it.Time)
	x.event(it, span.typ, noteEnd(&span, it.Span))
	x.out = append(x.out, '}')
}

// noteEnd returns the arguments of an end that no event has: seldom any.
func noteEnd(o *opened, s *timeline.Span) string {
	if !s.Cut && !s.Unseen && o.begin == s.Begin {
		return ""
	}
	var b []byte
	if s.Cut {
		b = append(b, `,"end":"not recorded"`...)
	}
	if o.name != s.Name { // it was not known before
		b = columns.AppendJSON(append(b, `,"function":`...), s.Name.Text)
	}
	if o.begin != s.Begin {
		b = strconv.AppendUint(append(b, `,"length_ns":`...), s.Total(), 10)
	}
	if len(b) == 0 {
		return ""
	}
	return string(b[1:])
}

// lost writes how many events were lost before an item.
func (x *writer) lost(t *track, it *timeline.Item) {
	x.head('i', t, it.Time)
	x.out = append(x.out, `,"s":"t","name":"lost events","args":{"count":`...)
	if it.Lost == record.LostUnknown {
		x.out = append(x.out, `"unknown"`...)
	} else {
		x.out = strconv.AppendInt(x.out, it.Lost, 10)
	}
	x.out = append(x.out, "}}"...)
}

// head writes the begin of an event.
func (x *writer) head(phase byte, t *track, time uint64) {
	if x.some {
		x.out = append(x.out, ',')
	}
	x.some = true
	x.out = append(append(x.out, "\n{\"ph\":\""...), phase, '"', ',')
	x.out = append(append(x.out, t.ids...), `,"ts":`...)
	if time < x.base {
		x.out = appendMicroseconds(append(x.out, '-'), x.base-time)
		return
	}
	x.out = appendMicroseconds(x.out, time-x.base)
}

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
