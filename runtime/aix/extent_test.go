package aix_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/tracec/tracec/runtime/aix"
)

// An impossible extent is reported at its place in the directory, which begins at byte 48 of a
// 64-bit log file.
func TestExtentDamage(t *testing.T) {
	head := make([]byte, 48+2*16)
	binary.BigEndian.PutUint32(head, 0xefdf1113)
	binary.BigEndian.PutUint32(head[4:], 2)  // buffers
	binary.BigEndian.PutUint32(head[12:], 1) // no wrap
	entry := []byte{
		0x80, 0x00, 0x00, 0x08, 0x50, 0x00, 0x00, 0x05, 0, 0, 0, 0, 0, 0, 0, 1,
		0, 0, 0, 0, 0, 0x1f, 0x00, 0x35, 0, 0, 0, 0, 0, 0, 0x10, 0x00,
	}
	data := bytes.Repeat(entry, 8)
	binary.BigEndian.PutUint64(head[48:], uint64(len(head)))
	binary.BigEndian.PutUint64(head[56:], uint64(len(data)))
	for i := range 16 {
		head[64+i] = 0xff
	}
	file := append(head, data...)
	rec, err := aix.OpenReaderAt(bytes.NewReader(file), int64(len(file)), "log")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	for _, d := range rec.Damage() {
		if d.Offset == 64 {
			return
		}
	}
	t.Errorf("no damage at 64: %v", rec.Damage())
}
