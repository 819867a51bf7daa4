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
	// maxPayload limits values; the recorder stops at 1020 bytes. Events have their length in 16
	// bits.
	maxPayload = 1 << 16

	maxBlock = 128 << 10 // bytes read at once
	minBlock = 2 << 10
	slack    = 1 << 10 // of a block, for the payload that is kept in front
	maxBatch = 256
	minBatch = 16
	// maxMemory is for the blocks and batches of all streams together. More than the caches hold
	// makes 400 threads slow.
	maxMemory = 12 << 20
	// partBlock is maxBlock for slices of several files, which have many buffers.
	partBlock = 32 << 10
	// manyFiles is how many files are kept open.
	manyFiles = 700
)

// Stream yields the records of one file. It implements record.Stream.
type Stream struct {
	r    *Recording
	task *Task
	file *file
	big  bool

	views *views
	cache *addressCache // of the program image of now; nil before the first call
	from  uint64        // it holds at times from ≤ t < to
	to    uint64

	block int    // bytes to read at once
	buf   []byte // bytes read but not decoded: buf[pos:]
	pos   int
	off   int64 // of buf[0] in the file
	eof   bool  // nothing after buf
	done  bool
	limit int64 // of a window: nothing after it is read; 0: no limit

	batch   int
	index   int32 // in a merge
	dirty   bool  // recs have payloads or losses
	skipped hole
	recs    []record.Record
	ents    []Entry
	last    uint64 // time of the last record, see jump
	other   uint64 // a time far from last

	payload, payloadEnd int64 // of the last record that had one, in the file

	lease *memory.Lease

	choice   *choice.Choice  // nil: everything
	unwanted *index.Unwanted // by the index; may be nil

	part *part // nil: the whole file

	live    *record.Live // nil: the recording is not followed
	pending bool         // nothing more has been written yet
	news    int          // of r that the stream has seen
	gap     *gap         // a place where the search for a record is not finished; nil: no such place
}

// Streams begins to read the selected threads, in the order of Tasks. Their records do not have a
// processor: selecting processors is record.ErrNoCPU.
func (r *Recording) Streams(opts record.Options) []*Stream {
	var list []*Stream
	r.walk(&opts)
	windows := r.windows(&opts)
	for _, t := range r.tasks {
		if opts.HasTask(t.TID) {
			list = append(list, r.stream(t, &opts, r.newViews(), len(r.tasks), windows[t], nil))
		}
	}
	return list
}

// stream begins to read the selected records of a thread.
func (r *Recording) stream(t *Task, opts *record.Options, v *views, streams int, w window, places landmarks) *Stream {
	s := r.newStream(t, v, streams)
	s.choose(opts)
	s.PassOver(s.choice.IDs())
	if opts.Cut != nil {
		s.part, s.file = r.newPart(opts.Cut.Part(), places[t.File]), r.openPart(t.File, streams)
		if streams > 1 {
			s.block = min(s.block, partBlock)
		}
	} else {
		s.file = r.openStream(t.File, streams > manyFiles)
		s.file.share.Reach(w.from)
	}
	s.off, s.limit = w.from, w.to
	return s
}

// choose prepares the stream to leave out unselected records.
func (s *Stream) choose(o *record.Options) {
	own := *o
	own.Tasks = nil // all records of a file are of one thread
	if s.choice = choice.Of(&own); o.CPUs != nil {
		s.choice = choice.Refuse(record.ErrNoCPU)
	}
	s.choice.Untimed()
}

// newStream shares memory with the other streams of a walk. The first read makes the buffers; the
// file must be set before.
func (r *Recording) newStream(t *Task, v *views, streams int) *Stream {
	share := int(min(maxMemory, r.memory.Left()/2)) / max(streams, 1)
	s := &Stream{r: r, task: t, big: r.info.BigEndian, views: v,
		block: min(max(share/2, minBlock), maxBlock), batch: min(max(share/512, minBatch), maxBatch), lease: r.memory.Lease(), live: r.live}
	runtime.AddCleanup(s, (*memory.Lease).End, s.lease) // of a stream that is not read to its end
	return s
}

// File is the name of the file.
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
		s.dirty = true // records and losses move within the batch
		return choice.Next(s.choice, s.read)
	}
	return s.read()
}

