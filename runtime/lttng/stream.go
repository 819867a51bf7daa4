package lttng

import (
	"fmt"
	"io"
	"runtime"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

const (
	maxBatch = 256
	// window is the number of bytes of a sub-buffer that are in memory at a time. A trace has
	// hundreds of files, and sub-buffers of a megabyte. A larger event gets a larger window.
	window = 64 << 10
	// maxBlock exceeds the size of any known sub-buffer.
	maxBlock = 1 << 30
	// minWindow and minBatch are for sets of very many files.
	minWindow = 1 << 10
	minBatch  = 8
	// entryBytes is the size of an event in a batch.
	entryBytes = int64(unsafe.Sizeof(record.Record{}) + unsafe.Sizeof(Entry{}))
)

// Stream yields the events of one file. It implements record.Stream.
type Stream struct {
	rec   *Recording
	trace *Trace
	file  *File
	index int32

	done  bool
	lease *memory.Lease

	part  *slicePart // nil if the whole file is read
	again bool       // second read of the whole file, whose damage is already reported

	sub     subBuffer
	gaps    gaps
	dec     decoder
	out     output
	grow    growth
	sel     selection
	threads threadMerge
}

func (tr *Trace) newStream(f *File) *Stream {
	r := tr.rec
	share := r.memory.Left() / 2 / int64(len(r.files))
	s := &Stream{
		rec: r, trace: tr, file: f, index: f.index, lease: r.memory.Lease(),
		sub: subBuffer{most: int(max(minWindow, min(window, share/4*3)))},
		dec: decoder{
			head: &f.head, table: tr.table(f.Channel), parse: parserOf(f),
			packed: f.isPacked(), swapped: f.isBigEndian(),
		},
		out: output{room: int(max(minBatch, min(maxBatch, share/4/entryBytes)))},
	}
	runtime.AddCleanup(s, (*memory.Lease).End, s.lease) // of a stream that is not read to its end
	return s
}

// Number implements record.Numbered.
func (s *Stream) Number(stream int32) { s.index = stream }

// File returns the file that the stream reads. The last stream of a followed recording reads all
// files that appear later. Its File is the file of the last batch.
func (s *Stream) File() *File { return s.file }

// Close ends the stream, also before its last event.
func (s *Stream) Close() {
	if s.sub.src != nil {
		s.sub.src.close()
	}
	if s.threads.follow != nil {
		s.threads.follow.Close()
	}
	if s.part != nil {
		s.part.cutting.put(s)
	}
	s.sub.src, s.done, s.sub.buf = nil, true, nil
	s.lease.End()
	s.sub.share.End()
}

// Next implements record.Stream.
func (s *Stream) Next() (record.Batch[Entry], error) {
	if s.grow.late != nil {
		return s.nextLate()
	}
	if s.threads.begin != nil {
		return s.nextFollowed()
	}
	if s.part != nil {
		return s.readPart()
	}
	if s.sel.choice != nil {
		return choice.Next(s.sel.choice, s.batched)
	}
	return s.batched()
}

// batched returns the next events of the file.
func (s *Stream) batched() (record.Batch[Entry], error) {
	s.out.n = 0
	if s.done {
		return record.Batch[Entry]{}, io.EOF
	}
	if s.sub.src == nil {
		if err := s.start(); err != nil {
			s.Close()
			return record.Batch[Entry]{}, err
		}
	}
	err := s.fill()
	if s.out.n > 0 {
		s.sub.share.Reach(s.sub.place())
		s.finish()
		if s.sel.choice != nil && s.sieved() {
			s.sel.choice.Sieved()
		}
		return s.out.batch(), nil
	}
	if err == record.ErrPending {
		return record.Batch[Entry]{}, err
	}
	s.Close()
	return record.Batch[Entry]{}, err
}

// sieved reports whether all records of the batch have selected kinds. An event of any kind with a
// loss before it stays in the batch.
func (s *Stream) sieved() bool { return s.sel.kinds != nil && !s.out.lossy() }

func (s *Stream) start() error {
	if err := s.lease.Swap(0, int64(s.out.room)*entryBytes); err != nil {
		s.note(0, s.file.Size, err)
		return io.EOF
	}
	if err := s.openSource(); err != nil {
		return damage.In(s.rec.name, &Damage{File: s.file.Path, Err: err})
	}
	if s.part != nil && s.part.cutting.equip(s) {
		return nil
	}
	s.out.allocate()
	return nil
}

// source is a file that a stream reads.
type source interface {
	io.ReaderAt
	close()
}

// openSource opens the file.
func (s *Stream) openSource() error {
	if s.grow.live != nil {
		return s.openGrowing()
	}
	src := &handle{all: &s.rec.handles, name: s.file.Path}
	if s.part != nil {
		src = s.part.cutting.handles[s.file]
	}
	size, err := src.open()
	if err != nil {
		return err
	}
	if s.sub.src, s.sub.size = src, size; s.part != nil {
		s.sub.src = shared{src}
	}
	return nil
}

// fill makes a batch from one window. If it returns an error, there are no records.
func (s *Stream) fill() error {
	s.dec.scratch = s.dec.scratch[:0]
	ev := &s.dec.event
	for s.out.n < s.out.room {
		if s.sub.pos >= s.sub.used {
			if s.out.n > 0 {
				return nil
			}
			if err := s.nextBlock(); err != nil {
				return err
			}
			continue
		}
		if s.dec.packed && !s.dec.open && s.gaps.lost == 0 {
			if s.quick(); s.out.n == s.out.room || s.sub.pos >= s.sub.used {
				continue
			}
		}
		state := s.readEvent(ev)
		if state == fine {
			if s.keep(ev); s.gaps.brief {
				s.sub.pos = s.sub.used
			}
			continue
		}
		if s.out.n > 0 { // the next call continues here, and may replace the window
			return nil
		}
		if err := s.stop(ev, state); err != nil {
			return err
		}
	}
	return nil
}

// readEvent reads the event at pos.
func (s *Stream) readEvent(ev *event) status {
	*ev = event{tsc: s.dec.tsc, size: -1}
	if s.dec.open {
		return s.readOpen(ev)
	}
	return s.dec.parse(s, ev)
}

// stop continues after a failed read of an event: with a larger window, or with the next
// sub-buffer.
func (s *Stream) stop(ev *event, state status) error {
	if state == more {
		return s.refill(ev.need)
	}
	if s.dec.open {
		if err := s.leave(); err != nil {
			return err
		}
	} else if state == bad {
		s.gaps.lost = record.LostUnknown
		s.damage(int64(s.sub.used-s.sub.pos), fmt.Errorf("%s: %w", ev.trouble, ErrCorrupt))
	}
	s.sub.pos = s.sub.used
	return nil
}

// damage reports damage at the next event.
func (s *Stream) damage(skipped int64, err error) {
	s.note(s.sub.place(), skipped, err)
}

// note reports damage at a place of the file.
func (s *Stream) note(off, skipped int64, err error) {
	log := &s.rec.damage
	switch {
	case s.part != nil:
		log = s.notes()
	case s.again:
		return
	}
	if log != nil {
		log.Note(s.file.Path, off, skipped, err)
	}
}

// keep adds an event to the batch if it is selected or follows a loss, and advances past it.
func (s *Stream) keep(ev *event) {
	r, e := &s.out.records[s.out.n], &s.out.entries[s.out.n]
	r.Data = ev.data
	r.Lost = s.gaps.lost
	r.ID = NoMarker
	if ev.marker != nil {
		r.ID = uint32(ev.marker.Index)
	}
	e.Marker, e.TSC, e.Offset = ev.marker, ev.tsc, s.sub.place()
	s.dec.tsc, s.sub.pos = ev.tsc, ev.next
	if s.gaps.lost != 0 || s.sel.wants(r.ID) {
		s.out.n, s.gaps.lost = s.out.n+1, 0
	} else if s.out.n == 0 { // the batch is empty, and the next event may be much later
		s.dec.scratch = s.dec.scratch[:0]
	}
}

// refill reads the next event into the window, with at least need bytes of it.
func (s *Stream) refill(need int) error {
	if err := s.sel.choice.Err(); err != nil { // a batch can take many windows
		return err
	}
	s.sub.share.Reach(s.sub.place())
	if s.part != nil && s.isOver(int64(min(s.sub.most, s.sub.used-s.sub.pos))) {
		return io.EOF
	}
	return s.load(s.sub.pos, max(s.sub.most, need))
}

// load reads n bytes of the sub-buffer into the window, or the available part of them. They begin
// at from.
func (s *Stream) load(from, n int) error {
	n = min(n, s.sub.used-from)
	if cap(s.sub.buf) < n || cap(s.sub.buf) > 4*max(n, s.sub.most) { // after a large event, others may need the memory
		// nothing else of this sub-buffer can be read
		if err := s.lease.Swap(int64(cap(s.sub.buf)), int64(n)); err != nil {
			s.gaps.lost = record.LostUnknown
			s.damage(int64(s.sub.used-s.sub.pos), fmt.Errorf("%d bytes of a sub-buffer: %w", n, err))
			s.sub.buf, s.sub.pos, s.sub.lo, s.sub.hi = s.sub.buf[:0], s.sub.used, s.sub.used, s.sub.used
			return nil
		}
		s.sub.buf = make([]byte, n)
	}
	s.sub.buf = s.sub.buf[:n]
	s.sub.lo, s.sub.hi = from, from+n
	return s.sub.read(s.sub.buf, s.sub.at+int64(from), s.file.Path)
}
