package perf

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/tracec/tracec/runtime/record"
)

// madeRecord returns a record whose body consists of 8-byte numbers and texts.
func madeRecord(kind Kind, misc uint16, body ...any) []byte {
	var b []byte
	for _, v := range body {
		switch v := v.(type) {
		case int:
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		case string:
			b = append(b, v...)
			b = append(b, make([]byte, 8-len(b)%8)...)
		}
	}
	head := binary.LittleEndian.AppendUint32(nil, uint32(kind))
	head = binary.LittleEndian.AppendUint16(head, misc)
	return append(binary.LittleEndian.AppendUint16(head, uint16(headerSize+len(b))), b...)
}

// pair is a number with two halves, such as a process and its thread.
func pair(low, high int) int { return low | high<<32 }

// madeAttr returns an attribute of 64 bytes.
func madeAttr(t SampleType, flags uint64) []byte {
	b := make([]byte, leastAttr)
	binary.LittleEndian.PutUint32(b[4:], leastAttr)
	binary.LittleEndian.PutUint64(b[24:], uint64(t))
	binary.LittleEndian.PutUint64(b[40:], flags)
	return b
}

// madePipe returns the output of a recorder to a pipe: an attribute with an id, and records.
func madePipe(attr []byte, records ...[]byte) []byte {
	head := binary.LittleEndian.AppendUint64([]byte(magic), pipeHeader)
	first := slices.Concat(madeRecord(HeaderAttr, 0), attr, binary.LittleEndian.AppendUint64(nil, 1))
	binary.LittleEndian.PutUint16(first[6:], uint16(len(first)))
	return slices.Concat(append([][]byte{head, first}, records...)...)
}

// openMade opens a recording made by a test.
func openMade(t *testing.T, data []byte) *Recording {
	t.Helper()
	r, err := OpenReaderAt(bytes.NewReader(data), int64(len(data)), "made")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// each reads a recording, with the names of threads.
func each(r *Recording, fn func(x *record.Record, e *Entry, thread record.Thread)) {
	names := r.Names()
	m := r.Merge(record.Options{})
	for x, e := range m.All() {
		names.Follow(x, e)
		fn(x, e, names.Thread(x, e))
	}
}
