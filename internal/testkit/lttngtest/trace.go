// Package lttngtest makes traces of LTTng 0.8 for tests, with events of a facility that XML
// describes. [lttng.Writer] writes newer versions.
package lttngtest

import (
	"encoding/binary"
	"fmt"
	"testing/fstest"
)

// Trace is a trace of LTTng 0.8, written according to lttng.md 3.1, 3.2, 4.1 and 5.2. Its facility
// is f.
type Trace struct {
	Order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
	Word        int    // number of bytes of a long and of a pointer
	Alignment   int    // 0 for packed data
	Floats      uint32 // float_word_order
	Description string // XML elements of the facility
	Task        uint32 // the thread of all events; 0 if unknown
	Events      []Event
}

// Event is an event of the facility.
type Event struct {
	Number  int
	Data    []byte
	Unsized bool // its header has no size
}

// IDs of facilities.
const (
	facilityID = 9
	kernelID   = 10
)

// Files returns the files of the trace.
func (tr *Trace) Files() fstest.MapFS {
	core, cpu := tr.load(tr.file(), "f", facilityID), tr.file()
	if tr.Task > 0 {
		core = tr.load(core, "kernel", kernelID)
		schedule := tr.Order.AppendUint32(make([]byte, 4), tr.Task) // prev_pid, next_pid, prev_state
		cpu = tr.event(cpu, kernelID, Event{Number: 9, Data: append(schedule, make([]byte, tr.Word)...)})
	}
	for _, e := range tr.Events {
		cpu = tr.event(cpu, facilityID, e)
	}
	return fstest.MapFS{
		"control/facilities_0": {Data: tr.close(core)}, "cpu_0": {Data: tr.close(cpu)},
		"eventdefs/f.xml": {Data: fmt.Appendf(nil, "<facility name=\"f\">%s</facility>", tr.Description)},
	}
}

// load appends the event that loads a facility.
func (tr *Trace) load(b []byte, facility string, id int) []byte {
	name := append([]byte(facility), 0)
	data := append(name, make([]byte, tr.Pad(len(name), tr.Word))...)
	// checksum, id, sizes of int, long, pointer and size_t
	for _, n := range []int{1, id, 4, tr.Word, tr.Word, tr.Word, tr.Alignment} {
		data = tr.Order.AppendUint32(data, uint32(n))
	}
	return tr.event(b, 0, Event{Number: 4, Data: data})
}

// Pad returns the number of padding bytes to a multiple of align, if the trace aligns data.
func (tr *Trace) Pad(n, align int) int {
	if tr.Alignment == 0 {
		return 0
	}
	return (align - n%align) % align
}

// file begins a file of one sub-buffer.
func (tr *Trace) file() []byte {
	b := make([]byte, 108)
	tr.Order.PutUint64(b[0:], 1000)  // begin.cycle_count
	tr.Order.PutUint64(b[8:], 1e9)   // begin.freq
	tr.Order.PutUint64(b[16:], 1e12) // end.cycle_count
	tr.Order.PutUint64(b[24:], 1e9)
	tr.Order.PutUint32(b[40:], 0x00D6B7ED)
	tr.Order.PutUint32(b[52:], tr.Floats)
	b[56], b[57], b[58], b[61] = byte(tr.Word), 0, 8, byte(tr.Alignment)
	tr.Order.PutUint32(b[64:], 1)
	tr.Order.PutUint64(b[68:], 1e9)
	tr.Order.PutUint64(b[76:], 1000)
	return b
}

// event appends an event: u64 time, u8 facility, u8 event, u16 size.
func (tr *Trace) event(b []byte, facility int, e Event) []byte {
	b = append(b, make([]byte, tr.Pad(len(b), tr.Word))...)
	b = tr.Order.AppendUint64(b, uint64(1000+len(b)))
	size := len(e.Data)
	if e.Unsized {
		size = 0xFFFF
	}
	b = tr.Order.AppendUint16(append(b, byte(facility), byte(e.Number)), uint16(size))
	b = append(b, make([]byte, tr.Pad(len(b), tr.Word))...)
	return append(b, e.Data...)
}

// close fills the sub-buffer up to a power of two.
func (tr *Trace) close(b []byte) []byte {
	size := 4096
	for size < len(b) {
		size *= 2
	}
	tr.Order.PutUint32(b[32:], uint32(size-len(b)))
	tr.Order.PutUint32(b[36:], uint32(size))
	return append(b, make([]byte, size-len(b))...)
}
