package report

import (
	"cmp"
	"math/bits"

	"github.com/tracec/tracec/runtime/record"
)

// A Count is a number of events, with the times of the first and the last, in units of the
// recording's clock.
type Count struct {
	N           int64
	First, Last uint64
}

// Add counts an event. Times may step back, since streams may be read one after the other.
func (c *Count) Add(time uint64) {
	if c.N == 0 || time < c.First {
		c.First = time
	}
	if time > c.Last {
		c.Last = time
	}
	c.N++
}

// join adds another count.
func (c *Count) join(o Count) {
	if o.N == 0 {
		return
	}
	if c.N == 0 || o.First < c.First {
		c.First = o.First
	}
	c.Last = max(c.Last, o.Last)
	c.N += o.N
}

// Tally counts events by kind, processor and thread. All three are found by number. Counting needs
// no map lookup, and allocates only for the first event of a kind.
type Tally struct {
	// Memory limits the memory of the recording, in bytes; 0 means record.DefaultMemory. Half of it
	// is for threads. Threads beyond it are counted together.
	Memory int64

	Events []Count // by the caller's number for kinds of events
	CPUs   []Count // by processor
	tasks  taskTable
	cpu    int32  // processor of the last event, whose count is onCPU
	onCPU  *Count // in CPUs; nil if cpu is unknown

	Gaps, Lost  int64
	LostUnknown bool // the size of some gaps is unknown
}

// maxCPU bounds the table of processors, since a damaged recording may hold any number.
const maxCPU = 1 << 16

// Add counts an event. cpu is -1 if unknown, task is NoTask if unknown.
func (t *Tally) Add(event uint32, cpu int32, task int64, time uint64) {
	if int(event) >= len(t.Events) {
		t.Events = append(t.Events, make([]Count, int(event)+1-len(t.Events))...)
	}
	t.Events[event].Add(time)
	if cpu != t.cpu || t.onCPU == nil {
		t.processor(cpu)
	}
	if t.onCPU != nil {
		t.onCPU.Add(time)
	}
	switch last := t.tasks.last; {
	case last != nil && last.id == task:
		last.Add(time)
	case task != NoTask:
		t.tasks.find(task, t.Memory).Add(time)
	}
}

// processor finds the count of a processor.
func (t *Tally) processor(cpu int32) {
	if t.cpu, t.onCPU = cpu, nil; cpu < 0 || cpu >= maxCPU {
		return
	}
	if int(cpu) >= len(t.CPUs) {
		t.CPUs = append(t.CPUs, make([]Count, int(cpu)+1-len(t.CPUs))...)
	}
	t.onCPU = &t.CPUs[cpu]
}

// All counts the events of all kinds together.
func (t *Tally) All() (all Count) {
	for _, c := range t.Events {
		all.join(c)
	}
	return all
}

// Miss counts a gap. lost is the number of lost events, negative if unknown.
func (t *Tally) Miss(lost int64) {
	t.Gaps++
	if lost < 0 {
		t.LostUnknown = true
		return
	}
	t.Lost += lost
}

// NoTask is the task of events that do not record a thread.
const NoTask = -1 << 63

// taskBytes is the memory for a thread: its count, and its rows with their texts.
const taskBytes = 1200

// mostTasks returns the number of threads that are counted one by one. It is bounded since a
// recording may have a new thread in every event.
func mostTasks(memory int64) int {
	return int(min(cmp.Or(memory, record.DefaultMemory)/2/taskBytes, 1<<20))
}

// taskTable is a hash table of counts by thread, with open addressing. Most events have the same
// thread as the event before.
type taskTable struct {
	slots  []taskCount // the length is a power of two
	used   int
	last   *taskCount
	others Count
}

type taskCount struct {
	id int64
	Count
}

func (t *taskTable) find(id, memory int64) *Count {
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	s := t.slot(id)
	if s.N == 0 {
		if t.used >= mostTasks(memory) {
			return &t.others
		}
		s.id = id
		t.used++
	}
	t.last = s
	return &s.Count
}

// slot returns the place of a thread. A place without events is free.
func (t *taskTable) slot(id int64) *taskCount {
	mask := uint64(len(t.slots) - 1)
	h := uint64(id) * 0x9e3779b97f4a7c15
	h ^= bits.RotateLeft64(h, 32)
	for i := h & mask; ; i = (i + 1) & mask {
		if s := &t.slots[i]; s.N == 0 || s.id == id {
			return s
		}
	}
}

func (t *taskTable) grow() {
	old := t.slots
	t.slots, t.last = make([]taskCount, max(64, 2*len(old))), nil
	for _, s := range old {
		if s.N > 0 {
			*t.slot(s.id) = s
		}
	}
}
