package tables

import "github.com/tracec/tracec"

// rule implements collector.
func (m *modes) rule(t *tracec.Type) rule {
	id := hookID(t)
	do := m.hookRule(t, id)
	if do == nil {
		return nil
	}
	return func(ev *tracec.Event) {
		if p := m.at(ev); p != nil {
			do(p, ev)
		}
	}
}

// hookRule returns the effect of an event of a hook on its processor.
func (m *modes) hookRule(t *tracec.Type, id string) func(*modeCPU, *tracec.Event) {
	m.seen[id] = true
	switch id {
	case "100":
		return m.flihRule(m.named(t, "type"))
	case "101":
		return m.callRule(m.named(t, "svc"))
	case "102":
		return m.slihRule(m.named(t, "handler"))
	case "103":
		return m.slihReturn
	case "104":
		return m.callReturn
	case "106":
		return m.dispatchRule(t, dispatch)
	case "10C":
		return m.dispatchRule(t, idleDispatch)
	case "200":
		return m.resume
	}
	delete(m.seen, id)
	return nil
}

// named returns the naming for a field.
func (m *modes) named(t *tracec.Type, field string) *naming {
	n := &naming{field: t.Index(field), numbers: true}
	if n.field < 0 && !m.quiet {
		m.w.note("the template of hook %s names no field %s: its rows have no name", hookID(t), field)
	}
	return n
}

// flihRule handles the begin of first level interrupt handlers, which interrupt anything.
func (m *modes) flihRule(names *naming) func(*modeCPU, *tracec.Event) {
	return func(p *modeCPU, ev *tracec.Event) {
		m.who(p, ev)
		m.close(p, ev, level{}, true)
		m.push(p, level{flih, names.of(ev)})
	}
}

// who sets the thread of an event's processor if it is unknown.
func (m *modes) who(p *modeCPU, ev *tracec.Event) {
	if p.thread != nil || p.idle {
		return
	}
	if p.thread = m.w.current(ev); p.thread != nil {
		m.moves(p.thread, ev.CPU)
	}
}

// slihRule handles a call of a second level handler by a first level one.
func (m *modes) slihRule(names *naming) func(*modeCPU, *tracec.Event) {
	return func(p *modeCPU, ev *tracec.Event) {
		is := m.top(p).mode
		m.close(p, ev, level{mode: flih}, is == flih || p.unknown())
		if is != flih {
			m.push(p, level{mode: flih})
		}
		m.push(p, level{slih, names.of(ev)})
	}
}

// slihReturn handles the return from a second level handler to the first level.
func (m *modes) slihReturn(p *modeCPU, ev *tracec.Event) {
	m.close(p, ev, level{mode: slih}, m.top(p).mode == slih || p.unknown())
	p.levels = p.levels[:max(p.handler(), 0)]
	if m.top(p).mode != flih {
		m.push(p, level{mode: flih})
	}
}

// resume handles the end of a first level handler or of the dispatcher.
func (m *modes) resume(p *modeCPU, ev *tracec.Event) {
	is, n := m.top(p).mode, len(p.levels)
	fits := p.unknown() || is == flih || is == dispatch || is == idleDispatch
	m.close(p, ev, level{}, fits)
	switch {
	case is == slih: // it has ended unseen
		p.levels = p.levels[:max(n-2, 0)]
	case n > 0:
		p.levels = p.levels[:n-1]
	}
	p.idle = p.idle || is == idleDispatch
}

// dispatchRule handles the dispatch of a thread.
func (m *modes) dispatchRule(t *tracec.Type, mode string) func(*modeCPU, *tracec.Event) {
	to, kernel := dispatchOf(t), t.Index("kproc")
	return func(p *modeCPU, ev *tracec.Event) {
		th := to.thread(m.w, ev)
		m.close(p, ev, level{}, p.handler() < 0)
		m.leaves(p)
		*p = modeCPU{known: true, since: p.since, based: true, thread: th,
			levels: append(p.levels[:0], level{mode: mode})}
		if th == nil {
			return
		}
		m.moves(th, ev.CPU)
		switch a := m.of(th); {
		case bitsAt(ev, kernel) != 0:
			a.level = level{mode: kproc}
		case a.mode == kproc:
			a.level = level{}
		}
	}
}

// leaves notes that the thread of a processor leaves it.
func (m *modes) leaves(p *modeCPU) {
	if p.thread != nil {
		a := m.of(p.thread)
		a.cpu, a.losses = -1, m.w.extent.Losses
	}
}

// moves notes that a thread runs on a processor. If it was still on another processor, that one has
// dispatched another thread unseen. After a loss, the thread may have begun or ended a system call
// unseen.
func (m *modes) moves(th *Thread, cpu int32) {
	a := m.of(th)
	if a.cpu >= 0 && a.cpu != cpu && m.cpus[a.cpu].thread == th {
		m.give(int(a.cpu), NotRecorded, NotRecorded)
		a.level = level{}
	}
	if a.losses != m.w.extent.Losses {
		a.level = level{}
	}
	a.cpu, a.losses = cpu, m.w.extent.Losses
}

// callRule handles the begin of system calls.
func (m *modes) callRule(names *naming) func(*modeCPU, *tracec.Event) {
	return func(p *modeCPU, ev *tracec.Event) {
		m.runs(p, ev, level{mode: application}, level{syscallMode, names.of(ev)})
	}
}

// callReturn handles the return from system calls.
func (m *modes) callReturn(p *modeCPU, ev *tracec.Event) {
	m.runs(p, ev, level{mode: syscallMode}, level{mode: application})
}

// runs handles a thread's change from one activity to another.
func (m *modes) runs(p *modeCPU, ev *tracec.Event, from, to level) {
	m.who(p, ev)
	th, is := m.w.current(ev), m.top(p).mode
	m.close(p, ev, from, len(p.levels) == 0 && p.thread == th && (is == "" || is == from.mode || is == kproc))
	if p.thread != th {
		m.leaves(p)
	}
	*p = modeCPU{known: true, since: p.since, based: true, thread: th, levels: p.levels[:0]}
	if th == nil {
		return
	}
	m.moves(th, ev.CPU)
	if a := m.of(th); a.mode != kproc {
		a.level = to
	}
}
