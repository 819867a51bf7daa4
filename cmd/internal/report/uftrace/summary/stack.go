package summary

import (
	"math"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// maxFrames bounds the open calls of a thread: a damaged file may hold millions of entries without an exit. The
// recorder stops at a depth of 1023 (uftrace.md 1.6).
const maxFrames = 1 << 16

// frame is an open call. One that the recording never saw begin has the address 0.
type frame struct {
	addr  uint64
	start uint64
	total uint64 // of a call that has ended; before that it is start, which an exit too many shows
	child uint64 // time of the calls below
	// below has a bit for the address of each call below this one: an address whose bit is not set is not among them.
	// A frame that was not pushed has all bits.
	below  uint64
	sym    *uftrace.Symbol
	event  bool // off the processor; addr is the event id
	hidden bool
	open   bool // it was pushed and not popped. The exit of any other call takes no time: it began unseen
}

// thread is the stack of a thread.
type thread struct {
	task   *uftrace.Task
	comm   string
	frames []frame
	begun  bool
	lost   bool // records are missing before the next one
	over   int  // open calls above maxFrames
	user   int  // open calls of functions
	read   uint64
	perf   bool   // the last record read came from a perf file
	size   uint64 // of the function that was accounted for last
	tally  tally
}

// bit is the bit of an address in frame.below.
func bit(addr uint64) uint64 { return 1 << (addr * 0x9e3779b97f4a7c15 >> 58) }

// push opens a call. It returns nil when too many are open.
func (t *thread) push(addr, time uint64) *frame {
	n := len(t.frames)
	if n == cap(t.frames) {
		if n >= maxFrames {
			t.over++
			return nil
		}
		t.frames = append(t.frames, frame{})
	}
	t.frames = t.frames[:n+1]
	f := &t.frames[n]
	f.addr, f.start, f.total, f.child, f.below = addr, time, time, 0, 0
	f.sym, f.event, f.hidden, f.open = nil, false, false, true
	if n > 0 {
		g := &t.frames[n-1]
		f.below = g.below | bit(g.addr)
	}
	return f
}

// pop closes the innermost call. An exit without an open call yields what last was the outermost one, as in uftrace, and
// nil when there never was one.
func (t *thread) pop(time uint64) *frame {
	n := len(t.frames) - 1
	if n < 0 || t.over > 0 {
		t.over = max(t.over-1, 0)
		if cap(t.frames) == 0 {
			return nil
		}
		return &t.frames[:1][0]
	}
	f := &t.frames[n]
	t.frames = t.frames[:n]
	f.total = time - f.start
	if !f.open {
		f.total = 0
	}
	f.open = false
	if n > 0 {
		t.frames[n-1].child += f.total
	}
	return f
}

// recursive says whether the call that pop returned stands above a call of the same address.
func (t *thread) recursive(f *frame) bool {
	if f.below&bit(f.addr) == 0 {
		return false
	}
	for i := len(t.frames) - 1; i >= 0; i-- {
		if t.frames[i].addr == f.addr {
			return true
		}
	}
	return false
}

// begin prepares a thread whose first record this is: calls that were open before it start now (uftrace.md 2.3). When
// it is an event of a perf file there are none: see.
func (t *thread) begin(time uint64, e *uftrace.Entry) {
	t.begun = true
	t.setDepth(depthBefore(e))
	for i := range t.frames {
		t.frames[i] = frame{start: time, total: time, below: ^uint64(0), open: true}
	}
}

// regain finds the place in the calls again, behind records that were lost. What began among them keeps the addresses
// of older calls and starts 1 ns before this record. The loss itself counts 1 ns below the innermost call; when that began
// among lost records too, it takes all self time from the call that it stands in. All this is what uftrace does.
func (t *thread) regain(time uint64, e *uftrace.Entry) {
	t.begun, t.lost, t.over = true, false, 0
	old := len(t.frames)
	if top := t.lastOpen(); top == old-1 && old > 0 {
		t.frames[top].child++
	} else if top >= 0 {
		t.frames[top].child = math.MaxInt64
	}
	t.setDepth(depthBefore(e))
	for i := old; i < len(t.frames); i++ {
		f := &t.frames[i]
		f.start, f.child, f.open, f.event, f.below = time-1, 0, false, false, ^uint64(0)
	}
	t.user = len(t.frames)
}

// lastOpen is the place of the innermost call whose begin was seen, -1 without any.
func (t *thread) lastOpen() int {
	i := len(t.frames) - 1
	for i >= 0 && !t.frames[i].open {
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
func (t *thread) setDepth(n int) {
	for n > cap(t.frames) {
		t.frames = append(t.frames[:cap(t.frames)], frame{})
	}
	t.frames = t.frames[:n]
}

// threads are the stacks of all tasks of a recording.
type threads struct {
	list     []thread // in the order of Recording.Tasks, which is that of Record.Stream
	byTID    map[int32]*thread
	lastPerf uint64
}

func newThreads(rec *uftrace.Recording) *threads {
	tasks := rec.Tasks()
	ts := &threads{list: make([]thread, len(tasks)), byTID: make(map[int32]*thread, len(tasks))}
	for i, t := range tasks {
		ts.list[i] = thread{task: t, comm: t.Comm}
		ts.byTID[t.TID] = &ts.list[i]
	}
	return ts
}

// last is the time that calls which are still open are taken to end. uftrace keeps the last record of a thread, and
// one record for all perf files together, so that a thread whose last record is a perf event has the time of the last
// perf event of any thread.
func (ts *threads) last(t *thread) uint64 {
	if t.perf {
		return ts.lastPerf
	}
	return t.read
}

// see notes that an event was read, whether it counts or not. A child of fork that is scheduled before it returns has no
// open calls, since events of perf files are recorded at depth 0.
func (ts *threads) see(t *thread, r *record.Record, e *uftrace.Entry) {
	t.read, t.perf = r.Time, e.Source == uftrace.Perf
	t.begun = t.begun || isSchedule(r.ID) // at depth 0
	if t.perf {
		ts.lastPerf = r.Time
		if r.ID == play.TaskName {
			t.comm = string(r.Data)
		}
	}
}

// isSchedule says whether an event takes the thread off its processor or back.
func isSchedule(id uint32) bool {
	return id == play.SchedIn || id == play.SchedOut || id == play.SchedOutPreempt
}

// scheduleName is the name under which the time off the processor is shown, by the id of the event that began it.
func scheduleName(id uint64) string {
	if id == play.SchedOutPreempt {
		return "linux:schedule (pre-empted)"
	}
	return "linux:schedule"
}
