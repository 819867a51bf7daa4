package callstack

import (
	"math"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// filters decide which calls are shown.
type filters struct {
	actions   actions
	levels    int32 // number of levels that -D allows
	noLibcall bool
	bigEndian bool // byte order of the values that conditions compare
	limited   bool // there are filters
	inside    bool // functions outside of functions with doFilter are hidden
	located   bool // functions without doLoc are hidden
	callers   bool // only functions that lead to one with doCaller are shown
	byPlace   bool // calls are hidden only by -D, or at some functions and below them

	disabled bool // --disable
	off      bool // trace_off
	asleep   bool // tracing was never on
	next     admission
}

// admission holds the changes that the Enter after the step makes if it is shown.
type admission struct {
	action *action
	left   int32 // levels that remain below
	in     bool
	off    bool
	asleep bool // nothing was shown before
}

// single are the actions that hide single calls for their own properties, before the merge.
const single = doTime | doSize | doCaller

// newFilters compiles the options that hide functions.
func newFilters(rec *uftrace.Recording, o *Options) filters {
	fn := &o.Functions
	f := filters{actions: compile(rec, fn), noLibcall: fn.NoLibcall, bigEndian: rec.Info().BigEndian,
		levels: math.MaxInt32}
	all := f.actions.all
	f.located, f.callers = all&doLoc != 0, all&doCaller != 0
	f.asleep, f.limited = fn.Disable, fn.NoLibcall
	if o.Raw {
		return f
	}
	f.off, f.disabled = fn.Disable, fn.Disable
	f.inside = all&doFilter != 0 || fn.Only != nil
	if o.Limits.Depth > 0 {
		f.levels = int32(min(o.Limits.Depth, math.MaxInt32))
	}
	f.limited = fn.NoLibcall || fn.Disable || all != 0 || f.inside || o.Limits.Depth > 0
	f.byPlace = !fn.NoLibcall && !fn.Disable && all&(single|doLoc|doNotLoc) == 0
	return f
}

// switched returns the new value of off at a function.
func (f *filters) switched(e *uftrace.Entry, off bool) bool {
	if a := f.actions.of(e.Sym); a != nil {
		off = (off || a.flags&doTraceOff != 0) && a.flags&doTraceOn == 0
	}
	return off
}

// verdict is the decision about a call.
type verdict uint8

const (
	hidden verdict = iota
	shown
	missed // it is not shown, but its end is shown if tracing is on again by then
)

// judge applies the filters and triggers at a function.
func (f *filters) judge(t *Task, r *record.Record, e *uftrace.Entry) (v verdict, flags frameFlags) {
	next, a := &f.next, f.actions.of(e.Sym)
	var do actionFlags
	if a != nil {
		next.action, do = a, a.flags
		if a.cond.arg != 0 && do&(doFilter|doNotrace) != 0 && !a.cond.holds(e.Sym, r, f.bigEndian) {
			do &^= doFilter | doNotrace
		}
	}
	switch {
	case do&doFilter != 0:
		next.in, flags = true, frameIn
		next.left = t.limit
	case do&doNotrace != 0:
		return hidden, frameOut
	case f.inside && t.in == 0:
		return hidden, 0
	}
	if f.elsewhere(do) {
		return hidden, flags
	}
	if do&doDepth != 0 {
		next.left = a.depth
	}
	if do&doTraceOn != 0 {
		next.off = false
	}
	if do&doTraceOff != 0 {
		next.off = true
	}
	if next.off {
		return missed, flags
	}
	f.asleep = false
	if do&doHide != 0 {
		return hidden, flags
	}
	if next.left <= 0 {
		return hidden, flags
	}
	next.left--
	return shown, flags
}

// elsewhere reports whether -L hides a function because of its file. Its calls stay on the stack,
// as with -H.
func (f *filters) elsewhere(do actionFlags) bool {
	return do&doNotLoc != 0 || f.located && do&doLoc == 0
}

// stopsElsewhere reports whether uftrace, while it looks for the end of a call, stops at a call
// that -L hides. It does if nothing else hides that call. The exceptions are calls outside of the
// functions of -F, if files are selected rather than excluded.
func (f *filters) stopsElsewhere(t *Task, e *uftrace.Entry) bool {
	if f.actions.all&(doLoc|doNotLoc) == 0 || e.Kind != uftrace.Enter || t.out > 0 || t.left <= 0 || f.libcall(e) {
		return false
	}
	var do actionFlags
	if a := f.actions.of(e.Sym); a != nil {
		do = a.flags
	}
	switch {
	case !f.elsewhere(do) || do&(doNotrace|doHide) != 0:
		return false
	case do&(doFilter|doNotLoc) == 0 && t.in == 0:
		return false
	}
	return !f.inside || t.in > 0 || do&doFilter != 0
}

// stopsAtTrigger reports whether uftrace, while it looks for the end of a call, stops at a call
// that is not shown. It does at a function with trace_on that only -D hides, and at a function with
// depth= or trace_on that hide hides.
func (f *filters) stopsAtTrigger(t *Task, e *uftrace.Entry) bool {
	if f.actions.all&(doTraceOn|doDepth) == 0 || e.Kind != uftrace.Enter || t.out > 0 || f.inside && t.in == 0 {
		return false
	}
	a := f.actions.of(e.Sym)
	switch {
	case a == nil || a.flags&doNotrace != 0:
		return false
	case a.flags&doHide != 0:
		return a.flags&(doTraceOn|doDepth) != 0
	}
	return t.left <= 0 && a.flags&doTraceOn != 0
}

// enter applies the decisions of the admission to a call that is shown.
func (f *filters) enter(t *Task, call *Frame, s *Step) {
	n := &f.next
	call.depth = t.left
	t.left, f.off = n.left, n.off
	if n.in {
		t.in++
		call.flags |= frameIn
	}
	t.color = ColorNone
	if n.action != nil {
		s.Backtrace = n.action.flags&doBacktrace != 0
		t.color = n.action.color
		s.Color = t.color
	}
}

// judgeUnseen applies filters to the end of a call whose begin was lost.
func (f *filters) judgeUnseen(t *Task, call *Frame, e *uftrace.Entry) {
	a := f.actions.of(e.Sym)
	switch {
	case a == nil:
	case a.flags&(doNotrace|doHide) != 0:
		call.Hidden = true
	case a.flags&doFilter != 0 && t.out == 0:
		call.Hidden = false
	}
}

// libcall reports whether a record is a call into a library, which --no-libcall hides.
func (f *filters) libcall(e *uftrace.Entry) bool {
	return f.noLibcall && e.Sym != nil && e.Sym.Type == 'P'
}

// release undoes the effect of a call on the filters.
func (t *Task) release(f *Frame) {
	if f.flags&frameIn != 0 && t.in > 0 {
		t.in--
	}
	if f.flags&frameOut != 0 && t.out > 0 {
		t.out--
	}
	t.left, f.flags, f.Hidden = f.depth, 0, false
}

// shows reports whether events are shown at the place of a thread.
func (f *filters) shows(t *Task) bool { return !f.off && f.within(t) }

// within is shows, independent of whether tracing is on.
func (f *filters) within(t *Task) bool {
	return t.out == 0 && (!f.inside || t.in > 0) && t.left > 0
}
