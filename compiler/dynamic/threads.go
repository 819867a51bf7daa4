package dynamic

import (
	"github.com/tracec/tracec/compiler/pattern"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// WithThreads has the reader follow the names of threads and the processes that they belong to, as Event.Comm and Event.Process return them,
// where that takes a look at every event.
func WithThreads() Option { return func(o *options) { o.threads = true } }

// threads is what a source knows of threads.
type threads interface {
	// thread returns the name of the thread of an event, which may be empty, and its process, -1 when it is not known.
	thread(ev *Event) (comm string, process int32)
	// symbol is render.Symbols for addresses in an event.
	symbol(ev *Event, addr uint64) (name string, offset uint64, ok bool)
}

// Comm returns the name of the thread of the event at its time, as far as the recording says it: "" when it does not. See WithThreads.
func (e *Event) Comm() string {
	comm, _ := e.thread()
	return comm
}

// Process returns the process that the thread of the event belongs to, -1 when the recording does not say. See WithThreads.
func (e *Event) Process() int32 {
	_, pid := e.thread()
	return pid
}

func (e *Event) thread() (comm string, process int32) {
	if e.threads == nil || e.Task < 0 {
		return "", -1
	}
	return e.threads.thread(e)
}

// Symbol returns the name of the function or object that holds an address at the time of the event, and how many bytes the address lies after its
// start. It returns false when the recording has no name.
func (e *Event) Symbol(addr uint64) (name string, offset uint64, ok bool) {
	if e.threads == nil {
		return "", 0, false
	}
	return e.threads.symbol(e, addr)
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
	if s, ok := r.source.(*uftraceSource); ok {
		return s.of(&r.event, rec, x)
	}
	return nil
}

// Records returns which records are read.
func (r *Reader) Records() record.Options { return r.records }

// Patterns returns the patterns of WithEvents: none chooses all events.
func (r *Reader) Patterns() pattern.List { return r.event.chosen }

// Names calls fn for the events that the recording, or its templates, describe: by system, name and another name that may be empty.
func (r *Reader) Names(fn func(system, name, alias string)) {
	r.source.names(func(system, name, alias string) bool {
		fn(system, name, alias)
		return true
	})
}

// named is the answer for a thread that was asked for.
type named struct {
	task    int32
	known   bool
	comm    string
	process int32
}

// thread implements threads: names are those that the kernel had saved.
func (s *ftraceSource) thread(ev *Event) (comm string, process int32) {
	slot := &s.named[uint32(ev.Task)%uint32(len(s.named))]
	if slot.task != ev.Task || !slot.known {
		*slot = named{task: ev.Task, known: true, comm: s.rec.Comm(ev.Task), process: -1}
		if slot.comm == "<...>" {
			slot.comm = ""
		}
		if tgid, ok := s.rec.TGID(ev.Task); ok {
			slot.process = int32(tgid)
		}
	}
	return slot.comm, slot.process
}

// symbol implements threads.
func (s *ftraceSource) symbol(_ *Event, addr uint64) (string, uint64, bool) {
	return s.env.Symbols.Symbol(addr)
}

// taskNames are the names that threads of uftrace have got from events.
type taskNames map[int32]string

// follow takes an event that names a thread.
func (n taskNames) follow(r *record.Record, x *uftrace.Entry) {
	if x.Kind == uftrace.Event && r.ID == uftrace.EventTaskName && (n[r.Task] != "" || len(n) < maxEvents) {
		n[r.Task] = string(r.Data)
	}
}

// thread implements threads.
func (s *uftraceSource) thread(ev *Event) (comm string, process int32) {
	t := s.rec.Task(ev.Task)
	if t == nil {
		return "", -1
	}
	if name, ok := s.renamed[ev.Task]; ok {
		return name, t.PID
	}
	return t.Comm, t.PID
}

// symbol implements threads.
func (s *uftraceSource) symbol(ev *Event, addr uint64) (string, uint64, bool) {
	return (&symbols{s.rec, ev}).Symbol(addr)
}

// thread implements threads: what Context has learned by layouts.
func (s *aixSource) thread(*Event) (comm string, process int32) {
	pid := s.facts.Context.PID()
	if pid != int64(int32(pid)) {
		pid = -1
	}
	return s.facts.Context.Process(), int32(pid)
}

// symbol implements threads: recordings have no names of addresses.
func (s *aixSource) symbol(*Event, uint64) (string, uint64, bool) { return "", 0, false }

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

// thread implements threads.
func (s *lttngSource) thread(ev *Event) (comm string, pid int32) {
	x := ev.Entry.(*lttng.Entry)
	if x.Marker == nil || s.states[x.Marker.Trace()] == nil {
		return "", -1
	}
	p := s.states[x.Marker.Trace()].Running(ev.CPU)
	if p == nil || p.PID != ev.Task {
		return "", -1
	}
	return p.Name, p.TGID
}

// symbol implements threads: traces have no names of addresses that are those of functions.
func (s *lttngSource) symbol(*Event, uint64) (string, uint64, bool) { return "", 0, false }
