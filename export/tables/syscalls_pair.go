package tables

import (
	"bytes"

	"github.com/tracec/tracec"
)

// caller is the state of a thread's system calls. A thread is in one call at a time.
type caller struct {
	thread *Thread // owner; another thread with its index starts without a state
	seen   bool    // it has made a call
	open   bool    // it is in a call
	began  family  // families that reported the begin of the last call
	ended  family  // families that reported its end
	named  bool    // the recording has events of syscalls for such calls
	ends   bool    // events of its end are described
	call   *call   // kind of the last call
	losses int64   // number of losses at the last event
	again  again
	row    Syscall
}

// again holds what may follow an interrupted call. The kernel repeats the call, at once or after
// the signal handler has returned.
type again struct {
	possible bool
	handler  bool // a handler has not yet returned
	direct   bool // no event has followed
	number   int64
	end      uint64
}

// callers follows the system calls of threads: docs/spec/tables.md section 4.
type callers struct {
	w       *Walk
	rows    func(*Syscall) bool
	of      byThread[caller]
	numbers numbers
	modes   *modes // modes of processors, if the recording has hooks for them
	errors  bool   // the machine has its own numbers of errors from 35 to 511
	compat  int64  // number of calls of 32-bit programs
}

func newCallers(w *Walk, rows func(*Syscall) bool) *callers {
	return &callers{w: w, rows: rows}
}

// at returns the state of a thread.
func (c *callers) at(th *Thread) *caller {
	s := c.of.at(th)
	if s.thread != th {
		c.forget(s)
		s.thread = th
	}
	return s
}

// forget clears the state of a thread. It keeps the memory for arguments.
func (c *callers) forget(s *caller) {
	*s = caller{thread: s.thread, losses: c.w.extent.Losses, row: Syscall{args: s.row.args[:0]}}
}

// lostSince reports whether events were lost since the last event of the thread.
func (c *callers) lostSince(s *caller) bool {
	lost := s.losses != c.w.extent.Losses
	s.losses = c.w.extent.Losses
	return lost
}

// enter handles an event at the begin of a call.
func (c *callers) enter(ev *tracec.Event, h *half) {
	th := c.w.current(ev)
	number, numbered, k := c.identify(ev, h)
	if th == nil || k == nil {
		return
	}
	s := c.at(th)
	lost := c.lostSince(s)
	if numbered && h.family == named {
		c.numbers.learn(number, k.name)
	}
	if s.open {
		if !lost && s.began&h.family == 0 && (number == s.row.Number || !numbered || !s.row.numbered) {
			s.joins(ev, h, number, numbered)
			return
		}
		c.finish(s, Replaced, lost)
	}
	th.ran = true
	restarts := s.restarted(ev, h, number, k, lost)
	s.row = Syscall{
		Row: Row{Begin: ev.Time, CPU: ev.CPU, Thread: th}, Name: k.name, Number: number, numbered: numbered,
		Restarts: restarts, args: s.row.args, OnCPU: c.onCPU(ev, 0),
	}
	s.row.keep(ev, h.args)
	s.seen, s.open, s.began, s.ended = true, true, h.family, 0
	s.named, s.ends, s.call = k.named, h.other, k
}

// joins adds the event of the other family to the begin of the open call.
func (s *caller) joins(ev *tracec.Event, h *half, number int64, numbered bool) {
	s.began |= h.family
	s.ends = s.ends || h.other
	if numbered {
		s.row.Number, s.row.numbered = number, true
	}
	if h.family == named {
		s.call, s.row.Name = h.call, h.call.name
		s.row.keep(ev, h.args)
	}
}

// finish makes a row of the open call, without an end. why is the reason if its end should have
// been recorded.
func (c *callers) finish(s *caller, why Reason, lost bool) {
	switch {
	case s.call.exits:
		why = Unpaired
	case !s.ends:
		why = NotRecorded
	case lost:
		why = Lost
	}
	s.row.NoEnd = why
	s.open, s.ended = false, 0
	c.emit(s, lost)
}

// emit makes a row of a call. On a 64-bit machine Linux records calls of 32-bit programs only as
// raw_syscalls, with their own numbers.
func (c *callers) emit(s *caller, lost bool) {
	if lost {
		s.row.OnCPU = -1
	}
	if s.row.NoBegin == Known && s.named && s.began == raw && !lost {
		s.row.Name, s.row.ABI = "", "compat?"
		c.compat++
	}
	c.rows(&s.row)
}

// A result holds the values of an event at the end of a call.
type result struct {
	number   int64
	numbered bool
	call     *call // nil if unknown
	ret      int64
	hasRet   bool
}

func (c *callers) result(ev *tracec.Event, h *half) (r result) {
	r.number, r.numbered, r.call = c.identify(ev, h)
	if h.ret >= 0 {
		var bits uint64
		bits, r.hasRet = ev.Bits(h.ret)
		r.ret = int64(bits)
	}
	return r
}

// zero returns the traits of the call if it returns 0, otherwise no traits.
func (r *result) zero() (t traits) {
	if r.call != nil && r.hasRet && r.ret == 0 {
		t = r.call.traits
	}
	return t
}

// leave handles an event at the end of a call.
func (c *callers) leave(ev *tracec.Event, h *half) {
	th := c.w.current(ev)
	if th == nil {
		return
	}
	s := c.at(th)
	lost := c.lostSince(s)
	th.ran = true
	if !s.open && !lost && s.ended != 0 && s.ended&h.family == 0 {
		s.ended |= h.family // the other family reports the same end
		return
	}
	r := c.result(ev, h)
	if s.open {
		lost = lost || r.differs(s) && c.w.extent.Losses > 0
		c.parts(s, &r, lost)
	}
	if s.open {
		s.row.GapInside = lost
	} else {
		c.alone(s, ev, h, &r, lost)
	}
	c.returns(s, ev, h, &r)
	c.emit(s, lost)
}

