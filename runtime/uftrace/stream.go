package uftrace

import (
	"fmt"
	"io"
	"runtime"

	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

const (
	recordSize = 16
	recordMark = 5 // bits 3-5 of the second word (uftrace.md 1.6)
	// maxPayload limits values. The recorder stops at 1020 bytes. Events have their length in 16
	// bits.
	maxPayload = 1 << 16

	maxBlock = 128 << 10 // bytes read at once
	minBlock = 2 << 10
	slack    = 1 << 10 // of a block, for the payload that is kept in front of it
	maxBatch = 256
	minBatch = 16
	// maxMemory is for the blocks and batches of all streams together. If they exceed the caches,
	// 400 threads are slow.
	maxMemory = 12 << 20
	// partBlock is maxBlock for slices of several files, which have many buffers.
	partBlock = 32 << 10
	// manyFiles is the number of files that are kept open.
	manyFiles = 700
)

// Stream yields the records of one file. It implements record.Stream.
type Stream struct {
	r    *Recording
	task *Task
	file *file
	big  bool

	block int // bytes to read at once

	done  bool
	limit int64 // offset of the end of a window: nothing after it is read; 0 means no limit

	index int32 // in a merge

	skipped hole

	lease *memory.Lease

	choice   *choice.Choice  // nil selects all
	unwanted *index.Unwanted // parts to skip, by the index; may be nil

	part *part // nil if the whole file is read

	hiding *hiding // nil if nothing is skipped

	in   input
	addr addressing
	prev previous
	out  output
	grow growth
}

// Streams begins to read the selected threads, in the order of Tasks. Their records do not have a
// processor: selecting processors results in record.ErrNoCPU.
func (r *Recording) Streams(opts record.Options) []*Stream {
	var list []*Stream
	r.walk(&opts)
	windows := r.windows(&opts)
	for _, t := range r.threads.list {
		if opts.HasTask(t.TID) {
			list = append(list, r.stream(t, &opts, r.newViews(), len(r.threads.list), windows[t], nil))
		}
	}
	return list
}

// stream begins to read the selected records of a thread.
func (r *Recording) stream(t *Task, opts *record.Options, v *views, streams int, w window, places landmarks) *Stream {
	s := r.newStream(t, v, streams)
	s.choose(opts)
	s.PassOver(s.choice.Kinds().List())
	if opts.Cut != nil {
		s.part, s.file = r.newPart(opts.Cut.Part(), places[t.File]), r.openPart(t.File, streams)
		if streams > 1 {
			s.block = min(s.block, partBlock)
		}
	} else {
		s.file = r.openStream(t.File, streams > manyFiles)
		s.file.share.Reach(w.from)
	}
	s.in.off, s.limit = w.from, w.to
	return s
}

// choose makes the stream leave out unselected records.
func (s *Stream) choose(o *record.Options) {
	own := *o
	own.Tasks = nil // all records of a file are of one thread
	if s.choice = choice.Of(&own, choice.Untimed); o.CPUs != nil {
		s.choice = choice.Refuse(record.ErrNoCPU)
	}
}

// newStream returns a stream that shares memory with the other streams of a walk. The first read
// allocates the buffers. The file must be set before.
func (r *Recording) newStream(t *Task, v *views, streams int) *Stream {
	share := int(min(maxMemory, r.memory.Left()/2)) / max(streams, 1)
	s := &Stream{
		r: r, task: t, big: r.info.BigEndian, lease: r.memory.Lease(),
		block: min(max(share/2, minBlock), maxBlock),
		addr:  addressing{views: v},
		out:   output{room: min(max(share/512, minBatch), maxBatch)},
		grow:  growth{live: r.live},
	}
	runtime.AddCleanup(s, (*memory.Lease).End, s.lease) // of a stream that is not read to its end
	return s
}

// File returns the name of the file.
func (s *Stream) File() string { return s.task.File }

// Number implements record.Numbered.
func (s *Stream) Number(index int32) { s.index = index }

// Next implements record.Stream.
func (s *Stream) Next() (record.Batch[Entry], error) {
	if s.part != nil {
		b, err := s.part.next(s, s.choice)
		if err == io.EOF && !s.done {
			return s.end()
		}
		return b, err
	}
	if s.choice != nil {
		s.out.dirty = true // records and losses move within the batch
		return choice.Next(s.choice, s.read)
	}
	return s.read()
}

// read returns the next records of the file.
func (s *Stream) read() (record.Batch[Entry], error) {
	if s.done {
		return record.Batch[Entry]{}, io.EOF
	}
	if s.out.recs == nil {
		if !s.r.claim(s.lease, s.task.File, 0, streamBytes+int64(s.out.room)*entryBytes) {
			return s.end()
		}
		if s.part != nil {
			s.r.spare.equip(s)
		}
		if s.out.recs == nil {
			s.out.recs, s.out.ents = make([]record.Record, s.out.room), make([]Entry, s.out.room)
		}
		for i := range s.out.recs {
			r := &s.out.recs[i]
			r.CPU, r.Task, r.Stream = -1, s.task.TID, s.index
		}
	}
	for {
		if s.grow.live != nil && !s.goOn() {
			return record.Batch[Entry]{}, record.ErrPending
		}
		if s.part != nil {
			s.begin()
		}
		n, st := s.walk(s.out.recs[:s.out.room], s.out.ents[:s.out.room])
		if n > 0 {
			s.out.dirty = s.skipped.mark(&s.out.recs[0]) || s.out.dirty
			s.out.recs, s.out.ents = s.out.recs[:n], s.out.ents[:n]
			return record.Batch[Entry]{Records: s.out.recs, Entries: s.out.ents}, nil
		}
		switch st {
		case needMore:
			if s.unwanted != nil && s.pass() {
				continue
			}
			if s.in.eof {
				s.tail()
				return s.end()
			}
			s.readMore(s.reach(max(s.block, 2*(len(s.in.buf)-s.in.pos)))) // a payload may be longer than a block
			if s.grow.pending {
				return record.Batch[Entry]{}, record.ErrPending
			}
		case lostTrack:
			s.resync()
		}
	}
}

func (s *Stream) end() (record.Batch[Entry], error) {
	if s.part != nil {
		s.r.spare.strip(s)
	}
	s.out.recs, s.out.ents = nil, nil
	s.close()
	return record.Batch[Entry]{}, s.r.last()
}

func (s *Stream) close() {
	s.done = true
	s.in.buf = nil
	s.lease.End()
	s.file.close()
}

// tail reports bytes at the end of the file that are too short for a record.
func (s *Stream) tail() {
	if n := len(s.in.buf) - s.in.pos; n > 0 && !s.limited() {
		s.note(s.in.off+int64(s.in.pos), int64(n), fmt.Errorf("%w within a record", ErrTruncated))
	}
}

// readMore reads until want bytes are available from pos, or the file ends. It moves the bytes that
// are still needed to the front, which invalidates the data of records. So it is called only
// between batches. resync needs the payload of the last record.
func (s *Stream) readMore(want int) {
	if s.hiding != nil {
		s.hiding.tries, s.hiding.pending.begins = 0, s.hiding.pending.begins[:0]
	}
	keep := s.in.pos
	if s.prev.payloadEnd == s.in.off+int64(s.in.pos) {
		keep = int(s.prev.payload - s.in.off)
	}
	rest := s.in.buf[keep:]
	want += s.in.pos - keep
	if cap(s.in.buf) < want {
		if !s.r.claim(s.lease, s.task.File, int64(cap(s.in.buf)), int64(want+slack)) {
			s.in.eof = true
			return
		}
		s.in.buf = make([]byte, len(rest), want+slack)
	} else {
		s.in.buf = s.in.buf[:len(rest)]
	}
	copy(s.in.buf, rest)
	s.in.off += int64(keep)
	s.in.pos -= keep
	if s.limit > 0 {
		want = max(len(s.in.buf), int(min(int64(want), s.limit-s.in.off)))
	}
	for had := len(s.in.buf); len(s.in.buf) < want && !s.in.eof; {
		n, err := s.file.readAt(s.in.buf[len(s.in.buf):want], s.in.off+int64(len(s.in.buf)))
		s.in.buf = s.in.buf[:len(s.in.buf)+n]
		if err == record.ErrPending {
			s.grow.pending = len(s.in.buf) == had
			return
		}
		if err != nil || n == 0 {
			s.in.eof = true
			if err != nil && !ends(err) {
				s.note(s.in.off+int64(len(s.in.buf)), 0, err)
			}
		}
	}
	s.in.eof = s.in.eof || s.limited()
}

// limited reports whether the stream has read up to the limit.
func (s *Stream) limited() bool { return s.limit > 0 && s.in.off+int64(len(s.in.buf)) >= s.limit }

// peek returns up to want bytes from pos, reading more if needed.
func (s *Stream) peek(want int) []byte {
	if len(s.in.buf)-s.in.pos < want && !s.in.eof {
		s.readMore(max(want, s.block))
	}
	return s.in.buf[s.in.pos:]
}

// enterSession finds the program image at a time.
func (s *Stream) enterSession(time uint64) {
	var session *Session
	session, s.addr.from, s.addr.to = s.task.sessionAt(time)
	from, to := session.lifetime(time)
	s.addr.from, s.addr.to = max(s.addr.from, from), min(s.addr.to, to)
	s.addr.cache = s.addr.views.of(session, time)
}
