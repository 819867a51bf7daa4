package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// repeatTrace repeats the sub-buffers of an LTTng trace (2.2 to 2.6) with later times, until there
// are want bytes.
func repeatTrace(in, out string, want int64) error {
	rec, err := lttng.Open(in)
	if err != nil {
		return err
	}
	defer rec.Close()
	if d := rec.Traces()[0].Info().Dialect; d < lttng.V22 || d > lttng.V26 {
		return fmt.Errorf("%s: only traces of 2.2 to 2.6 are repeated", in)
	}
	var total int64
	for _, f := range rec.Files() {
		total += f.Size
	}
	var list []repeated
	first, last := ^uint64(0), uint64(0)
	for i, s := range rec.Streams(record.Options{}) {
		r := repeated{path: rec.Files()[i].Path, order: binary.LittleEndian}
		if rec.Traces()[0].Info().BigEndian {
			r.order = binary.BigEndian
		}
		if r.data, err = os.ReadFile(filepath.Join(in, r.path)); err != nil {
			return err
		}
		r.blocks()
		a, b, err := r.events(s, rec.Traces()[0].Info())
		if err != nil {
			return err
		}
		first, last = min(first, a), max(last, b)
		r.data = nil // free the memory: all files together are large
		list = append(list, r)
	}
	const whole = 1 << 27 // time stamps of 27 bits do not change
	span := (last - first + whole) &^ (whole - 1)
	times := int(max(1, (want+total-1)/total))
	for i := range list {
		if err := list[i].write(in, out, times, span); err != nil {
			return err
		}
	}
	return nil
}

// repeated is a file to repeat, with the offsets of its complete time stamps.
type repeated struct {
	path   string
	data   []byte
	order  binary.ByteOrder
	stamps []int
	totals []int // offsets of the numbers of lost events in headers
}

// blocks finds the stamps in the headers of sub-buffers (lttng.md 3.3).
func (r *repeated) blocks() {
	for at := 0; at+64 <= len(r.data); {
		r.stamps, r.totals = append(r.stamps, at, at+8), append(r.totals, at+60)
		size := int(r.order.Uint32(r.data[at+56:]))
		if size <= 0 {
			return
		}
		at += size
	}
}

// events finds the complete stamps of events (lttng.md 4.3), and the minimum and the maximum time.
func (r *repeated) events(s *lttng.Stream, info *lttng.Info) (first, last uint64, err error) {
	up := func(n, to int) int {
		if info.Alignment == 0 {
			return n
		}
		return (n + to - 1) &^ (to - 1)
	}
	first = ^uint64(0)
	for {
		batch, err := s.Next()
		if errors.Is(err, io.EOF) {
			return first, last, nil
		}
		if err != nil {
			return 0, 0, err
		}
		for _, e := range batch.Entries {
			first, last = min(first, e.TSC), max(last, e.TSC)
			at := up(int(e.Offset), 4)
			if r.order.Uint32(r.data[at:])>>27 != 29 {
				continue
			}
			size := r.order.Uint16(r.data[at+6:])
			if at += 8; size == 0xFFFF {
				at += 4
			}
			at = up(at, info.Alignment)
			if r.order.Uint64(r.data[at:]) != e.TSC {
				return 0, 0, fmt.Errorf("%s:%#x: no time stamp where one should be", r.path, at)
			}
			r.stamps = append(r.stamps, at)
		}
	}
}

func (r *repeated) write(in, out string, times int, span uint64) error {
	data, err := os.ReadFile(filepath.Join(in, r.path))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(out, r.path))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	lost := r.order.Uint32(data[r.totals[len(r.totals)-1]:])
	for range times {
		if _, err := w.Write(data); err != nil {
			return errors.Join(err, f.Close())
		}
		for _, at := range r.stamps {
			r.order.PutUint64(data[at:], r.order.Uint64(data[at:])+span)
		}
		for _, at := range r.totals {
			r.order.PutUint32(data[at:], r.order.Uint32(data[at:])+lost)
		}
	}
	return errors.Join(w.Flush(), f.Close())
}
