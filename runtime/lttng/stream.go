package lttng

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"unsafe"

	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/internal/progress"
	"github.com/tracec/tracec/runtime/record"
)

const (
	maxBatch = 256
	// window is how much of a sub-buffer is in memory at a time: a trace has hundreds of files, and
	// sub-buffers of a megabyte. A larger event gets a larger window.
	window = 64 << 10
	// maxBlock is more than any sub-buffer had.
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
	src   source
	table *table
	parse func(*Stream, *event) status
	head  *header // of the sub-buffer: how its events are laid out
	own   header  // target of head once there is a sub-buffer

	size int64 // of the file
	last int64 // of the sub-buffer before
	next int64 // of the sub-buffer after this one, in the file
	at   int64 // of this sub-buffer
	buf  []byte
	// buf holds bytes lo to hi of the sub-buffer; its events begin at pos and end at used.
	lo, hi, pos, used int
	open              bool // it was never closed
	losses            losses
	entered           uint64 // the state of these before the sub-buffer
	lost              int64  // before the next event, which is the first of its sub-buffer
	odd               bool   // the sub-buffer does not have its declared size: events may be missing
	brief             bool   // of the sub-buffer only the first event is read, before which something was lost
	tsc               uint64
	event             event // at work
	packed, swapped   bool  // 2.0 to 2.6; big-endian

	scratch []byte // payloads that need the data bits of a compact event
	batch   []record.Record
	entries []Entry
	n       int // of the last batch
	done    bool
	lease   *memory.Lease
	share   progress.Share
	window  int // how much of a sub-buffer is in memory, window or less
	room    int // of a batch, in events

	live     *record.Live         // nil: the recording is not followed
	late     record.Stream[Entry] // of a stream of files that come later, else nil
	latest   []*Stream            // those
	needed   int64                // bytes needed from next on to continue; 0: the bytes of a header
	searched int64                // of these have been searched for a header

	choice       *choice.Choice  // nil: everything
	kinds        []uint64        // a bit for each selected Marker.Index; nil: fill does not check
	since, until uint64          // of it; until 0 means no end
	unwanted     *index.Unwanted // by the index; may be nil

	part  *slicePart // nil: the whole file
	again bool       // second read of the whole file, whose damage is known

	begin  func()                // for streams that set the threads of their records: makes follow
	follow *record.Merger[Entry] // the records of the file, and of the scheduler
}

func (tr *Trace) newStream(f *File) *Stream {
	r := tr.rec
	share := r.memory.Left() / 2 / int64(len(r.files))
	s := &Stream{rec: r, trace: tr, file: f, index: f.index, head: &f.head, table: tr.table(f.Channel), parse: parserOf(f), packed: f.isPacked(), swapped: f.isBigEndian(),
		lease: r.memory.Lease(), window: int(max(minWindow, min(window, share/4*3))), room: int(max(minBatch, min(maxBatch, share/4/entryBytes)))}
	runtime.AddCleanup(s, (*memory.Lease).End, s.lease) // of a stream that is not read to its end
	return s
}

// Number implements record.Numbered.
func (s *Stream) Number(stream int32) { s.index = stream }

// File returns the file that the stream reads. The last stream of a recording that is followed
// reads all files that come later. Its File is the file of the last batch.
func (s *Stream) File() *File { return s.file }

// Close ends the stream, also before its last event.
func (s *Stream) Close() {
	if s.src != nil {
		s.src.close()
	}
	if s.follow != nil {
		s.follow.Close()
	}
	if s.part != nil {
		s.part.cutting.put(s)
	}
	s.src, s.done, s.buf = nil, true, nil
	s.lease.End()
	s.share.End()
}

// Next implements record.Stream.
func (s *Stream) Next() (record.Batch[Entry], error) {
	if s.late != nil {
		return s.nextLate()
	}
	if s.begin != nil {
		return s.nextFollowed()
	}
	if s.part != nil {
		return s.readPart()
	}
	if s.choice != nil {
		return choice.Next(s.choice, s.batched)
	}
	return s.batched()
}

// batched returns the next events of the file.
func (s *Stream) batched() (record.Batch[Entry], error) {
	s.n = 0
	if s.done {
		return record.Batch[Entry]{}, io.EOF
	}
	if s.src == nil {
		if err := s.start(); err != nil {
			s.Close()
			return record.Batch[Entry]{}, err
		}
	}
	err := s.fill()
	if s.n > 0 {
		s.share.Reach(s.at + int64(s.pos))
		s.finish()
		if s.choice != nil && s.sieved() {
			s.choice.Sieved()
		}
		return record.Batch[Entry]{Records: s.batch[:s.n], Entries: s.entries[:s.n]}, nil
	}
	if err == record.ErrPending {
		return record.Batch[Entry]{}, err
	}
	s.Close()
	return record.Batch[Entry]{}, err
}

// lossy reports whether events were lost before one of the batch. That can only be the first event
// of the batch and of its sub-buffer.
func (s *Stream) lossy() bool { return s.n > 0 && s.batch[0].Lost != 0 }

