package ftrace

import (
	"io"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// Text returns the kernel's own text if the buffer was recorded by a latency tracer, which leaves
// no records. Otherwise it returns nil. Unreadable parts are damage and are skipped.
func (b *Buffer) Text() io.Reader {
	switch {
	case b.text == nil:
		return nil
	case b.packed:
		l := b.rec.memory.Lease()
		return &chunkedText{rec: b.rec, lease: l, chunks: newChunks(b.rec, b.text.src, b.text.off, b.text.end,
			b.text.end, l)}
	}
	return &textReader{*b.text}
}

type textReader struct{ c cursor }

func (t *textReader) Read(p []byte) (int, error) {
	n := min(int64(len(p)), t.c.left(), cursorWindow)
	if n == 0 && len(p) > 0 {
		if err := t.c.failure(); err != nil {
			return 0, err
		}
		return 0, io.EOF
	}
	return copy(p, t.c.take(n, "text of a latency tracer")), t.c.failure()
}

// chunkedText is the text of a compressed version 7 file, in chunks like CPU data. In trace-cmd,
// the text goes through the same function that compresses a file in pieces
// (lib/trace-cmd/trace-output.c).
type chunkedText struct {
	rec    *Recording
	chunks *chunks
	lease  *memory.Lease
	left   []byte // of the last unpacked chunk
}

func (t *chunkedText) Read(p []byte) (int, error) {
	for len(t.left) == 0 {
		data, off, err := t.chunks.next()
		if err == io.EOF {
			t.lease.End()
			t.chunks.plain = nil
			return 0, io.EOF
		}
		if err != nil {
			t.rec.damage.Add(asDamage(t.chunks.src, off, err), t.chunks.n)
			continue
		}
		t.left = data
	}
	n := copy(p, t.left)
	t.left = t.left[n:]
	return n, nil
}
