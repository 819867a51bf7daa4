package perf

import (
	"encoding/binary"
	"slices"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/render"
)

// threadForm is the form in which threads and processors are printed.
type threadForm struct {
	fields  Fields // of the name, the process, the thread and the processor
	latency bool   // in the form of latency tracers
	bare    bool   // names are not aligned, as in lines with call chains
	digits  int
}

// sideColumn returns the column of side-band records.
func (t threadForm) sideColumn() column {
	return func(dst []byte, e *tracec.Event, x *perf.Entry) []byte {
		process, tid := e.Process(), e.Task
		if x.Event.Attr == nil {
			process, tid = x.Recorder()
		}
		return t.append(dst, threadKey{e.Comm(), e.Task, process, e.CPU}, tid)
	}
}

// column returns the column of samples. All events with this form share it.
func (t threadForm) column(columns map[threadForm]*threadColumn) *threadColumn {
	if columns[t] == nil {
		columns[t] = &threadColumn{threadForm: t}
	}
	return columns[t]
}

func (t threadForm) append(dst []byte, k threadKey, tid int32) []byte {
	if t.fields&FieldComm != 0 {
		name := k.comm
		if name == "" {
			name = ":" + string(render.Dec(nil, int64(k.task)))
		}
		switch {
		case t.latency:
			name = name[:min(len(name), 8)]
			dst = pad(dst, 8-len(name))
		case !t.bare:
			dst = pad(dst, 16-len(name))
		}
		dst = append(append(dst, name...), ' ')
	}
	switch t.fields & (FieldPID | FieldTID) {
	case FieldPID | FieldTID:
		dst = append(number(dst, int64(k.process), t.digits), '/')
		at := len(dst)
		dst = render.Dec(dst, int64(tid))
		dst = append(pad(dst, t.digits-(len(dst)-at)), ' ')
	case FieldPID:
		dst = append(number(dst, int64(k.process), t.digits), ' ')
	case FieldTID:
		dst = append(number(dst, int64(tid), t.digits), ' ')
	}
	switch cpu := max(k.cpu, 0); {
	case t.fields&FieldCPU == 0:
	case t.latency:
		dst = append(number(dst, int64(cpu), 3), ' ')
	case cpu < 1000:
		dst = append(render.Decimals(append(dst, '['), uint32(cpu), 3), "] "...)
	default:
		dst = append(render.Dec(append(dst, '['), int64(cpu)), "] "...)
	}
	return dst
}

// threadColumn keeps the columns of recent threads. The low bits of the thread select the slot.
type threadColumn struct {
	threadForm
	slots []threadSlot
	made  []byte
}

type threadSlot struct {
	threadKey
	text short // empty before the first sample
}

// threadKey holds the values that determine the column of a thread and a processor.
type threadKey struct {
	comm               string
	task, process, cpu int32
}

const threadSlots = 1024

func (c *threadColumn) append(dst []byte, e *tracec.Event, _ *perf.Entry) []byte {
	return c.text(e).append(dst)
}

// text returns the text of a sample.
func (c *threadColumn) text(e *tracec.Event) *short {
	if c.slots == nil {
		c.slots = make([]threadSlot, threadSlots)
	}
	s, comm, process := &c.slots[uint32(e.Task)%threadSlots], e.Comm(), e.Process()
	if s.text.n == 0 || s.task != e.Task || s.cpu != e.CPU || s.process != process || s.comm != comm {
		s.threadKey = threadKey{comm, e.Task, process, e.CPU}
		c.made = c.threadForm.append(c.made[:0], s.threadKey, e.Task)
		s.text = newShort(c.made)
	}
	return &s.text
}

// leadColumn returns one column for the parts up to the title in most lines: thread, processor, a
// time with six digits, and title. If a text is too long for a short, it calls the two columns of
// apart.
func (p *printer) leadColumn(threads *threadColumn, title string, apart []column) column {
	times, behind := &p.shown, newShort([]byte(": "+title))
	return func(dst []byte, e *tracec.Event, x *perf.Entry) []byte {
		second := e.Time / 1e9
		thread, seconds := threads.text(e), times.textOf(second)
		if thread.rest != "" || behind.rest != "" {
			return apart[1](apart[0](dst, e, x), e, x)
		}
		const room = 4 * shortSize
		n := len(dst)
		if cap(dst)-n < room {
			dst = slices.Grow(dst, room)
		}
		out := (*[room]byte)(dst[n : n+room : n+room])
		*(*[shortSize]byte)(out[:shortSize]) = thread.text
		at := thread.n & (shortSize - 1)
		*(*[shortSize]byte)(out[at : at+shortSize]) = seconds.text
		at += seconds.n & (shortSize - 1)
		binary.LittleEndian.PutUint64(out[at:at+8], render.Dec8(uint32(e.Time-second*1e9)/1e3)>>16)
		at += 6
		*(*[shortSize]byte)(out[at : at+shortSize]) = behind.text
		return dst[:n+at+behind.n]
	}
}

// A short is a text that occurs in many lines. The whole array is copied, because this needs no
// call.
type short struct {
	text [shortSize]byte
	n    int
	rest string // of a longer text
}

const shortSize = 64

func newShort(text []byte) (s short) {
	s.n = copy(s.text[:shortSize-1], text)
	s.rest = string(text[s.n:])
	return s
}

func (s *short) append(dst []byte) []byte {
	n := len(dst)
	if cap(dst)-n < shortSize {
		dst = slices.Grow(dst, shortSize)
	}
	*(*[shortSize]byte)(dst[n : n+shortSize : n+shortSize]) = s.text
	if dst = dst[:n+s.n]; s.rest != "" {
		dst = append(dst, s.rest...)
	}
	return dst
}
