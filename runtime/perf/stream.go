package perf

import (
	"errors"
	"fmt"
	"io"
	"unsafe"

	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

const (
	maxBatch   = 256
	entryBytes = int64(unsafe.Sizeof(record.Record{}) + unsafe.Sizeof(Entry{}))
	heldBytes  = 2*int64(unsafe.Sizeof(held{})) + 8 // including the room for merging, and the start of a run
	leastHeld  = 1 << 10
)

// Stream yields the records of one file. It implements record.Stream.
type Stream struct {
	rec    *Recording
	file   *File
	choice *choice.Choice
	lease  *memory.Lease
	source source
	sorter sorter
	part   *slicePart // nil if the file is read whole
	next   int        // index of the next ready record
	last   uint64
	ended  bool // the file has no more records
	done   bool

	live     *record.Live    // nil if the recording has ended
	pending  bool            // no more has been written yet
	unwanted *index.Unwanted // rounds that can be skipped; nil without an index
	early    early

	records []record.Record
	entries []Entry
}

// Streams begins to read the files, in the order of Files.
func (r *Recording) Streams(opts record.Options) []*Stream {
	streams := make([]*Stream, len(r.files))
	var live *record.Live
	if r.grows() {
		live = r.pipe.live(opts.Context)
	}
	for i, f := range r.files {
		streams[i] = r.newStream(f, &opts)
		streams[i].live = live
	}
	return streams
}

// newStream returns the stream of a file.
func (r *Recording) newStream(f *File, opts *record.Options) *Stream {
	return &Stream{rec: r, file: f, choice: choice.Of(opts), lease: r.memory.Lease(),
		early: early{since: opts.Since, kinds: []uint32{}}}
}

// Merge begins to read the recording: records in time order, at equal times in the order of Files.
func (r *Recording) Merge(opts record.Options) *record.Merger[Entry] {
	return mergeAs[Entry](r.Streams(opts), (*Stream).itself)
}

// MergeSince is Merge for a reader that needs no samples before a time, but all other records. An
// example is a reader that follows names. With an index, rounds that contain only such samples are
// not read.
func (r *Recording) MergeSince(opts record.Options, since uint64) *record.Merger[Entry] {
	return mergeAs[Entry](r.streamsSince(opts, since), (*Stream).itself)
}

func (r *Recording) streamsSince(opts record.Options, since uint64) []*Stream {
	streams := r.Streams(opts)
	if since == 0 {
		return streams
	}
	for _, s := range streams {
		s.early = early{since: since}
		for _, e := range r.events {
			if e.Attr == nil && e.Kind != FinishedRound {
				s.early.kinds = append(s.early.kinds, e.ID)
			}
		}
	}
	return streams
}

// mergeAs merges the streams that the function of makes from streams.
func mergeAs[E any, S record.Stream[E]](streams []*Stream, of func(*Stream) S) *record.Merger[E] {
	list := make([]S, len(streams))
	for i, s := range streams {
		list[i] = of(s)
	}
	return record.Merge[E](list, func() {
		for _, s := range streams {
			s.Close()
		}
	})
}

func (s *Stream) itself() *Stream { return s }

// Close ends the stream, also before its last record.
func (s *Stream) Close() {
	switch {
	case s.done:
	case s.part != nil && s.part.lent:
		s.done = true
	default:
		s.done = true
		s.source.close()
		s.sorter = sorter{}
		s.records, s.entries = nil, nil
		s.lease.End()
	}
}

// Unpacked returns the number of compressed records that the stream has unpacked so far, and their
// type. The stream does not yield these records.
func (s *Stream) Unpacked() (n int64, kind Kind) { return s.source.packed, s.source.packing }

// Next implements record.Stream.
func (s *Stream) Next() (record.Batch[Entry], error) {
	if s.choice != nil {
		return choice.Next(s.choice, s.batch)
	}
	return s.batch()
}

func (s *Stream) batch() (record.Batch[Entry], error) {
	if s.records == nil && !s.done {
		if err := s.start(); err != nil && !s.cannotCut() {
			s.Close()
			if s.part != nil {
				err = s.part.Fail(err)
			}
			return record.Batch[Entry]{}, err
		}
	}
	for !s.done {
		if s.next < s.sorter.ready {
			return s.deliver(), nil
		}
		if s.ended {
			break
		}
		s.pass()
		if s.collect(); s.pending {
			s.pending = false
			return record.Batch[Entry]{}, record.ErrPending
		}
	}
	s.endPart()
	s.Close()
	return record.Batch[Entry]{}, io.EOF
}

func (s *Stream) start() error {
	if err := s.lease.Swap(0, maxBatch*entryBytes); err != nil {
		return err
	}
	s.records, s.entries = make([]record.Record, maxBatch), make([]Entry, maxBatch)
	if err := s.growSorter(leastHeld); err != nil {
		return err
	}
	s.source = s.rec.newSource(s.file, s.lease)
	if s.live != nil {
		s.source.share = s.rec.read.Share(-1)
		return nil
	}
	s.unwanted = s.rec.index.Unwanted(indexed, s.choice.Kinds().List(), nil)
	s.early.find(&s.rec.index)
	if s.part != nil {
		s.startPart()
		return nil
	}
	s.source.share = s.rec.read.Share(s.file.to)
	return nil
}

// pass removes the records that were delivered. Later records have at least their time, or the time
// of rounds that an index has skipped.
func (s *Stream) pass() {
	s.next = 0
	if s.early.parts != nil {
		s.last = max(s.last, s.sorter.passed)
	}
	for i, first := range s.sorter.pass() {
		w := &s.source.windows[i]
		w.keep = min(first, w.at)
	}
}

// collect reads records until some may be passed on.
func (s *Stream) collect() {
	for s.sorter.ready == 0 && !s.ended {
		if s.passRounds(); s.sorter.ready > 0 || s.ended {
			return
		}
		s.holdSamples()
		r, err := s.source.next()
		switch {
		case s.source.packed > 0 && s.cannotCut():
			return
		case err == nil:
			s.hold(r)
			continue
		case errors.Is(err, record.ErrPending):
			s.pending = true
			return
		case errors.Is(err, ErrLimit) && s.cannotCut():
			return
		case errors.Is(err, ErrLimit) && len(s.sorter.list) > 0:
			s.crowded(err)
			continue
		case !errors.Is(err, io.EOF) && !s.rec.hasTold(&s.source):
			at := s.source.position()
			s.note(at, s.end()-at, err)
		}
		s.grown()
		s.ended = true
		s.finish()
		return
	}
}

// crowded passes on all held records in their present order, since there is no memory for more.
func (s *Stream) crowded(err error) {
	s.note(s.source.position(), 0,
		fmt.Errorf("records of two rounds, which are not put in order: %w", err))
	s.sorter.finish()
}

// holdSamples is hold for the next samples that have been read. It stops at any other record, and
// if hold would report damage or make room. Most records take this way, in a third of the time.
func (s *Stream) holdSamples() {
	o, l, w := s.rec.order, &s.sorter, &s.source.windows[fromFile]
	if s.source.hasUnpacked() || s.source.packs || s.source.left > 0 {
		return
	}
	b, at, ahead := w.buf, int(w.at-w.base), s.source.position()-w.at
	for len(l.list) < cap(l.list)-1 && len(b)-at >= headerSize && Kind(o.u32At(b, at)) == SampleKind {
		n := int(o.u16At(b, at+6))
		if n < headerSize || n > len(b)-at {
			return
		}
		body := b[at+headerSize : at+n]
		e := s.attr(body)
		if e == nil || e.plan.time < 0 {
			return
		}
		l.add(held{
			time: o.u64At(body, e.plan.time), at: w.at, place: w.at + ahead, event: int32(e.Index), size: uint16(n),
		})
		at += n
		w.at += int64(n)
	}
}

// hold adds a record to the records that must be sorted.
func (s *Stream) hold(r raw) {
	l, e := &s.sorter, s.eventOf(r)
	if s.rec.isLate(r) {
		s.note(r.place, int64(headerSize+len(r.body)),
			fmt.Errorf("a record %v after the first sample is ignored: %w", r.kind, ErrUnsupported))
	}
	if e == nil {
		s.note(r.place, int64(headerSize+len(r.body)), fmt.Errorf("a sample of no known attribute: %w", ErrCorrupt))
	} else {
		l.add(held{
			time: s.timeOf(e, r.body), at: r.at, place: r.place, event: int32(e.Index), packed: r.packed,
			size: uint16(headerSize + len(r.body)),
		})
	}
	if r.kind == FinishedRound {
		s.endRound(r.place)
	}
	if l.full() && l.ready == 0 {
		if err := s.growSorter(2 * cap(l.list)); err != nil && !s.cannotCut() {
			s.crowded(err)
		}
	}
}

// eventOf returns the event of a record, or nil for a sample of an unknown attribute.
func (s *Stream) eventOf(r raw) *Event {
	if r.kind == SampleKind {
		return s.attr(r.body)
	}
	return s.rec.kind(r.kind)
}

// growSorter makes room for n held records.
func (s *Stream) growSorter(n int) error {
	err := s.lease.Swap(heldBytes*int64(cap(s.sorter.list)), heldBytes*int64(n))
	if err == nil {
		s.sorter.grow(n)
	}
	return err
}

// timeOf returns the time of a record. A record without a time has the time of the round.
func (s *Stream) timeOf(e *Event, body []byte) uint64 {
	if e.Attr != nil && e.plan.time >= 0 {
		return s.rec.order.u64(body[e.plan.time:])
	}
	if t, ok := e.recordedTime(body); ok {
		return t
	}
	return s.sorter.barrier
}

// attr finds the attribute of a sample. It returns nil if there is none, or if the sample is too
// short for it.
func (s *Stream) attr(body []byte) *Event {
	attrs := s.rec.attrs
	if len(attrs) == 0 {
		return nil
	}
	e := attrs[0]
	if at := e.plan.id; at >= 0 && len(attrs) > 1 {
		if len(body) < at+8 {
			return nil
		}
		e = s.rec.byID.find(s.rec.order.u64At(body, at))
	}
	if e == nil || len(body) < e.plan.fixed {
		return nil
	}
	return e
}

// deliver makes a batch of ready records.
func (s *Stream) deliver() record.Batch[Entry] {
	list := s.sorter.list[s.next:s.sorter.ready]
	list = list[:min(len(list), maxBatch)]
	s.next += len(list)
	for i := range list {
		s.put(&s.records[i], &s.entries[i], &list[i])
	}
	return record.Batch[Entry]{Records: s.records[:len(list)], Entries: s.entries[:len(list)]}
}

func (s *Stream) put(x *record.Record, y *Entry, h *held) {
	o, e, w := s.rec.order, s.rec.events[h.event], &s.source.windows[fromFile]
	if h.packed {
		w = &s.source.windows[unpacked]
	}
	at := int(h.at - w.base)
	body := w.buf[at+headerSize : at+int(h.size) : at+int(h.size)]
	s.last = max(s.last, h.time) // late records get the time of the records before them
	y.Event, y.Body, y.Offset, y.Misc, y.Maps = e, body, h.place, o.u16At(w.buf, at+4), Maps{}
	x.Time, x.Data, x.Lost, x.ID, x.Stream = s.last, body, 0, e.ID, s.file.index
	if e.Attr == nil {
		y.process, x.Task = y.sideTask()
		x.CPU = y.sideCPU()
		if x.Lost = y.lost(); y.short() {
			s.note(h.place, int64(h.size),
				fmt.Errorf("a record %v of %d bytes is too short: %w", e.Kind, h.size, ErrCorrupt))
		}
		return
	}
	y.process, x.Task, x.CPU = -1, -1, -1
	if at := e.plan.tid; at >= 0 {
		y.process, x.Task = o.pair(body, at)
	}
	if at := e.plan.cpu; at >= 0 {
		x.CPU = int32(o.u32At(body, at))
	}
	if e.IsTracepoint() {
		x.Data = s.payload(e, body, h.place)
	}
}

// payload returns the payload of the sample of a tracepoint.
func (s *Stream) payload(e *Event, body []byte, place int64) []byte {
	data, ok := e.raw(body)
	if !ok {
		s.note(place, int64(len(body)), fmt.Errorf("a sample that is shorter than its parts: %w", ErrCorrupt))
		return nil
	}
	return data
}
