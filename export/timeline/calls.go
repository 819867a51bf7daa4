package timeline

import (
	"context"
	"strconv"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// UnseenName is the name of calls of uftrace that began before the recording, or among lost
// records. Their functions are unknown until they end.
const UnseenName = "[unknown]"

// calls converts the calls of a recording of uftrace to spans.
type calls struct {
	*Timeline
	tracks []*Track // by callstack.Task.Index
	tasks  []*callstack.Task
	syms   []*Name  // by Symbol.Index
	hides  bool     // patterns may hide calls
	forks  [][]fork // by callstack.Task.Index: the last forks
	passed [][]bool // by callstack.Task.Index and call depth: whether the open call passes filters; nil without filters
}

// calls plays a recording of uftrace.
func (t *Timeline) calls(rec *uftrace.Recording) {
	o := t.r.Records()
	if o.CPUs != nil {
		t.err = record.ErrNoCPU
		return
	}
	opts := callstack.Options{Scope: callstack.Scope{TIDs: o.Tasks, Range: callstack.RangeOf(o.Since, o.Until)}}
	patterns := t.r.Patterns()
	if len(patterns) > 0 {
		opts.Functions.Only = func(s *uftrace.Symbol) bool { return patterns.Matches(moduleOf(s), s.Name, s.Shown()) }
	}
	ends := callstack.WatchEnds(rec, &opts)
	p, err := callstack.New(rec, opts)
	if err != nil {
		t.err = err
		return
	}
	c := &calls{Timeline: t, syms: make([]*Name, len(rec.Symbols())), hides: len(patterns) > 0}
	c.tasks = p.Tasks()
	for _, task := range c.tasks {
		tr := t.tracks.at(Thread, task.TID, -1)
		tr.Process, tr.Name = task.PID, task.Comm
		c.tracks = append(c.tracks, tr)
	}
	c.forks = make([][]fork, len(c.tracks))
	if t.r.Filtered() {
		c.passed = make([][]bool, len(c.tracks))
	}
	ctx := o.Context
	if ctx == nil {
		ctx = context.Background()
	}
	for s := range p.All(ctx) {
		if c.step(s); t.stop {
			return
		}
		if t.r.Enough() {
			break
		}
	}
	t.err = p.Err()
	for _, task := range p.Tasks() {
		c.close(task, ends.Of(task.Index))
	}
}

func moduleOf(s *uftrace.Symbol) string {
	if s.Module == nil {
		return ""
	}
	return s.Module.Name
}

// step handles a step of the player.
func (c *calls) step(s *callstack.Step) {
	tr := c.tracks[s.Task.Index]
	tr.Name = s.Task.Comm
	ev := c.r.Call(s.Record, s.Entry)
	c.now, c.given = max(c.now, s.Record.Time), false
	if c.passed != nil && s.Entry.Kind != uftrace.Lost && !c.passes(s, ev) {
		return
	}
	c.r.Take()
	switch s.Entry.Kind {
	case uftrace.Enter:
		c.enter(tr, s, ev)
		c.noteFork(s)
	case uftrace.Leave:
		c.leave(tr, s, ev)
	case uftrace.Lost:
		c.emit(Instant, c.now, tr, c.names.of("uftrace", "lost"), nil, ev) // a record of losses has no time
	default:
		switch {
		case s.Frame == nil:
			c.instant(tr, c.names.of(ev.Type.System, ev.Type.Label), ev)
		case s.Record.ID == callstack.SchedIn && s.Frame.Event:
			c.leave(tr, s, ev)
		// A sched-in without its sched-out: uftrace ends the innermost call, which does not count.
		case s.Record.ID == callstack.SchedIn:
			c.jump(tr, c.shown(s.Task.Index, s.Callers()), s.Record.Time)
			c.instant(tr, c.names.of(ev.Type.System, ev.Type.Label), ev)
		default:
			c.enter(tr, s, ev)
		}
	}
}

// enter begins a call, or the time off the processor.
func (c *calls) enter(tr *Track, s *callstack.Step, ev *tracec.Event) {
	c.sync(tr, s, c.shown(s.Task.Index, s.Callers()))
	c.begin(tr, Span{Name: c.name(s.Frame, s.Entry), Begin: s.Record.Time, Call: true}, ev)
}

// leave ends a call. Its times are the frame's: they include the effects of a loss.
func (c *calls) leave(tr *Track, s *callstack.Step, ev *tracec.Event) {
	n := c.shown(s.Task.Index, s.Callers())
	c.sync(tr, s, min(n+1, max(n, len(tr.Open))))
	begin := s.Record.Time - min(s.Frame.Total, s.Record.Time)
	name := c.name(s.Frame, s.Entry)
	if len(tr.Open) > n && tr.Open[n].Name != name && !tr.Open[n].Unseen { // longjmp has left the call and its caller
		c.jump(tr, n, s.Record.Time)
	}
	if len(tr.Open) == n { // it began unseen
		c.begin(tr, Span{Name: name, Begin: begin, Unseen: true, Call: true}, nil)
	}
	c.close1(tr, s.Frame, begin, s.Record.Time, s.Entry, ev)
}

// close1 ends the innermost span, with the frame that has ended.
func (c *calls) close1(tr *Track, f *callstack.Frame, begin, end uint64, x *uftrace.Entry, ev *tracec.Event) {
	if len(tr.Open) == 0 {
		return
	}
	top := &tr.Open[len(tr.Open)-1]
	top.Begin, top.End, top.Child = begin, end, f.Child
	if top.Unseen && x != nil {
		top.Name = c.name(f, x)
	}
	c.finish(tr, ev)
}

// sync adjusts the number of open spans to n, the number of calls around the call of a step.
// Missing calls began unseen. longjmp jumped over excess calls.
func (c *calls) sync(tr *Track, s *callstack.Step, n int) {
	c.jump(tr, n, s.Record.Time)
	if len(tr.Open) < n {
		c.reopen(tr, s.Task.Index, s.Callers(), n)
	}
}

// reopen opens spans for the frames of a thread, up to n.
func (c *calls) reopen(tr *Track, task int, frames []callstack.Frame, n int) {
	i := 0 // index among the shown frames
	for k := range frames {
		f := &frames[k]
		if c.hidden(task, k, f) {
			continue
		}
		if i >= len(tr.Open) && i < n {
			name := c.inherited(task, k)
			switch {
			case f.Event:
				name = c.names.of("sched", callstack.ScheduleName(f.Addr))
			case f.Sym != nil && f.Addr != 0:
				name = c.symbol(f.Sym)
			}
			c.begin(tr, Span{Name: name, Begin: f.Start, Unseen: true, Call: true}, nil)
		}
		i++
	}
}

// shown counts the frames that are not hidden.
func (c *calls) shown(task int, frames []callstack.Frame) int {
	if !c.hides && c.passed == nil {
		return len(frames)
	}
	n := 0
	for i := range frames {
		if !c.hidden(task, i, &frames[i]) {
			n++
		}
	}
	return n
}

// hidden reports whether an open call is not shown. around is the number of calls around it.
func (c *calls) hidden(task, around int, f *callstack.Frame) bool {
	if c.passed != nil && (around >= len(c.passed[task]) || !c.passed[task][around]) {
		return true
	}
	return c.hides && f.Hidden
}

// passes reports whether filters select a step: a step that passes, or the end of a call that
// passed. A call that passes by its return value is shown when it ends.
func (c *calls) passes(s *callstack.Step, ev *tracec.Event) bool {
	around, list := len(s.Callers()), &c.passed[s.Task.Index]
	passes := c.r.Passes(ev)
	if s.Entry.Kind == uftrace.Leave || s.Record.ID == callstack.SchedIn && s.Entry.Kind == uftrace.Event {
		if around < len(*list) {
			passes = passes || (*list)[around]
			(*list)[around] = false
		}
		return passes
	}
	if s.Frame != nil {
		for len(*list) <= around {
			*list = append(*list, false)
		}
		(*list)[around] = passes
	}
	return passes
}

// close ends the open calls of a thread at the end.
func (c *calls) close(task *callstack.Task, end uint64) {
	tr := c.tracks[task.Index]
	// Hidden times off the processor began outside of functions. They count if they are open at the
	// end.
	if !c.hides && c.passed == nil {
		c.reopen(tr, task.Index, task.Stack, len(task.Stack))
	}
	for len(task.Stack) > 0 {
		last := len(task.Stack) - 1
		hidden := c.hidden(task.Index, last, &task.Stack[last])
		depth := c.shown(task.Index, task.Stack)
		f := task.Close(end)
		if hidden || len(tr.Open) < depth {
			continue
		}
		c.jump(tr, depth, end)
		if f == nil { // it begins after the end
			c.jump(tr, depth-1, end)
			continue
		}
		tr.Open[depth-1].Cut = true
		c.close1(tr, f, end-min(f.Total, end), end, nil, nil)
	}
	c.jump(tr, 0, end)
}

// jump closes spans until n are left, for longjmp and exec. The spans had no recorded end.
func (c *calls) jump(tr *Track, n int, time uint64) {
	for i := n; i < len(tr.Open); i++ {
		tr.Open[i].Left = true
	}
	c.cut(tr, n, time)
}

// name returns the name of a frame. x is the record that the frame ends or begins with.
func (c *calls) name(f *callstack.Frame, x *uftrace.Entry) *Name {
	switch {
	case f.Event && x.Kind == uftrace.Event:
		return c.names.of("sched", callstack.ScheduleName(f.Addr))
	case x.Sym != nil:
		return c.symbol(x.Sym)
	}
	return c.names.of("", "<"+strconv.FormatUint(x.Addr, 16)+">")
}

func (c *calls) symbol(s *uftrace.Symbol) *Name {
	n := c.syms[s.Index]
	if n == nil {
		n = c.names.of(moduleOf(s), s.Shown())
		c.syms[s.Index] = n
	}
	return n
}
