package rewrite

import (
	"context"
	"fmt"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// cursor reads the records of one CPU, one at a time. It holds a sub-buffer.
type cursor struct {
	s    *source
	buf  *ftrace.Buffer
	cpu  *ftrace.CPU
	time func(raw uint64) uint64

	raw    *ftrace.RawPages
	pages  *ftrace.PageReader
	inside bool // in a page

	page int           // number of the page of rec
	rec  record.Record // valid until advance, with its recorded time
	t    uint64        // its time in reports, in ns or units of the clock
	ok   bool          // rec is valid
}

// newCursor begins to read a CPU.
func (s *source) newCursor(b *ftrace.Buffer, c *ftrace.CPU) (*cursor, error) {
	big := s.info.ByteOrder.Uint16([]byte{0, 1}) == 1
	raw, err := ftrace.NewRawPages(s.info.HeaderPage, s.rec.Formats(), big, s.info.WordSize, b.PageSize)
	if err != nil {
		return nil, fmt.Errorf("%s: buffer %q: %w", s.job.Path, b.Name, err)
	}
	k := &cursor{s: s, buf: b, cpu: c, time: b.Time(c.ID, ftrace.StreamOptions{}), raw: raw, page: -1,
		pages: b.PageReader(c)}
	s.job.Reads(k.pages)
	return k, nil
}

// seek moves to the first record with a time of at least since.
func (k *cursor) seek(ctx context.Context, since uint64) error {
	n := 0
	for k.advance(); k.ok && k.t < since; k.advance() {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// advance moves to the next record. It reports invalid data, and skips the rest of that sub-buffer.
func (k *cursor) advance() {
	for {
		if !k.inside {
			page, more := k.pages.Next()
			if k.ok = more; !more {
				return
			}
			k.page++
			missing, err := k.raw.Enter(page)
			if err != nil || missing > 0 && len(page) == k.buf.PageSize {
				k.trouble(err)
			}
			k.inside = true
		}
		_, _, ok, err := k.raw.Next(&k.rec)
		if err != nil {
			k.trouble(err)
		}
		if ok {
			k.t, k.ok = k.time(k.rec.Time), true
			return
		}
		k.inside = false
	}
}

func (k *cursor) trouble(err error) {
	if err == nil {
		err = ftrace.ErrTruncated
	}
	k.s.damage(fmt.Errorf("%s: buffer %q, CPU %d, sub-buffer %d: %w", k.s.job.Path, k.buf.Name, k.cpu.ID, k.page, err))
}
