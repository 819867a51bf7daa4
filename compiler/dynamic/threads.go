package dynamic

import (
	"github.com/tracec/tracec/compiler/pattern"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// WithThreads has the reader follow the names of threads and the processes that they belong to, as Event.Comm and Event.Process return them,
// where that takes a look at every event.
func WithThreads() Option { return func(o *options) { o.threads = true } }

// named is a thread and what is known of it.
type named struct {
	task, process int32
	known         bool // the rest is the answer
	comm          string
}

// Comm returns the name of the thread of the event at its time: "" without WithThreads, or when the recording does not say.
func (e *Event) Comm() string { return e.named.comm }

// Process returns the process that the thread of the event belongs to: -1 without WithThreads, or when the recording does not say.
func (e *Event) Process() int32 {
	if !e.named.known {
		return -1
	}
	return e.named.process
}

// asked returns a source's function for the names of threads when someone asks for them.
func asked[E any](names bool, fn func(*record.Record, *E) named) func(*record.Record, *E) named {
	if !names {
		return nil
	}
	return fn
}

// Symbol returns the name of the function or object that holds an address at the time of the event, and how many bytes the address lies after its
// start. It returns false when the recording has no name.
func (e *Event) Symbol(addr uint64) (name string, offset uint64, ok bool) {
	if e.symbols == nil {
		return "", 0, false
	}
	return e.symbols.Symbol(addr)
}

// Recording returns the recording that is read: that of the container, such as *ftrace.Recording.
func (r *Reader) Recording() record.Recording { return r.rec }

// positioned is a recording or a stream that counts what has been read of it.
type positioned interface {
	Position() (done, total int64)
}

// Position returns how many bytes have been read, and how many there are: 0 when that is not known. Any goroutine may call it.
func (r *Reader) Position() (done, total int64) {
	for _, of := range []any{r.source, r.rec} {
		if p, ok := of.(positioned); ok {
			return p.Position()
		}
	}
	return 0, 0
}

// Call returns the event of a record of a call, or of an event, that a callstack.Player has walked. It returns nil for recordings of other
// systems than uftrace. The event is valid until the next one.
func (r *Reader) Call(rec *record.Record, x *uftrace.Entry) *Event {
	s, ok := r.source.(*uftraceSource)
	if !ok {
		return nil
	}
	if r.call == nil {
		r.call = r.newEvent()
	}
	t := s.typeOf(rec, x)
	r.chosen.any = true
	r.chosen.yield(t) // what a player shows is chosen
	ev := r.call
	ev.Record, ev.Type, ev.Entry, ev.decoded = rec, t, x, false
	if s.renamed != nil {
		ev.named = s.thread(rec, x)
	}
	return ev
}

// Filtered reports whether there are filters: see WithFilter.
func (r *Reader) Filtered() bool { return len(r.chosen.filters) > 0 }

// Passes reports whether an event that Call has returned passes the filters.
func (r *Reader) Passes(ev *Event) bool {
	t := ev.Type
	if t.called == undecided {
		if t.called = passed; r.chosen.passable(t) {
			t.called = yielded
		}
	}
	switch {
	case t.called == passed:
		return false
	case t.filter == nil:
		return true
	case r.passing == nil:
		r.passing = newSubjects(r.source)
	}
	return r.passing.pass(ev.Record, t, ev.named.comm)
}

// Chooses reports whether events of that name may be chosen by patterns and filters; alias is another name of it, or empty.
func (r *Reader) Chooses(system, name, alias string) bool { return r.chosen.named(system, name, alias) }

// Records returns which records are read.
func (r *Reader) Records() record.Options { return r.records }

// Patterns returns the patterns of WithEvents: none chooses all events.
func (r *Reader) Patterns() pattern.List { return r.chosen.patterns }

// Any reports whether the reader has yielded an event.
func (r *Reader) Any() bool { return r.chosen.any }

// Names calls fn for the events that the recording, or its templates, describe: by system, name and another name that may be empty.
func (r *Reader) Names(fn func(system, name, alias string)) {
	r.source.names(func(system, name, alias string) bool {
		fn(system, name, alias)
		return true
	})
}

// unnamed is the answer where nothing is known of a thread.
var unnamed = named{process: -1, known: true}

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

// thread returns the name that the kernel had saved.
func (s *ftraceSource) thread(r *record.Record, _ *record.None) named {
	if r.Task < 0 {
		return unnamed
	}
	slot := &s.named[uint32(r.Task)%uint32(len(s.named))]
	if slot.task != r.Task || !slot.known {
		*slot = named{task: r.Task, known: true, comm: s.rec.Comm(r.Task), process: -1}
		if slot.comm == "<...>" {
			slot.comm = ""
		}
		if tgid, ok := s.rec.TGID(r.Task); ok {
			slot.process = int32(tgid)
		}
	}
	return *slot
}

// taskNames are the names that threads of uftrace have got from events.
type taskNames map[int32]string

// follow takes an event that names a thread.
func (n taskNames) follow(r *record.Record, x *uftrace.Entry) {
	if x.Kind == uftrace.Event && r.ID == uftrace.EventTaskName && (n[r.Task] != "" || len(n) < maxEvents) {
		n[r.Task] = string(r.Data)
	}
}

func (s *uftraceSource) thread(r *record.Record, _ *uftrace.Entry) named {
	t := s.rec.Task(r.Task)
	if t == nil {
		return unnamed
	}
	if name, ok := s.renamed[r.Task]; ok {
		return named{task: r.Task, known: true, comm: name, process: t.PID}
	}
	return named{task: r.Task, known: true, comm: t.Comm, process: t.PID}
}

func (s *ftraceSource) commOf(r *record.Record, _ any) string { return s.thread(r, nil).comm }

func (s *uftraceSource) commOf(r *record.Record, entry any) string {
	return s.thread(r, entry.(*uftrace.Entry)).comm
}

func (s *aixSource) commOf(r *record.Record, entry any) string {
	return s.thread(r, entry.(*aix.Entry)).comm
}

func (s *lttngSource) commOf(r *record.Record, entry any) string {
	return s.thread(r, entry.(*lttng.Entry)).comm
}

// thread returns what Context has learned by layouts.
func (s *aixSource) thread(r *record.Record, _ *aix.Entry) named {
	pid := s.facts.Context.PID()
	if pid != int64(int32(pid)) {
		pid = -1
	}
	return named{task: r.Task, known: true, comm: s.facts.Context.Process(), process: int32(pid)}
}

// follow takes an event for the state of processes.
func (s *lttngSource) follow(r *record.Record, m *lttng.Marker) {
	if m == nil {
		return
	}
	st := s.states[m.Trace()]
	if st == nil {
		st = process.New(m.Trace())
		s.states[m.Trace()] = st
	}
	st.Apply(r, m)
}

func (s *lttngSource) thread(r *record.Record, x *lttng.Entry) named {
	if x.Marker == nil || r.Task < 0 {
		return unnamed
	}
	p := s.states[x.Marker.Trace()].Running(r.CPU)
	if p == nil || p.PID != r.Task {
		return unnamed
	}
	return named{task: r.Task, known: true, comm: p.Name, process: p.TGID}
}