// differs reports whether the result belongs to another call than the open one. Debuggers and
// seccomp change the number before the begin is recorded (kernel/entry/common.c,
// syscall_trace_enter). So a different number means that events are missing. A processor reports a
// loss only with its next event, and recorders switch on the events of one processor after the
// other. The end of sigreturn may have any number.
func (r *result) differs(s *caller) bool {
	return r.numbered && s.row.numbered && r.number != s.row.Number && !s.call.sigreturn
}

// parts finishes the open call if it is not the one that ends. s.open then reports whether a call
// is still open.
func (c *callers) parts(s *caller, r *result, lost bool) {
	differs := r.differs(s)
	if !differs && r.numbered && s.row.numbered && (!s.call.sigreturn || r.number == -1) {
		return
	}
	switch zero := r.zero(); {
	case s.call.exits, zero.clones: // a new thread has the number of the old one
		c.finish(s, Unpaired, lost)
		c.forget(s)
	case zero.execs: // exec by another thread of the process
		c.finish(s, Unpaired, lost)
	case lost:
		c.finish(s, Lost, lost)
	case differs:
		c.finish(s, NotRecorded, lost)
	}
}

// alone begins the row of a call without a begin.
func (c *callers) alone(s *caller, ev *tracec.Event, h *half, r *result, lost bool) {
	why := NotRecorded
	switch {
	case r.zero().clones && !s.seen:
		why = CloneChild
	case !h.other:
	case lost, !s.seen && c.w.extent.Losses > 0:
		why = Lost
	case !s.seen:
		why = OpenBegin
	}
	s.row = Syscall{
		Row: Row{NoBegin: why, CPU: ev.CPU, Thread: s.thread}, Number: r.number, numbered: r.numbered,
		args: s.row.args[:0], OnCPU: -1,
	}
	if s.call, s.began = r.call, 0; r.call != nil {
		s.row.Name = r.call.name
	}
	r.hasRet = r.hasRet && !(r.numbered && r.number == -1) // it may be sigreturn
}

// returns ends the call of a thread.
func (c *callers) returns(s *caller, ev *tracec.Event, h *half, r *result) {
	row := &s.row
	row.End = max(ev.Time, row.Begin)
	s.seen, s.open, s.ended = true, false, h.family
	if s.call != nil && s.call.sigreturn {
		// It returns the result of the interrupted call, unless that is repeated.
		const eintr = -4
		s.again.handler = false
		s.again.possible = s.again.possible && r.hasRet && r.ret != eintr
		return
	}
	if h.hook != nil {
		row.hook, row.Ret, row.HasRet, row.Error = true, r.ret, r.hasRet, h.hook.error(ev)
		row.OnCPU = c.onCPU(ev, row.OnCPU)
		return
	}
	if !r.hasRet {
		return
	}
	row.Ret, row.HasRet = r.ret, true
	if row.Failed() && !(c.errors && r.ret <= -35 && r.ret > -512) {
		row.Error = errorName(r.ret)
	}
	switch r.ret {
	case -512, -513, -514, -516: // ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK
		row.Interrupted = true
		s.again = again{possible: true, direct: true, number: row.Number, end: ev.Time}
	}
}

// restarted returns the end of the interrupted call that a new call repeats, or 0.
func (s *caller) restarted(ev *tracec.Event, h *half, number int64, k *call, lost bool) uint64 {
	a := &s.again
	switch {
	case !a.possible:
	case lost:
		a.possible = false
	case k.sigreturn:
		a.direct, a.handler = false, true
	case !a.handler && (k.restarts || number == a.number && (!a.direct || s.row.same(ev, h))):
		a.possible = false
		return a.end
	case a.direct: // the thread is in a handler
		a.direct, a.handler = false, true
	case !a.handler:
		a.possible = false
	}
	return 0
}

// same reports whether an event has the arguments of the call, as far as an event of the same
// family shows.
func (s *Syscall) same(ev *tracec.Event, h *half) bool {
	if h.args == nil || s.argsOf != h.args {
		return true
	}
	next := Syscall{args: ev.Data, argsOf: h.args}
	return bytes.Equal(s.AppendArgs(nil), next.AppendArgs(nil))
}

// moves passes the call of a thread to another thread, whose own call has ended.
func (c *callers) moves(from, to *Thread) {
	c.ended(to, 0)
	c.at(from) // may move the states in memory
	t := c.at(to)
	f := c.at(from)
	*t, *f = *f, *t
	t.thread, f.thread = to, from
	t.row.Thread = to
}

// lost implements collector. The next event of a thread decides the effect of the loss on its call.
func (c *callers) lost(cpu int32, time uint64) {
	if c.modes != nil {
		c.modes.lost(cpu, time)
	}
}

// ended implements collector.
func (c *callers) ended(th *Thread, _ uint64) {
	s := c.at(th)
	if s.open {
		c.finish(s, Unpaired, c.lostSince(s))
	}
	c.forget(s)
}

// end implements collector.
func (c *callers) end(time uint64) {
	if c.modes != nil {
		c.modes.end(time)
	}
	for i := range c.of {
		if s := &c.of[i]; s.open {
			c.finish(s, OpenEnd, c.lostSince(s))
		}
	}
	if c.compat > 0 {
		c.w.note("%d system calls are probably of 32-bit programs: their names are unknown", c.compat)
	}
}
