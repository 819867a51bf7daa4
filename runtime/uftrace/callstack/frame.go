package callstack

import (
	"math"
	"strconv"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// maxFrames limits the open calls of a thread: a damaged file may hold millions of entries without
// an exit. The recorder stops at a depth of 1023 (uftrace.md 1.6).
const maxFrames = 1 << 16

// Frame is one open call. The recording may lack its beginning (inherited by fork, or before the
// first record). The call then has the address 0 and starts with the first record of its task.
type Frame struct {
	Addr  uint64
	Sym   *uftrace.Symbol // nil if unknown
	Start uint64          // in ns, as Total and Child
	Total uint64          // duration of the call after its end; before that, as in uftrace, the same as Start
	Child uint64          // time of the calls below
	// below has a bit for the address of each enclosing call. If the bit of an address is not set,
	// no enclosing call has this address. A frame that was not pushed has all bits.
	below uint64
	// Event is set if the frame is not a function: the task is off the processor, from sched-out to
	// sched-in. Addr is then the id of the sched-out.
	Event bool
	// Hidden is set if filters hide the call; no step shows it.
	Hidden bool

	pushed bool // pushed and not popped; the exit of any other call takes no time, because it began unseen
	flags  frameFlags
	depth  int32 // limit of the depth filter before the call
}

type frameFlags uint8

// The marks of a frame.
const (
	frameIn      frameFlags = 1 << iota // it was counted in Task.in
	frameOut                            // it was counted in Task.out
	frameMute                           // for an event: it was not shown
	frameAssumed                        // it began before the stretch, and nothing has begun in its place
)

// Self returns the duration of a call that has ended, without the time of the calls below it, in
// ns.
func (f *Frame) Self() uint64 { return f.Total - min(f.Child, f.Total) }

// Name returns the name of the function (Symbol.Shown). For an unknown function, it is the address
// in angle brackets. For the time off the processor, it is linux:schedule.
func (f *Frame) Name() string {
	switch {
	case f.Event:
		return ScheduleName(f.Addr)
	case f.Sym != nil:
		return f.Sym.Shown()
	}
	return "<" + strconv.FormatUint(f.Addr, 16) + ">"
}

// anyBelow are all bits of Frame.below.
const anyBelow = math.MaxUint64

// bit returns the bit of an address in Frame.below.
func bit(addr uint64) uint64 { return 1 << (addr * 0x9e3779b97f4a7c15 >> 58) }

// push opens a call. The frame keeps the marks and the depth of the last call at its place.
func (t *Task) push(addr, time uint64, sym *uftrace.Symbol) *Frame {
	n := len(t.Stack)
	if n == cap(t.Stack) && !t.room() {
		return &t.spare
	}
	t.Stack, t.leaf = t.Stack[:n+1], n
	f := &t.Stack[n]
	f.open(addr, time, sym)
	if n > 0 {
		f.under(&t.Stack[n-1])
	}
	return f
}

// has reports whether the stack has room for one more call.
func (t *Task) has() bool { return len(t.Stack) < cap(t.Stack) && t.over == 0 }

// call is push and pop of a call without calls of its own. There must be room for it.
func (t *Task) call(addr, begin, end uint64, sym *uftrace.Symbol) *Frame {
	n := len(t.Stack)
	t.leaf = n
	f := &t.Stack[:n+1][n]
	f.open(addr, begin, sym)
	f.Total, f.pushed = end-begin, false
	if n > 0 {
		around := &t.Stack[n-1]
		f.under(around)
		around.Child += f.Total
	}
	return f
}

// open begins the call without an enclosing call.
func (f *Frame) open(addr, time uint64, sym *uftrace.Symbol) {
	f.Addr, f.Start, f.Total, f.Child, f.below = addr, time, time, 0, 0
	f.Sym, f.Event, f.Hidden = sym, false, false
	f.pushed = true
	f.flags &^= frameAssumed
}

// under makes g the enclosing call.
func (f *Frame) under(g *Frame) { f.below = g.below | bit(g.Addr) }

// room makes room for one more call. It returns false if too many are open.
func (t *Task) room() bool {
	if len(t.Stack) >= maxFrames {
		t.over++
		t.doubt()
		return false
	}
	t.grow(len(t.Stack) + 1)
	return true
}

// grow makes room for n open calls.
func (t *Task) grow(n int) {
	open := len(t.Stack)
	frames := make([]Frame, max(n, 2*cap(t.Stack), 16))
	for i := copy(frames, t.Stack[:cap(t.Stack)]); i < len(frames); i++ {
		frames[i].depth = t.limit
		if t.stretch != nil {
			frames[i].flags = frameAssumed
		}
	}
	t.Stack = frames[:open]
}

// first returns the frame of the outermost call, which may have ended.
func (t *Task) first() *Frame {
	if cap(t.Stack) == 0 {
		t.grow(1)
	}
	return &t.Stack[:1][0]
}

// pop closes the innermost call at a time and adds its times. Without an open call it returns the
// former frame of the first call, unchanged, because uftrace prints that frame. The frame is valid
// until the next push.
func (t *Task) pop(now uint64) *Frame {
	n := len(t.Stack) - 1
	if n < 0 || t.over > 0 {
		return t.popNone()
	}
	if n < t.assumed {
		return t.popAssumed(n, now)
	}
	f := &t.Stack[n]
	t.Stack = t.Stack[:n]
	f.Total = now - f.Start
	if !f.pushed {
		f.Total = 0
	}
	f.pushed = false
	if n > 0 {
		t.Stack[n-1].Child += f.Total
	}
	return f
}

func (t *Task) popNone() *Frame {
	t.doubt()
	if t.over > 0 {
		t.over--
		return &t.spare
	}
	return t.first()
}

// resize sets the number of open calls, if it is known from another source. Calls that reappear
// have their former contents.
func (t *Task) resize(n int) {
	if n > cap(t.Stack) {
		t.grow(n)
	}
	old := len(t.Stack)
	t.Stack = t.Stack[:n]
	for i := old; i < n; i++ {
		t.Stack[i].below = math.MaxUint64
	}
}

// depthBefore returns the number of open calls before a record.
func depthBefore(e *uftrace.Entry) int {
	if e.Kind == uftrace.Leave {
		return int(e.Depth) + 1
	}
	return int(e.Depth)
}

// begin prepares a thread for its first record: calls that were open before it start now
// (uftrace.md 2.3). If the record is an event, uftrace assumes that the thread begins outside of
// all functions.
func (t *Task) begin(time uint64, e *uftrace.Entry) {
	t.begun, t.endFirst = true, e.Kind == uftrace.Leave
	if e.Kind > uftrace.Leave {
		return
	}
	if t.stretch != nil {
		t.assume(time, e)
		return
	}
	t.resize(depthBefore(e))
	for i := range t.Stack {
		t.Stack[i] = Frame{Start: time, Total: time, below: math.MaxUint64, depth: t.left, pushed: true}
	}
}

// EndFirst reports whether the first record of the thread is the end of a call.
func (t *Task) EndFirst() bool { return t.endFirst }

// regain finds the place in the calls again, after lost records. Calls that began among them keep
// the addresses of older calls and start 1 ns before this record. The loss itself counts 1 ns below
// the innermost call. If that call also began among lost records, it takes all self time from the
// enclosing call. All this is uftrace's behavior.
func (t *Task) regain(time uint64, e *uftrace.Entry) {
	t.begun, t.lost, t.over = true, false, 0
	old := len(t.Stack)
	if top := t.lastPushed(); top == old-1 && old > 0 {
		t.Stack[top].Child++
	} else if top >= 0 {
		t.Stack[top].Child = math.MaxInt64
	}
	t.resize(depthBefore(e))
	for i := old; i < len(t.Stack); i++ {
		f := &t.Stack[i]
		f.Start, f.Child, f.flags, f.Event, f.pushed = time-1, 0, 0, false, false
	}
	t.user = len(t.Stack)
}

// lastPushed returns the place of the innermost call whose begin was seen, or -1.
func (t *Task) lastPushed() int {
	i := len(t.Stack) - 1
	for i >= 0 && !t.Stack[i].pushed {
		i--
	}
	return i
}

// off opens a frame for the time off the processor.
func (t *Task) off(r *record.Record, mute bool) *Frame {
	f := t.push(uint64(r.ID), r.Time, nil)
	f.Event = true
	f.flags &^= frameMute
	if mute {
		f.flags |= frameMute
	}
	return f
}

// on closes the innermost frame by a sched-in. If the sched-out is missing, that frame is not an
// event. uftrace closes it as well. on returns nil without an open call.
func (t *Task) on(r *record.Record) *Frame {
	if len(t.Stack) == 0 || t.over > 0 {
		return nil
	}
	f := t.pop(r.Time)
	if !f.Event {
		t.doubt()
	}
	return f
}

// muted reports whether a sched-in ends a time off the processor that was not shown. The sched-in
// is then not shown either.
func (t *Task) muted() bool {
	n := len(t.Stack)
	return n > 0 && t.Stack[n-1].Event && t.Stack[n-1].flags&frameMute != 0
}

// Callers returns the open calls around the call that a record began last, outermost first. The
// result aliases Stack.
func (t *Task) Callers() []Frame { return t.Stack[:t.leaf] }

// Recursive reports whether a call that has just ended was below a call of the same address.
func (t *Task) Recursive(f *Frame) bool {
	if f.below&bit(f.Addr) == 0 {
		return false
	}
	return t.isOpen(f.Addr)
}

func (t *Task) isOpen(addr uint64) bool {
	for i := len(t.Stack) - 1; i >= t.assumed; i-- {
		if t.Stack[i].Addr == addr {
			return true
		}
	}
	return false
}

// IsOpen reports whether a call of the address is open.
func (t *Task) IsOpen(addr uint64) bool {
	n := len(t.Stack)
	return n > 0 && (t.Stack[n-1].below|bit(t.Stack[n-1].Addr))&bit(addr) != 0 && t.isOpen(addr)
}

// Close ends the innermost call at the end of the recording. As in uftrace, this includes hidden
// calls and calls without a begin. It returns nil for a call that begins after the end, which does
// not count. There must be an open call.
func (t *Task) Close(end uint64) *Frame {
	t.over = 0
	f := &t.Stack[len(t.Stack)-1]
	if f.Start > end {
		t.Drop()
		return nil
	}
	f.pushed = true
	return t.pop(end)
}

// Drop removes the innermost call. There must be one.
func (t *Task) Drop() { t.Stack = t.Stack[:len(t.Stack)-1] }