// read returns the next records of the file.
func (s *Stream) read() (record.Batch[Entry], error) {
	if s.done {
		return record.Batch[Entry]{}, io.EOF
	}
	if s.recs == nil {
		if !s.r.claim(s.lease, s.task.File, 0, streamBytes+int64(s.batch)*entryBytes) {
			return s.end()
		}
		if s.part != nil {
			s.r.spare.equip(s)
		}
		if s.recs == nil {
			s.recs, s.ents = make([]record.Record, s.batch), make([]Entry, s.batch)
		}
		for i := range s.recs {
			r := &s.recs[i]
			r.CPU, r.Task, r.Stream = -1, s.task.TID, s.index
		}
	}
	for {
		if s.live != nil && !s.goOn() {
			return record.Batch[Entry]{}, record.ErrPending
		}
		if s.part != nil {
			s.begin()
		}
		n, st := s.walk(s.recs[:s.batch], s.ents[:s.batch])
		if n > 0 {
			s.dirty = s.skipped.mark(&s.recs[0]) || s.dirty
			s.recs, s.ents = s.recs[:n], s.ents[:n]
			return record.Batch[Entry]{Records: s.recs, Entries: s.ents}, nil
		}
		switch st {
		case needMore:
			if s.unwanted != nil && s.pass() {
				continue
			}
			if s.eof {
				s.tail()
				return s.end()
			}
			s.readMore(s.reach(max(s.block, 2*(len(s.buf)-s.pos)))) // a payload may be longer than a block
			if s.pending {
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
	s.recs, s.ents = nil, nil
	s.close()
	return record.Batch[Entry]{}, s.r.last()
}

func (s *Stream) close() {
	s.done = true
	s.buf = nil
	s.lease.End()
	s.file.close()
}

// tail reports bytes at the end of the file that are too short for a record.
func (s *Stream) tail() {
	if n := len(s.buf) - s.pos; n > 0 && !s.limited() {
		s.note(s.off+int64(s.pos), int64(n), fmt.Errorf("%w within a record", ErrTruncated))
	}
}

// readMore reads until want bytes are available from pos, or the file ends. It moves the bytes
// still needed to the front, which invalidates the data of records. So it is called between batches
// only. The payload of the last record is needed for resync.
func (s *Stream) readMore(want int) {
	keep := s.pos
	if s.payloadEnd == s.off+int64(s.pos) {
		keep = int(s.payload - s.off)
	}
	rest := s.buf[keep:]
	want += s.pos - keep
	if cap(s.buf) < want {
		if !s.r.claim(s.lease, s.task.File, int64(cap(s.buf)), int64(want+slack)) {
			s.eof = true
			return
		}
		s.buf = make([]byte, len(rest), want+slack)
	} else {
		s.buf = s.buf[:len(rest)]
	}
	copy(s.buf, rest)
	s.off += int64(keep)
	s.pos -= keep
	if s.limit > 0 {
		want = max(len(s.buf), int(min(int64(want), s.limit-s.off)))
	}
	for had := len(s.buf); len(s.buf) < want && !s.eof; {
		n, err := s.file.readAt(s.buf[len(s.buf):want], s.off+int64(len(s.buf)))
		s.buf = s.buf[:len(s.buf)+n]
		if err == record.ErrPending {
			s.pending = len(s.buf) == had
			return
		}
		if err != nil || n == 0 {
			s.eof = true
			if err != nil && !ends(err) {
				s.note(s.off+int64(len(s.buf)), 0, err)
			}
		}
	}
	s.eof = s.eof || s.limited()
}

// limited reports whether the stream has read up to the limit.
func (s *Stream) limited() bool { return s.limit > 0 && s.off+int64(len(s.buf)) >= s.limit }

// peek returns up to want bytes from pos, reading more if needed.
func (s *Stream) peek(want int) []byte {
	if len(s.buf)-s.pos < want && !s.eof {
		s.readMore(max(want, s.block))
	}
	return s.buf[s.pos:]
}

// enterSession looks for the program image at a time.
func (s *Stream) enterSession(time uint64) {
	var session *Session
	session, s.from, s.to = s.task.sessionAt(time)
	from, to := session.lifetime(time)
	s.from, s.to = max(s.from, from), min(s.to, to)
	s.cache = s.views.of(session, time)
}
