package dynamic

import (
	"fmt"
	"iter"
	"sync/atomic"

	"github.com/tracec/tracec/compiler/ftrace/recorded"
	"github.com/tracec/tracec/compiler/programs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// merged is a merge of any container.
type merged[E any] interface {
	All() iter.Seq2[*record.Record, *E]
	Err() error
	Close()
}

// walk yields the events of m that are chosen; typ returns what one is, nil when it is left out.
func walk[E any](m merged[E], ev *Event, typ func(*record.Record, *E) *Type, yield func() bool) error {
	defer m.Close()
	for r, x := range m.All() {
		t := typ(r, x)
		if t == nil || !ev.takes(t) {
			continue
		}
		ev.next(r, t)
		if _, none := any(x).(*record.None); !none {
			ev.Entry = x
		}
		if !yield() {
			break
		}
	}
	return m.Err()
}

// unknown is the type of events that nothing describes.
func unknown(system, format string, args ...any) *Type {
	name := fmt.Sprintf(format, args...)
	return &Type{System: system, Name: name, Label: name, Err: errorString("nothing describes it")}
}

// ftraceSource reads recordings of ftrace.
type ftraceSource struct {
	rec     *ftrace.Recording
	formats *programs.Formats
	env     *render.Env
	types   programs.Table[Type] // by id
	named   [256]named           // of threads, by a part of the id
	streams atomic.Pointer[[]record.Stream[record.None]]
	large   *Type // of ids that there cannot be
}

func newFtrace(rec *ftrace.Recording) *ftraceSource {
	t := recorded.Target(rec.Info())
	return &ftraceSource{rec: rec, formats: programs.NewFormats(rec.Formats(), t), env: recorded.Env(rec, t), large: unknown("", "unknown")}
}

func (s *ftraceSource) each(o record.Options, ev *Event, yield func() bool) error {
	ev.use(programs.NewPrinter(s.env), plainText)
	streams := s.rec.Streams(ftrace.StreamOptions{Options: o})
	s.streams.Store(&streams)
	return walk(record.Merge(streams, nil), ev, s.typeOf, yield)
}

// Position implements positioned.
func (s *ftraceSource) Position() (done, total int64) {
	streams := s.streams.Load()
	if streams == nil {
		return 0, 0
	}
	for _, st := range *streams {
		if p, ok := st.(positioned); ok {
			n, all := p.Position()
			done, total = done+n, total+all
		}
	}
	return done, total
}

func (s *ftraceSource) typeOf(r *record.Record, _ *record.None) *Type {
	if r.ID > programs.MaxID {
		return s.large
	}
	return s.types.At(r.ID, func() *Type {
		if p := s.formats.Program(r.ID); p != nil {
			return newType(p)
		}
		return unknown("", "%d", r.ID)
	})
}

// lttngSource reads traces of LTTng.
type lttngSource struct {
	rec      *lttng.Recording
	markers  *programs.Markers
	printers map[*lttng.Trace]*programs.Printer
	types    programs.Table[Type] // by Marker.Index
	none     *Type
	trace    *lttng.Trace // of the event
	ev       *Event
	states   map[*lttng.Trace]*process.State // nil: nobody asks for threads
}

func newLTTng(rec *lttng.Recording, o *options) *lttngSource {
	s := &lttngSource{rec: rec, markers: programs.NewMarkers(nil), printers: map[*lttng.Trace]*programs.Printer{}, none: unknown("", "unknown")}
	if o.threads {
		s.states = map[*lttng.Trace]*process.State{}
	}
	return s
}

func (s *lttngSource) each(o record.Options, ev *Event, yield func() bool) error {
	s.ev = ev
	clear(s.printers)
	clear(s.states)
	s.enter(s.rec.Traces()[0])
	return walk(s.rec.MergeTasks(o), ev, s.typeOf, yield)
}

// enter says of which trace events come: those of a set can be from different machines.
func (s *lttngSource) enter(tr *lttng.Trace) {
	p := s.printers[tr]
	if p == nil {
		p = programs.MarkerPrinter(tr, nil)
		s.printers[tr] = p
	}
	s.trace = tr
	s.ev.use(p, s.text)
}

// text appends the fields, or how long data are that are not understood.
func (s *lttngSource) text(e *Event, dst []byte) ([]byte, bool) {
	return s.markers.Append(dst, e.printer, e.Entry.(*lttng.Entry).Marker, e.Data), true
}

func (s *lttngSource) typeOf(r *record.Record, x *lttng.Entry) *Type {
	m := x.Marker
	if s.states != nil {
		s.follow(r, m)
	}
	if m == nil {
		return s.none
	}
	if tr := m.Trace(); tr != s.trace {
		s.enter(tr)
	}
	return s.types.At(uint32(m.Index), func() *Type { return newType(s.markers.Program(m)) })
}
