package dynamic_test

import (
	"encoding/binary"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/runtime/lttng"
)

// oldTrace is a trace of LTTng 0.8, written by lttng.md 3.1, 3.2, 4.1 and 5.2: one facility, which XML describes.
type oldTrace struct {
	order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
	word        int
	alignment   int
	floats      uint32 // float_word_order
	description string // elements of the facility
	events      []oldEvent
}

// oldEvent is an event of the facility.
type oldEvent struct {
	number  int
	data    []byte
	unsized bool // its header does not say the size
}

const facilityID = 9

// open opens the trace.
func (o *oldTrace) open(t testing.TB) *lttng.Recording {
	t.Helper()
	load := append([]byte("f\x00"), make([]byte, o.pad(2, o.word))...)
	for _, n := range []int{1, facilityID, 4, o.word, o.word, o.word, o.alignment} { // checksum, id, sizes of int, long, pointer and size_t
		load = o.order.AppendUint32(load, uint32(n))
	}
	core := o.file()
	core = o.event(core, 0, oldEvent{number: 4, data: load})
	cpu := o.file()
	for _, e := range o.events {
		cpu = o.event(cpu, facilityID, e)
	}
	rec, err := lttng.OpenFS(fstest.MapFS{
		"control/facilities_0": {Data: o.close(core)}, "cpu_0": {Data: o.close(cpu)},
		"eventdefs/f.xml": {Data: []byte(fmt.Sprintf("<facility name=\"f\">%s</facility>", o.description))},
	}, "trace")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// pad returns how many bytes are missing to a multiple of align, where the trace aligns.
func (o *oldTrace) pad(n, align int) int {
	if o.alignment == 0 {
		return 0
	}
	return (align - n%align) % align
}

// file begins a file of one sub-buffer.
func (o *oldTrace) file() []byte {
	b := make([]byte, 108)
	o.order.PutUint64(b[0:], 1000)  // begin.cycle_count
	o.order.PutUint64(b[8:], 1e9)   // begin.freq
	o.order.PutUint64(b[16:], 1e12) // end.cycle_count
	o.order.PutUint64(b[24:], 1e9)
	o.order.PutUint32(b[40:], 0x00D6B7ED)
	o.order.PutUint32(b[52:], o.floats)
	b[56], b[57], b[58], b[61] = byte(o.word), 0, 8, byte(o.alignment)
	o.order.PutUint32(b[64:], 1)
	o.order.PutUint64(b[68:], 1e9)
	o.order.PutUint64(b[76:], 1000)
	return b
}

// event appends an event: u64 time, u8 facility, u8 event, u16 size.
func (o *oldTrace) event(b []byte, facility int, e oldEvent) []byte {
	b = append(b, make([]byte, o.pad(len(b), o.word))...)
	b = o.order.AppendUint64(b, uint64(1000+len(b)))
	size := len(e.data)
	if e.unsized {
		size = 0xFFFF
	}
	b = o.order.AppendUint16(append(b, byte(facility), byte(e.number)), uint16(size))
	b = append(b, make([]byte, o.pad(len(b), o.word))...)
	return append(b, e.data...)
}

// close fills the sub-buffer up to a power of two.
func (o *oldTrace) close(b []byte) []byte {
	size := 4096
	for size < len(b) {
		size *= 2
	}
	o.order.PutUint32(b[32:], uint32(size-len(b)))
	o.order.PutUint32(b[36:], uint32(size))
	return append(b, make([]byte, size-len(b))...)
}
