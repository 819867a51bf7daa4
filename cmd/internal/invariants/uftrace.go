package main

import (
	"context"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// uftraceSystem checks recordings of uftrace.
type uftraceSystem struct {
	rec     *uftrace.Recording
	found   *findings
	threads map[int32]*thread
}

// thread is the state from the records of a thread's own file.
type thread struct {
	stream
	synced bool     // the depth is known
	depth  int      // depth of the next call
	name   string   // name of the function, if the last record is a call
	calls  []uint64 // addresses of the open calls by depth; 0 if unknown
}

func newUftrace(rec *uftrace.Recording, found *findings) system {
	return &uftraceSystem{rec: rec, found: found, threads: map[int32]*thread{}}
}

func (u *uftraceSystem) event(ev *tracec.Event) {
	x := ev.Entry.(*uftrace.Entry)
	if x.Source != uftrace.User {
		return
	}
	t := u.threads[ev.Task]
	if t == nil {
		t = &thread{}
		u.threads[ev.Task] = t
	}
	switch x.Kind {
	case uftrace.Lost:
		*t = thread{}
		return
	case uftrace.Enter:
		t.time(u.found, ev.Time, ev.Type.Name)
		u.enter(ev, x, t)
	case uftrace.Leave:
		t.time(u.found, ev.Time, ev.Type.Name)
		u.leave(ev, x, t)
	}
}

// enter checks that a call is one level deeper than its caller.
func (u *uftraceSystem) enter(ev *tracec.Event, x *uftrace.Entry, t *thread) {
	d := int(x.Depth)
	u.found.checked("calls")
	if t.synced && t.depth != d && !t.within("exec") {
		u.found.add("depth of a call", "%s of task %d at depth %d, %d; %d calls are open", ev.Type.Name, ev.Task, d,
			ev.Time, t.depth)
	}
	for len(t.calls) <= d {
		t.calls = append(t.calls, 0)
	}
	t.calls = append(t.calls[:d], x.Addr)
	t.synced, t.depth, t.name = true, d+1, ev.Type.Name
}

// leave checks that the innermost call ends.
func (u *uftraceSystem) leave(ev *tracec.Event, x *uftrace.Entry, t *thread) {
	d := int(x.Depth)
	u.found.checked("returns")
	if strings.HasSuffix(ev.Type.Name, "setjmp") { // setjmp returns once more after a longjmp
		*t = thread{stream: t.stream}
	}
	if t.synced && t.depth != d+1 {
		u.found.add("depth of a return", "%s of task %d at depth %d, %d; %d calls are open", ev.Type.Name, ev.Task, d,
			ev.Time, t.depth)
	}
	if d < len(t.calls) && t.calls[d] != 0 && t.calls[d] != x.Addr {
		u.found.add("return from another function", "%s of task %d at depth %d, %d", ev.Type.Name, ev.Task, d, ev.Time)
	}
	t.calls = t.calls[:min(len(t.calls), d)]
	t.synced, t.depth, t.name = true, d, ""
}

// within reports whether the last record is a call of a function with a name that begins with
// prefix. A call of exec does not return: the next call is the first one of another program.
func (t *thread) within(prefix string) bool { return strings.HasPrefix(t.name, prefix) }

// finish checks that calls do not take longer than their callers.
func (u *uftraceSystem) finish() {
	p, err := callstack.New(u.rec, callstack.Options{})
	if err != nil {
		u.found.add("stacks", "%v", err)
		return
	}
	lost := map[*callstack.Task]bool{}
	for s := range p.All(context.Background()) {
		switch {
		case s.Entry.Kind == uftrace.Lost:
			lost[s.Task] = true // in uftrace, a loss counts below the call that contains it
		case s.Entry.Kind != uftrace.Leave || lost[s.Task]:
		case s.Frame.Child <= s.Frame.Total:
			u.found.checked("durations")
		default:
			u.found.add("calls longer than the call around them", "%s of task %d at %d: %d ns, %d below",
				s.Frame.Name(), s.Task.TID, s.Record.Time, s.Frame.Total, s.Frame.Child)
		}
	}
}
