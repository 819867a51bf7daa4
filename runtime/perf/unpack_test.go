package perf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec/runtime/record"
)

// TestUnpackBomb reads a compressed record of a few KB that decodes to 64 MiB of records, and then
// to a record without a size. Memory stays bounded, and no record is lost.
func TestUnpackBomb(t *testing.T) {
	var little order
	one := binary.LittleEndian.AppendUint64(nil, 1000|16<<48)
	data := bytes.Repeat(append(one, 1, 2, 3, 4, 5, 6, 7, 8), 4<<20)
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := z.EncodeAll(append(data, make([]byte, 16)...), nil)
	if len(packed) > 60000 {
		t.Fatalf("%d bytes", len(packed))
	}
	size := (headerSize + len(packed) + 7) &^ 7
	rec := binary.LittleEndian.AppendUint64(nil, uint64(Compressed)|uint64(size)<<48)
	rec = append(rec, packed...)
	rec = append(rec, make([]byte, size-len(rec))...)

	r := newRecording("bomb", []Option{WithMemory(record.MinMemory)})
	r.order = little
	s := r.newSource(&File{src: bytes.NewReader(rec), to: int64(len(rec))}, r.memory.Lease())
	defer s.close()
	w := &s.windows[unpacked]
	n := 0
	for ; ; n++ {
		_, err := s.next()
		if w.keep = w.at; cap(w.buf) > 4*blockSize {
			t.Fatalf("%d bytes are held", cap(w.buf))
		}
		if errors.Is(err, ErrCorrupt) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if n != 4<<20 {
		t.Errorf("%d records of %d", n, 4<<20)
	}
}
