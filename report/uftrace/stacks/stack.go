// Package stacks follows the calls of the threads of a recording without any filter, as uftrace report and graph do.
// It is several times as fast as the player, and closes what is open at the end as these commands do, not as replay does.
//
// What it does in the corners (losses, exits too many, setjmp, perf events first) was found by comparing several hundred
// made-up recordings with uftrace 0.13; uftrace.md 2.3 has the rest.
package stacks

import (
	"math"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// maxFrames bounds the open calls of a thread: a damaged file may hold millions of entries without an exit. The
// recorder stops at a depth of 1023 (uftrace.md 1.6).
const maxFrames = 1 << 16

// Frame is an open call. One that the recording never saw begin has the address 0.
type Frame struct {
	Addr  uint64
	Start uint64 // in ns
	Total uint64 // of a call that has ended; before that it is Start, which an exit too many shows
	Child uint64 // time of the calls below
	// below has a bit for the address of each call below this one: an address whose bit is not set is not among them.
	// A frame that was not pushed has all bits.
	below  uint64
	Sym    *uftrace.Symbol
	Event  bool // off the processor; Addr is the id of the sched-out
	Hidden bool // an event that the options do not show
	open   bool // it was pushed and not popped. The exit of any other call takes no time: it began unseen
}

// Thread is the stack of a thread.
type Thread struct {
	Task   *uftrace.Task
	Index  int // in Recording.Tasks
	Comm   string
	Frames []Frame // open calls, outermost first
	// Unsettled says that the next entry or exit must be given to Settle first.
	Unsettled bool
	lost      bool // records are missing before the next one
	over      int  // open calls above maxFrames
	user      int  // open calls of functions
	read      uint64
	perf      bool // the last record read came from a perf file
}

// bit is the bit of an address in Frame.below.
func bit(addr uint64) uint64 { return 1 << (addr * 0x9e3779b97f4a7c15 >> 58) }

// Push opens a call.
func (t *Thread) Push(addr, time uint64, sym *uftrace.Symbol) {
	t.user++
	if f := t.push(addr, time); f != nil {
		f.Sym = sym
	}
}

// push opens a call. It returns nil when too many are open.
func (t *Thread) push(addr, time uint64) *Frame {
	n := len(t.Frames)
	if n == cap(t.Frames) {
		if n >= maxFrames {
			t.over++
			return nil
		}
		t.Frames = append(t.Frames, Frame{})
	}
	t.Frames = t.Frames[:n+1]
	f := &t.Frames[n]
	f.Addr, f.Start, f.Total, f.Child, f.below = addr, time, time, 0, 0
	f.Sym, f.Event, f.Hidden, f.open = nil, false, false, true
	if n > 0 {
		g := &t.Frames[n-1]
		f.below = g.below | bit(g.Addr)
	}
	return f
}

// Pop closes the innermost call of a function. The frame is valid until the next push.
func (t *Thread) Pop(time uint64) *Frame {
	if t.user > 0 {
		t.user--
	}
	return t.pop(time)
}

// pop closes the innermost call. An exit without an open call yields what last was the outermost one, as in uftrace.
func (t *Thread) pop(time uint64) *Frame {
	n := len(t.Frames) - 1
	if n < 0 || t.over > 0 {
		t.over = max(t.over-1, 0)
		if cap(t.Frames) == 0 {
			t.Frames = make([]Frame, 0, 8)
		}
		return &t.Frames[:1][0]
	}
	f := &t.Frames[n]
	t.Frames = t.Frames[:n]
	f.Total = time - f.Start
	if !f.open {
		f.Total = 0
	}
	f.open = false
	if n > 0 {
		t.Frames[n-1].Child += f.Total
	}
	return f
}

// Recursive says whether the call that Pop returned stands above a call of the same address.
func (t *Thread) Recursive(f *Frame) bool {
	if f.below&bit(f.Addr) == 0 {
		return false
	}
	for i := len(t.Frames) - 1; i >= 0; i-- {
		if t.Frames[i].Addr == f.Addr {
			return true
		}
	}
	return false
}

// Lose notes that records are missing.
func (t *Thread) Lose() { t.lost, t.Unsettled = true, true }

// Settle finds the place in the calls for the first entry or exit of a thread, and for the first one behind a loss.
func (t *Thread) Settle(r *record.Record, e *uftrace.Entry) {
	switch {
	case e.Kind > uftrace.Leave:
		return
	case t.lost:
		t.regain(r.Time, e)
	default:
		t.begin(r.Time, e)
	}
	t.lost, t.Unsettled = false, false
}

// begin prepares a thread whose first record this is: calls that were open before it start now (uftrace.md 2.3). Behind
// a schedule event of a perf file there are none: see.
func (t *Thread) begin(time uint64, e *uftrace.Entry) {
	t.setDepth(depthBefore(e))
	for i := range t.Frames {
		t.Frames[i] = Frame{Start: time, Total: time, below: ^uint64(0), open: true}
	}
}

// regain finds the place in the calls again, behind records that were lost. What began among them keeps the addresses
// of older calls and starts 1 ns before this record. The loss itself counts 1 ns below the innermost call; when that began
// among lost records too, it takes all self time from the call that it stands in. All this is what uftrace does.
func (t *Thread) regain(time uint64, e *uftrace.Entry) {
	t.over = 0
	old := len(t.Frames)
	if top := t.lastOpen(); top == old-1 && old > 0 {
		t.Frames[top].Child++
	} else if top >= 0 {
		t.Frames[top].Child = math.MaxInt64
	}
	t.setDepth(depthBefore(e))
	for i := old; i < len(t.Frames); i++ {
		f := &t.Frames[i]
		f.Start, f.Child, f.open, f.Event, f.below = time-1, 0, false, false, ^uint64(0)
	}
	t.user = len(t.Frames)
}

// lastOpen is the place of the innermost call whose begin was seen, -1 without any.
func (t *Thread) lastOpen() int {
	i := len(t.Frames) - 1
	for i >= 0 && !t.Frames[i].open {
		i--
	}
	return i
}

// depthBefore is the number of open calls before a record.
func depthBefore(e *uftrace.Entry) int {
	if e.Kind == uftrace.Leave {
		return int(e.Depth) + 1
	}
	return int(e.Depth)
}

// setDepth changes the number of open calls. Calls that come up are what was there before.
func (t *Thread) setDepth(n int) {
	for n > cap(t.Frames) {
		t.Frames = append(t.Frames[:cap(t.Frames)], Frame{})
	}
	t.Frames = t.Frames[:n]
}

// Off takes the thread off its processor by a sched-out.
func (t *Thread) Off(r *record.Record, shown bool) {
	if f := t.push(uint64(r.ID), r.Time); f != nil {
		f.Event, f.Hidden = true, !shown
	}
}

// On puts it back. It closes whatever is innermost, which is no event when the sched-out is missing: so does uftrace. It
// returns nil without an open call.
func (t *Thread) On(r *record.Record) *Frame {
	if len(t.Frames) == 0 || t.over > 0 {
		return nil
	}
	return t.pop(r.Time)
}

// ShowsOn says whether the sched-in that closed f counts.
func (t *Thread) ShowsOn(o *callstack.Options, f *Frame) bool {
	if f != nil && f.Event {
		return !f.Hidden
	}
	return t.ShowsEvent(o, callstack.SchedIn)
}

// ShowsEvent says whether an event counts: only within functions, unless --event-full.
func (t *Thread) ShowsEvent(o *callstack.Options, id uint32) bool {
	if o.NoEvent || t.user == 0 && !o.EventFull {
		return false
	}
	switch id {
	case callstack.SchedIn, callstack.SchedOut:
		return !o.NoSched
	case callstack.SchedOutPreempt:
		return !o.NoSched && !o.NoSchedPreempt
	}
	return true
}

// Close closes the innermost call at the end of the recording, even when nobody saw it begin. It returns nil for one
// that begins behind the end, which does not count. There must be one.
func (t *Thread) Close(end uint64) *Frame {
	t.over = 0
	f := &t.Frames[len(t.Frames)-1]
	if f.Start > end {
		t.Drop()
		return nil
	}
	f.open = true
	return t.pop(end)
}

// Drop removes the innermost call.
func (t *Thread) Drop() { t.Frames = t.Frames[:len(t.Frames)-1] }