// sieved reports whether all records of the batch are of selected kinds. An event with a loss
// before it stays in the batch, whatever its kind.
func (s *Stream) sieved() bool { return s.kinds != nil && !s.lossy() }

func (s *Stream) start() error {
	if err := s.lease.Swap(0, int64(s.room)*entryBytes); err != nil {
		s.note(0, s.file.Size, err)
		return io.EOF
	}
	if err := s.openSource(); err != nil {
		return damage.In(s.rec.name, &Damage{File: s.file.Path, Err: err})
	}
	if s.part != nil && s.part.cutting.equip(s) {
		return nil
	}
	s.batch, s.entries = make([]record.Record, s.room), make([]Entry, s.room)
	return nil
}

// source is a file that a stream reads.
type source interface {
	io.ReaderAt
	close()
}

// openSource opens the file.
func (s *Stream) openSource() error {
	if s.live != nil {
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
	if s.src, s.size = src, size; s.part != nil {
		s.src = shared{src}
	}
	return nil
}

// fill makes a batch out of one window. An error comes without records.
func (s *Stream) fill() error {
	s.scratch = s.scratch[:0]
	ev := &s.event
	for s.n < s.room {
		if s.pos >= s.used {
			if s.n > 0 {
				return nil
			}
			if err := s.nextBlock(); err != nil {
				return err
			}
			continue
		}
		if s.packed && !s.open && s.lost == 0 {
			if s.quick(); s.n == s.room || s.pos >= s.used {
				continue
			}
		}
		state := s.readEvent(ev)
		if state == fine {
			if s.keep(ev); s.brief {
				s.pos = s.used
			}
			continue
		}
		if s.n > 0 { // the next call comes here again, and may use the window
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
	*ev = event{tsc: s.tsc, size: -1}
	if s.open {
		return s.readOpen(ev)
	}
	return s.parse(s, ev)
}

// stop continues after a failed read of an event: with a larger window, or with the next
// sub-buffer.
func (s *Stream) stop(ev *event, state status) error {
	if state == more {
		return s.refill(ev.need)
	}
	if s.open {
		if err := s.leave(); err != nil {
			return err
		}
	} else if state == bad {
		s.lost = record.LostUnknown
		s.damage(int64(s.used-s.pos), fmt.Errorf("%s: %w", ev.trouble, ErrCorrupt))
	}
	s.pos = s.used
	return nil
}

// damage notes damage at the next event.
func (s *Stream) damage(skipped int64, err error) {
	s.note(s.at+int64(s.pos), skipped, err)
}

// note notes damage at a place of the file.
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

// wants reports whether events of a kind are selected, as far as fill checks.
func (s *Stream) wants(id uint32) bool {
	w := int(id >> 6)
	return s.kinds == nil || w < len(s.kinds) && s.kinds[w]>>(id&63)&1 != 0
}

// keep adds an event to the batch if it is selected or follows a loss, and advances past it.
func (s *Stream) keep(ev *event) {
	r, e := &s.batch[s.n], &s.entries[s.n]
	r.Data = ev.data
	r.Lost = s.lost
	r.ID = NoMarker
	if ev.marker != nil {
		r.ID = uint32(ev.marker.Index)
	}
	e.Marker, e.TSC, e.Offset = ev.marker, ev.tsc, s.at+int64(s.pos)
	s.tsc, s.pos = ev.tsc, ev.next
	if s.lost != 0 || s.wants(r.ID) {
		s.n, s.lost = s.n+1, 0
	} else if s.n == 0 { // the batch is empty, and the next event may come much later
		s.scratch = s.scratch[:0]
	}
}

// refill brings the next event into the window, with at least need bytes of it.
func (s *Stream) refill(need int) error {
	if err := s.choice.Err(); err != nil { // a batch can take many windows
		return err
	}
	s.share.Reach(s.at + int64(s.pos))
	if s.part != nil && s.isOver(int64(min(s.window, s.used-s.pos))) {
		return io.EOF
	}
	return s.load(s.pos, max(s.window, need))
}

// load makes n bytes of the sub-buffer, or the available part of them, the window. They begin at
// from.
func (s *Stream) load(from, n int) error {
	n = min(n, s.used-from)
	if cap(s.buf) < n || cap(s.buf) > 4*max(n, s.window) { // after a large event others may need the memory
		if err := s.lease.Swap(int64(cap(s.buf)), int64(n)); err != nil { // of this sub-buffer nothing else can be read
			s.lost = record.LostUnknown
			s.damage(int64(s.used-s.pos), fmt.Errorf("%d bytes of a sub-buffer: %w", n, err))
			s.buf, s.pos, s.lo, s.hi = s.buf[:0], s.used, s.used, s.used
			return nil
		}
		s.buf = make([]byte, n)
	}
	s.buf = s.buf[:n]
	s.lo, s.hi = from, from+n
	return s.read(s.buf, s.at+int64(from))
}

// read reads all of b. If the file has become shorter, that is ordinary damage.
func (s *Stream) read(b []byte, off int64) error {
	n, err := s.src.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		err = ErrTruncated
	}
	return &Damage{File: s.file.Path, Offset: off, Skipped: int64(len(b) - n), Err: err}
}
