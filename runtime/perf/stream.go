package perf

import (
	"errors"
	"fmt"
	"io"
	"math"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

const (
	maxBatch   = 256
	entryBytes = int64(unsafe.Sizeof(record.Record{}) + unsafe.Sizeof(Entry{}))
	heldBytes  = 2 * int64(unsafe.Sizeof(held{}))
)

// Stream yields the records of one file. It implements record.Stream.
type Stream struct {
	rec    *Recording
	file   *File
	choice *choice.Choice
	lease  *memory.Lease
	source source
	sorter sorter
	taken  int64 // bytes of the budget for what is held
	next   int   // of the records that are ready
	last   uint64
	ended  bool // nothing more comes from the file
	done   bool

	records []record.Record
	entries []Entry
}

// Streams begins to read the files, in the order of Files.
func (r *Recording) Streams(opts record.Options) []*Stream {
	streams := make([]*Stream, len(r.files))
	for i, f := range r.files {
		streams[i] = &Stream{rec: r, file: f, choice: choice.Of(&opts), lease: r.memory.Lease()}
	}
	return streams
}

// Merge begins to read the recording: records in time order, at equal times in the order of Files.
func (r *Recording) Merge(opts record.Options) *record.Merger[Entry] {
	streams := r.Streams(opts)
	return record.Merge(streams, func() {
		for _, s := range streams {
			s.Close()
		}
	})
}

// Close ends the stream, also before its last record.
func (s *Stream) Close() {
	if !s.done {
		s.done = true
		s.source.close()
		s.sorter = sorter{}
		s.records, s.entries = nil, nil
		s.lease.End()
	}
}

// Unpacked returns the number of compressed records that the stream has unpacked so far, which it
// does not yield, and their type.
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
		if err := s.start(); err != nil {
			s.Close()
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
		s.sorter.pass(s.rec.order)
		s.next = 0
		s.collect()
	}
	s.Close()
	return record.Batch[Entry]{}, io.EOF
}

func (s *Stream) start() error {
	if err := s.lease.Swap(0, maxBatch*entryBytes+2*blockSize); err != nil {
		return err
	}
	s.records, s.entries = make([]record.Record, 0, maxBatch), make([]Entry, 0, maxBatch)
	s.source = source{order: s.rec.order, src: s.file.src, at: s.file.from, end: s.file.to}
	return nil
}

// collect holds records until some may be passed on.
func (s *Stream) collect() {
	for s.sorter.ready == 0 {
		r, err := s.source.next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				at := s.source.position()
				s.rec.damage.Note(s.file.Path, at, s.file.to-at, err)
			}
			s.ended = true
			s.sorter.finish()
			return
		}
		s.hold(r)
		if r.kind == FinishedRound {
			s.sorter.round()
		}
	}
}

// hold adds a record to those that are to be sorted. If there is no room for more, those that are
// held are passed on as they are.
func (s *Stream) hold(r raw) {
	e, time := s.identify(r)
	if e == nil {
		return
	}
	s.sorter.add(held{time: time, place: r.place, event: e}, r.all)
	if need := int64(cap(s.sorter.bytes)) + int64(cap(s.sorter.list))*heldBytes; need > s.taken {
		if err := s.lease.Swap(s.taken, need); err != nil {
			s.rec.damage.Note(s.file.Path, r.place, 0,
				fmt.Errorf("records of two rounds, which are not put in order: %w", err))
			s.sorter.finish()
			return
		}
		s.taken = need
	}
}

// identify finds the event and the time of a record. Without a time, it has that of the round.
func (s *Stream) identify(r raw) (e *Event, time uint64) {
	o := s.rec.order
	if r.kind == SampleKind {
		e = s.attr(r)
		if e == nil || e.plan.time < 0 {
			return e, s.sorter.barrier
		}
		return e, o.u64(r.body[e.plan.time:])
	}
	e = s.rec.kind(r.kind)
	if p := &e.plan; p.trailerTime > 0 && len(r.body) >= p.trailer {
		return e, o.u64(r.body[len(r.body)-p.trailerTime:])
	}
	return e, s.sorter.barrier
}

