package tracecmd

import (
	"fmt"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/render"
)

// appendTask appends "comm-pid", comm right-aligned to 16 and pid left-aligned to 5 bytes. In
// latency format comm is cut to 8 bytes.
func appendTask(dst []byte, comm string, pid int32, latency bool) []byte {
	width := 16
	if latency {
		width = 8
		if len(comm) > width {
			comm = comm[:width]
		}
	}
	for n := width - len(comm); n > 0; n-- {
		dst = append(dst, ' ')
	}
	dst = append(dst, comm...)
	dst = append(dst, '-')
	start := len(dst)
	dst = render.Dec(dst, int64(pid))
	return padRight(dst, start, 5)
}

// taskCache caches the task columns of recent tasks: nearly all records of a recording belong to
// few tasks. The low bits of the pid select the slot.
type taskCache struct {
	slots   []taskSlot
	comm    func(pid int32) string
	latency bool
}

type taskSlot struct {
	pid  int32
	n    uint8 // length of the column; 0 for an empty slot
	text [39]byte
}

const taskSlots = 4096

func newTaskCache(comm func(int32) string, latency bool) *taskCache {
	return &taskCache{slots: make([]taskSlot, taskSlots), comm: comm, latency: latency}
}

func (c *taskCache) append(dst []byte, pid int32) []byte {
	s := &c.slots[uint32(pid)%taskSlots]
	if s.n != 0 && s.pid == pid {
		return append(dst, s.text[:s.n]...)
	}
	start := len(dst)
	dst = appendTask(dst, c.comm(pid), pid, c.latency)
	if n := copy(s.text[:], dst[start:]); n == len(dst)-start {
		s.pid, s.n = pid, uint8(n)
	} else {
		s.n = 0 // too long to cache
	}
	return dst
}

// forget drops the columns of a task with a new name.
func (c *taskCache) forget(pid int32) { c.slots[uint32(pid)%taskSlots].n = 0 }

// clear drops the columns of all tasks.
func (c *taskCache) clear() {
	for i := range c.slots {
		c.slots[i].n = 0
	}
}

// latencyFields holds the offsets of the data for the latency columns. A missing field has size 0.
type latencyFields struct {
	flags, preempt, lockDepth, migrate span
	lazyCount                          span // depth of lazily disabled preemption, of PREEMPT_RT before 6.12
	big                                bool
	lazy                               bool // trace-cmd 3.4: the bit of flagNoSupport means a lazy resched
}

type span struct{ off, size int }

func newLatencyFields(f *ftrace.Format, big bool) latencyFields {
	l := latencyFields{big: big}
	for i := range f.Fields {
		at := span{f.Fields[i].Offset, f.Fields[i].Size}
		switch f.Fields[i].Name {
		case "common_flags":
			l.flags = at
		case "common_preempt_count":
			l.preempt = at
		case "common_lock_depth":
			l.lockDepth = at
		case "common_migrate_disable":
			l.migrate = at
		case "common_preempt_lazy_count":
			l.lazyCount = at
		}
	}
	return l
}

// of reads a field of 1, 2 or 4 bytes. It returns 0 if the record is too short.
func (s span) of(data []byte, big bool) uint32 {
	if s.size == 0 || s.off+s.size > len(data) {
		return 0
	}
	var v uint32
	for i := range min(s.size, 4) {
		at := s.off + i
		if !big {
			at = s.off + min(s.size, 4) - 1 - i
		}
		v = v<<8 | uint32(data[at])
	}
	return v
}

// The bits of common_flags (include/linux/trace_events.h, enum trace_flag_type) that trace-cmd 3.1
// shows.
const (
	flagIRQsOff   = 1 << 0
	flagNoSupport = 1 << 1
	flagResched   = 1 << 2
	flagHardIRQ   = 1 << 3
	flagSoftIRQ   = 1 << 4
)

// append appends the five characters that trace-cmd 3.1 prints after the CPU: interrupts off,
// resched wanted, context, preemption depth and depth of disabled migration. kernelFlags appends
// the kernel's letters.
func (l *latencyFields) append(dst []byte, data []byte) []byte {
	flags := l.flags.of(data, l.big)
	irqs := byte('.')
	switch {
	case flags&flagIRQsOff != 0:
		irqs = 'd'
	case flags&flagNoSupport != 0 && !l.lazy:
		irqs = 'X'
	}
	resched := byte('.')
	switch {
	case flags&flagResched != 0:
		resched = 'N'
	case flags&flagNoSupport != 0 && l.lazy:
		resched = 'L'
	}
	context := [4]byte{'.', 'h', 's', 'H'}[flags>>3&3]
	preempt := l.preempt.of(data, l.big)
	dst = append(dst, irqs, resched, context, depthDigit(preempt&0xf))
	if l.migrate.size != 0 {
		dst = appendDepth(dst, l.migrate.of(data, l.big))
	} else {
		dst = append(dst, depthDigit(preempt>>4&0xf))
	}
	if l.lockDepth.size != 0 {
		dst = appendDepth(dst, l.lockDepth.of(data, l.big))
	}
	return dst
}

func depthDigit(v uint32) byte {
	if v == 0 {
		return '.'
	}
	return "0123456789abcdef"[v&0xf]
}

// appendDepth appends a depth from a field of its own. Depths are not negative.
func appendDepth(dst []byte, v uint32) []byte {
	if int32(v) < 0 {
		return append(dst, '.')
	}
	return render.Udec(dst, uint64(v))
}

// cpuColumns holds the columns of the processors of one buffer: " [001]", or the number before the
// latency columns.
type cpuColumns struct {
	cols    [][]byte // by CPU; empty before its first record
	latency bool
}

// maxColumns bounds the table; numbers above it come from damage.
const maxColumns = 8192

func (c *cpuColumns) append(dst []byte, cpu int32) []byte {
	if uint32(cpu) < uint32(len(c.cols)) && c.cols[cpu] != nil {
		return append(dst, c.cols[cpu]...)
	}
	format := " [%03d]"
	if c.latency {
		format = " %3d"
	}
	if uint32(cpu) >= maxColumns {
		return fmt.Appendf(dst, format, cpu)
	}
	for len(c.cols) <= int(cpu) {
		c.cols = append(c.cols, nil)
	}
	c.cols[cpu] = fmt.Appendf(nil, format, cpu)
	return append(dst, c.cols[cpu]...)
}
