package tables

import (
	"bytes"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/syscalls"
)

// caller is what is known of the system calls of a thread, which is in one at a time.
type caller struct {
	thread *Thread // whose state it is; a later thread with its index begins anew
	seen   bool    // it has made a call
	open   bool    // it is in a call
	began  family  // those that reported the begin of the latest call
	ended  family  // and its end
	named  bool    // events of syscalls for such calls are recorded
	ends   bool    // events for its end are described
	call   *call   // the kind of the latest call
	losses int64   // of the walk at the latest event
	again  again
	row    Syscall
}

// again is what may follow of an interrupted call: the kernel makes it again, at once or after the
// handler of the signal has returned.
type again struct {
	possible bool
	handler  bool // a handler has not returned yet
	direct   bool // no event has followed
	number   int64
	end      uint64
}

// callers follows the system calls of threads: docs/spec/tables.md section 4.
type callers struct {
	w       *Walk
	rows    func(*Syscall) bool
	of      []caller // by Thread.Index
	numbers numbers
	compat  int64
}

func newCallers(w *Walk, rows func(*Syscall) bool) *callers {
	return &callers{w: w, rows: rows, numbers: numbers{table: syscalls.Of(w.rec.Machine().Arch)}}
}

// at returns the state of a thread.
func (c *callers) at(th *Thread) *caller {
	for th.Index >= len(c.of) {
		c.of = append(c.of, caller{})
	}
	s := &c.of[th.Index]
	if s.thread != th {
		c.forget(s)
		s.thread = th
	}
	return s
}

// forget makes the state that of a thread without calls. It keeps the memory for arguments.
func (c *callers) forget(s *caller) {
	*s = caller{thread: s.thread, losses: c.w.extent.Losses, row: Syscall{args: s.row.args[:0]}}
}

// enter follows an event at the begin of a call.
func (c *callers) enter(ev *tracec.Event, h *half) {
	th := c.w.current(ev)
	number, numbered, k := c.identify(ev, h)
	if th == nil || k == nil {
		return
	}
	s := c.at(th)
	lost := s.losses != c.w.extent.Losses
	s.losses = c.w.extent.Losses
	if numbered && h.family == named {
		c.numbers.learn(number, k.name)
	}
	if s.open {
		if !lost && s.began&h.family == 0 && (number == s.row.Number || !numbered || !s.row.numbered) {
			s.joins(ev, h, number, numbered)
			return
		}
		c.finish(s, s.without(Replaced, lost), lost)
	}
	th.ran = true
	restarts := s.restarted(ev, h, number, k, lost)
	s.row = Syscall{
		Row: Row{Begin: ev.Time, CPU: ev.CPU, Thread: th}, Name: k.name, Number: number, numbered: numbered,
		Restarts: restarts, args: s.row.args,
	}
	s.row.keep(ev, h.args)
	s.seen, s.open, s.began, s.ended = true, true, h.family, 0
	s.named, s.ends, s.call = k.named, h.other, k
}

// joins takes the event of the other family for the begin of the open call.
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

// maxArgs bounds the data that is kept for arguments. Of Linux's own events, it is all.
const maxArgs = 1 << 10

// keep keeps the data of an event, which are used again after it.
func (s *Syscall) keep(ev *tracec.Event, t *tracec.Type) {
	s.argsOf, s.args = t, s.args[:0]
	if t != nil {
		s.args = append(s.args, ev.Data[:min(len(ev.Data), maxArgs)]...)
	}
}

// without returns the reason why the open call has no end. otherwise is that of a call whose end
// should have been recorded.
func (s *caller) without(otherwise Reason, lost bool) Reason {
	switch {
	case s.call.exits:
		return Unpaired
	case !s.ends:
		return NotRecorded
	case lost:
		return Lost
	}
	return otherwise
}

// finish makes a row of the open call, which has no end.
func (c *callers) finish(s *caller, why Reason, lost bool) {
	s.row.NoEnd = why
	s.open, s.ended = false, 0
	c.emit(s, lost)
}

// emit makes a row of a call. Linux records calls of 32-bit programs on a 64-bit machine as
// raw_syscalls alone, with their own numbers.
func (c *callers) emit(s *caller, lost bool) {
	if s.row.NoBegin == Known && s.named && s.began == raw && !lost {
		s.row.Name, s.row.ABI = "", "compat?"
		c.compat++
	}
	c.rows(&s.row)
}

