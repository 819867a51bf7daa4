package aix

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/tracec/tracec/runtime/internal/progress"
	"github.com/tracec/tracec/runtime/record"
)

// region is a part of a file with consecutive entries: a trace buffer, or a whole stream.
type region struct {
	off, end int64 // end is math.MaxInt64 for a pipe
	buffer   int32
	initial  bool
}

// window is the part of a file that a stream has in memory, and its place in the file.
type window struct {
	src     *source
	regions []region // the remaining regions
	region  region
	buf     []byte // the window
	base    int64  // offset of buf in the file
	pos     int    // in buf
	last    bool   // the region ends at the end of buf
	more    bool   // the window must move forward before the walk continues
	pending bool   // no more has been written yet
	fail    error  // of the system, returned after the data read before it
	share   progress.Share
}

// waits reports, once, whether the end of the written data was reached.
func (w *window) waits() bool {
	pending := w.pending
	w.pending = false
	return pending
}

// at returns the place of the walk in the file.
func (w *window) at() int64 { return w.base + int64(w.pos) }

// advance continues reading in the region, or moves to the next one. The error ends the walk.
func (w *window) advance() (*Damage, error) {
	switch {
	case !w.last:
		return w.readMore(), nil
	case w.fail != nil:
		return nil, w.fail
	case len(w.regions) == 0:
		return nil, io.EOF
	}
	w.region, w.regions = w.regions[0], w.regions[1:]
	w.base, w.pos, w.last, w.buf = w.region.off, 0, false, w.buf[:0]
	return w.readMore(), nil
}

// readMore drops the bytes that have been walked and fills the free space. From a pipe it reads the
// available bytes.
func (w *window) readMore() *Damage {
	n := copy(w.buf, w.buf[w.pos:])
	w.base += int64(w.pos)
	w.pos = 0
	at := w.base + int64(n)
	room := w.buf[n:cap(w.buf)]
	room = room[:min(int64(len(room)), w.region.end-at)]
	got, err := w.src.read(room, at)
	w.buf = w.buf[:n+got]
	w.share.Read(int64(got))
	at += int64(got)
	w.last = at == w.region.end
	switch {
	case err == nil:
	case errors.Is(err, record.ErrPending):
		w.pending = true
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		w.last = true
		if w.region.end != math.MaxInt64 && at != w.region.end {
			d := w.src.fail(at, "the rest of the file, which was longer when it was opened", ErrTruncated)
			d.Skipped = w.region.end - at
			return d
		}
	default:
		w.last, w.regions = true, nil
		w.fail = w.src.fail(at, fmt.Sprintf("%d bytes", len(room)-got), err)
	}
	return nil
}