// attr finds the attribute of a sample. It notes damage if there is none, or if the sample is too
// short for it.
func (s *Stream) attr(r raw) *Event {
	attrs := s.rec.attrs
	if len(attrs) == 0 {
		s.rec.damage.Note(s.file.Path, r.place, int64(len(r.all)),
			fmt.Errorf("a sample without an attribute: %w", ErrCorrupt))
		return nil
	}
	e := attrs[0]
	if at := e.plan.id; at >= 0 && len(attrs) > 1 {
		if len(r.body) < at+8 {
			e = nil
		} else {
			e = s.rec.byID.find(s.rec.order.u64(r.body[at:]))
		}
	}
	if e == nil || len(r.body) < e.plan.fixed {
		s.rec.damage.Note(s.file.Path, r.place, int64(len(r.all)),
			fmt.Errorf("a sample of no known attribute: %w", ErrCorrupt))
		return nil
	}
	return e
}

// deliver makes a batch of records that are ready.
func (s *Stream) deliver() record.Batch[Entry] {
	s.records, s.entries = s.records[:0], s.entries[:0]
	list := s.sorter.list[s.next:s.sorter.ready]
	list = list[:min(len(list), maxBatch)]
	s.next += len(list)
	for i := range list {
		s.put(&list[i])
	}
	return record.Batch[Entry]{Records: s.records, Entries: s.entries}
}

func (s *Stream) put(h *held) {
	o, e := s.rec.order, h.event
	all := s.sorter.bytes[h.at:]
	all = all[:o.u16(all[6:]):o.u16(all[6:])]
	body := all[headerSize:]
	s.last = max(s.last, h.time) // what came too late is of the time of those before
	x := record.Record{Time: s.last, Data: body, ID: e.ID, CPU: -1, Task: -1, Stream: s.file.index}
	if e.Attr != nil {
		s.sample(&x, e, body, h.place)
	} else if p := &e.plan; p.trailer > 0 && len(body) >= p.trailer {
		if p.trailerTID > 0 {
			x.Task = int32(o.u32(body[len(body)-p.trailerTID+4:]))
		}
		x.Lost = o.lost(e, body)
		if p.about > 0 && len(body) >= p.about+4 {
			x.Task = int32(o.u32(body[p.about:]))
		}
		if p.trailerCPU > 0 {
			x.CPU = int32(o.u32(body[len(body)-p.trailerCPU:]))
		}
	}
	s.records = append(s.records, x)
	s.entries = append(s.entries, Entry{Event: e, Body: body, Offset: h.place, Misc: o.u16(all[4:])})
}

// sample adds what only samples have.
func (s *Stream) sample(x *record.Record, e *Event, body []byte, place int64) {
	o, p := e.order, &e.plan
	if p.tid >= 0 {
		x.Task = int32(o.u32(body[p.tid+4:]))
	}
	if p.cpu >= 0 {
		x.CPU = int32(o.u32(body[p.cpu:]))
	}
	if !e.IsTracepoint() {
		return
	}
	data, ok := e.raw(body)
	if !ok {
		s.rec.damage.Note(s.file.Path, place, int64(len(body)),
			fmt.Errorf("a sample whose parts are longer than it: %w", ErrCorrupt))
		data = nil
	}
	x.Data = data
}

// lost returns how many records the kernel lost before this one. What perf itself adds at the end,
// the sum for each attribute, has no time and is not counted again (perf.md 3).
func (o order) lost(e *Event, body []byte) int64 {
	at, p := 8, &e.plan
	switch e.Kind {
	case Lost:
	case LostSamples:
		at = 0
		if p.trailerTime == 0 || len(body) < p.trailer || o.u64(body[len(body)-p.trailerTime:]) == 0 {
			return 0
		}
	default:
		return 0
	}
	if len(body) < at+8 {
		return 0
	}
	return int64(min(o.u64(body[at:]), math.MaxInt64))
}
