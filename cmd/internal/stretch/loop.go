package main

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// loop holds the pages of a recording and repeats them.
type loop struct {
	order binary.ByteOrder
	head  int // number of bytes before the events of a page
	word  int
	page  int
	cpus  []cpu
	span  uint64 // from the first event to a time after the last one
	times int
}

type cpu struct {
	id    int
	pages []byte
}

// newLoop reads the top buffer of rec and computes the number of repetitions.
func newLoop(rec *ftrace.Recording, want int64) (*loop, error) {
	info := rec.Info()
	b := rec.Buffers()[0]
	l := &loop{order: info.ByteOrder, word: info.WordSize, head: 8 + info.WordSize, page: b.PageSize}
	var total int64
	for i := range b.CPUs {
		var pages bytes.Buffer
		err := b.Pages(&b.CPUs[i], func(p []byte) error {
			if len(p) == l.page {
				pages.Write(p)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		l.cpus = append(l.cpus, cpu{b.CPUs[i].ID, pages.Bytes()})
		total += int64(pages.Len())
	}
	if total == 0 {
		return nil, errors.New("no CPU data in the top buffer")
	}
	first, last := ^uint64(0), uint64(0)
	m := record.Merge(b.Streams(ftrace.StreamOptions{RawTime: true}), nil)
	for r := range m.All() {
		first, last = min(first, r.Time), max(last, r.Time)
	}
	l.span = last - first + 1000
	l.times = int(max(1, (want+total-1)/total))
	return l, m.Err()
}

// size returns the size of one processor's repeated data.
func (l *loop) size(c *cpu) int64 { return int64(len(c.pages)) * int64(l.times) }

// write appends one processor's repeated data.
func (l *loop) write(w *writer, c *cpu) {
	pages := bytes.Clone(c.pages)
	for range l.times {
		w.bytes(pages)
		for i := 0; i < len(pages); i += l.page {
			l.later(pages[i : i+l.page])
		}
	}
}

// later shifts a page by one span: its time and its absolute stamps.
func (l *loop) later(page []byte) {
	l.order.PutUint64(page, l.order.Uint64(page)+l.span)
	commit := int(l.order.Uint32(page[8:])) & (1<<27 - 1)
	big := l.order.String() == binary.BigEndian.String()
	if big && l.word == 8 {
		commit = int(l.order.Uint32(page[12:])) & (1<<27 - 1)
	}
	for pos, end := l.head, min(l.head+commit, len(page)); pos+8 <= end; {
		h := l.order.Uint32(page[pos:])
		typ, delta := h&31, h>>5
		if big {
			typ, delta = h>>27, h&(1<<27-1)
		}
		next := l.order.Uint32(page[pos+4:])
		switch {
		case typ == 29 && delta == 0, typ == 0 && next == 0:
			return
		case typ == 0, typ == 29:
			pos += 4 + int(next+3)&^3
		case typ == 30:
			pos += 8
		case typ == 31:
			t := uint64(delta) | uint64(next)<<27
			t += l.span
			delta = uint32(t) & (1<<27 - 1)
			h = delta<<5 | 31
			if big {
				h = 31<<27 | delta
			}
			l.order.PutUint32(page[pos:], h)
			l.order.PutUint32(page[pos+4:], uint32(t>>27))
			pos += 8
		default:
			pos += 4 + int(typ)*4
		}
	}
}