// leave follows an event at the end of a call.
func (c *callers) leave(ev *tracec.Event, h *half) {
	th := c.w.current(ev)
	if th == nil {
		return
	}
	s := c.at(th)
	lost := s.losses != c.w.extent.Losses
	s.losses = c.w.extent.Losses
	th.ran = true
	if !s.open && !lost && s.ended != 0 && s.ended&h.family == 0 {
		s.ended |= h.family
		return
	}
	number, numbered, k := c.identify(ev, h)
	ret, hasRet := int64(0), false
	if h.ret >= 0 {
		var bits uint64
		bits, hasRet = ev.Bits(h.ret)
		ret = int64(bits)
	}
	zero := hasRet && ret == 0
	if s.open && c.strange(s, k, number, numbered, zero, lost) || !s.open {
		why := s.unbegun(h, k, zero, lost, c.w.extent.Losses > 0)
		s.row = Syscall{
			Row: Row{NoBegin: why, CPU: ev.CPU, Thread: th}, Number: number, numbered: numbered, args: s.row.args[:0],
		}
		s.call, s.began = k, 0
		if k != nil {
			s.row.Name = k.name
		}
		// -1 may be the end of sigreturn.
		hasRet = hasRet && !(numbered && number == -1)
	}
	s.row.GapInside = lost && s.row.NoBegin == Known
	c.returns(s, ev, h, ret, hasRet)
	c.emit(s, lost)
}

// strange reports whether the open call is not the one that ends, and finishes it then. Where
// nothing was lost, the number may differ: tracers and filters of system calls change it.
func (c *callers) strange(s *caller, k *call, number int64, numbered, zero, lost bool) bool {
	switch {
	case numbered && s.row.numbered && number == s.row.Number:
		return false
	case s.call.exits, k != nil && k.clones && zero: // a new thread has the number of the old one
		c.finish(s, s.without(Unpaired, lost), lost)
		c.forget(s)
	case k != nil && k.execs && zero: // by another thread of the process
		c.finish(s, s.without(Unpaired, lost), lost)
	case lost && !(s.call.sigreturn && numbered && number == -1):
		c.finish(s, s.without(Lost, lost), lost)
	default:
		return false
	}
	return true
}

// unbegun returns the reason why a call that ends has no begin.
func (s *caller) unbegun(h *half, k *call, zero, lost, ever bool) Reason {
	switch {
	case k != nil && k.clones && zero && !s.seen:
		return CloneChild
	case !h.other:
		return NotRecorded
	case lost, !s.seen && ever:
		return Lost
	case !s.seen:
		return OpenBegin
	}
	return NotRecorded
}

// returns ends the call of a thread.
func (c *callers) returns(s *caller, ev *tracec.Event, h *half, ret int64, hasRet bool) {
	row := &s.row
	row.End = ev.Time
	s.seen, s.open, s.ended = true, false, h.family
	if s.call != nil && s.call.sigreturn {
		// What it returns is the result of the interrupted call, if that is not made again.
		const eintr = -4
		s.again.handler = false
		s.again.possible = s.again.possible && hasRet && ret != eintr
		return
	}
	if !hasRet {
		return
	}
	row.Ret, row.HasRet = ret, true
	if row.Failed() {
		row.Errno = render.ErrnoName(ret)
	}
	switch ret {
	case -512, -513, -514, -516: // ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK
		row.Interrupted = true
		s.again = again{possible: true, direct: true, number: row.Number, end: ev.Time}
	}
}

// restarted returns the end of the interrupted call that one which begins makes again, or 0.
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
	case a.direct: // it is in a handler
		a.direct, a.handler = false, true
	case !a.handler:
		a.possible = false
	}
	return 0
}

// same reports whether an event has the arguments of the call, as far as events of one family tell.
func (s *Syscall) same(ev *tracec.Event, h *half) bool {
	if h.args == nil || s.argsOf != h.args {
		return true
	}
	next := Syscall{args: ev.Data, argsOf: h.args}
	return bytes.Equal(s.AppendArgs(nil), next.AppendArgs(nil))
}

// moves gives the call of a thread to another one, whose own call has ended.
func (c *callers) moves(from, to *Thread) {
	c.at(from)
	t := c.at(to)
	f := c.at(from)
	if t.open {
		lost := t.losses != c.w.extent.Losses
		c.finish(t, t.without(Unpaired, lost), lost)
	}
	*t, *f = *f, *t
	t.thread, f.thread = to, from
	t.row.Thread = to
	c.forget(f)
}

// lost implements collector: what it means for a call is known at the next event of its thread.
func (c *callers) lost(int32, uint64) {}

// ended implements collector.
func (c *callers) ended(th *Thread, time uint64) {
	s := c.at(th)
	if s.open {
		lost := s.losses != c.w.extent.Losses
		c.finish(s, s.without(Unpaired, lost), lost)
	}
	c.forget(s)
}

// end implements collector.
func (c *callers) end(uint64) {
	for i := range c.of {
		if s := &c.of[i]; s.open {
			lost := s.losses != c.w.extent.Losses
			c.finish(s, s.without(OpenEnd, lost), lost)
		}
	}
	if c.compat > 0 {
		c.w.note("%d system calls are probably of 32-bit programs: the names of their numbers are not known", c.compat)
	}
}
