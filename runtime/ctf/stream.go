package ctf

import (
	"errors"
	"fmt"
	"io"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

const (
	maxBatch   = 256
	window     = 64 << 10 // bytes of a packet in memory; an event that is larger has more
	entryBytes = int64(unsafe.Sizeof(record.Record{}) + unsafe.Sizeof(Entry{}))
)

// Stream yields the events of one file. It implements record.Stream.
type Stream struct {
	rec    *Recording
	file   *File
	choice *choice.Choice
	src    io.ReaderAt
	closer io.Closer
	lease  *memory.Lease
	share  func(int64)

	m      machine
	window int // bytes
	class  *stream
	pk     packet
	open   bool // a packet is open
	lost   int64
	done   bool

	records []record.Record
	entries []Entry
}

// Streams begins to read the files, in the order of Files. Packets outside of a window of time are
// not skipped.
func (r *Recording) Streams(opts record.Options) []*Stream {
	streams := make([]*Stream, len(r.files))
	for i, f := range r.files {
		streams[i] = &Stream{rec: r, file: f, choice: choice.Of(&opts), lease: r.memory.Lease(), window: window}
		if opts.Tasks != nil {
			streams[i].choice = choice.Refuse(record.ErrNoTask)
		}
	}
	return streams
}

// Merge begins to read the recording: events in time order, at equal times in the order of Files.
func (r *Recording) Merge(opts record.Options) *record.Merger[Entry] {
	streams := r.Streams(opts)
	return record.Merge(streams, func() {
		for _, s := range streams {
			s.Close()
		}
	})
}

// Close ends the stream, also before its last event.
func (s *Stream) Close() {
	if s.closer != nil {
		s.closer.Close()
	}
	s.src, s.closer, s.done = nil, nil, true
	s.m.data, s.records, s.entries = nil, nil, nil
	s.lease.End()
}

// Next implements record.Stream.
func (s *Stream) Next() (record.Batch[Entry], error) {
	if s.choice != nil {
		return choice.Next(s.choice, s.batch)
	}
	return s.batch()
}

func (s *Stream) batch() (record.Batch[Entry], error) {
	if s.done {
		return record.Batch[Entry]{}, io.EOF
	}
	if s.src == nil {
		if err := s.start(); err != nil {
			s.Close()
			return record.Batch[Entry]{}, err
		}
	}
	s.records, s.entries, s.m.out = s.records[:0], s.entries[:0], s.m.out[:0]
	err := s.fill()
	if len(s.records) > 0 {
		return record.Batch[Entry]{Records: s.records, Entries: s.entries}, nil
	}
	s.Close()
	return record.Batch[Entry]{}, err
}

// start opens the file.
func (s *Stream) start() error {
	f, err := s.rec.dir.Open(s.file.Path)
	if err != nil {
		return damage.In(s.rec.name, &Damage{File: s.file.Path, Err: err})
	}
	src, ok := f.(io.ReaderAt)
	if !ok {
		f.Close()
		return damage.In(s.rec.name, &Damage{File: s.file.Path, Err: fmt.Errorf("files of traces must be io.ReaderAt: %w", ErrFormat)})
	}
	s.src, s.closer = src, f
	if err := s.lease.Swap(0, maxBatch*entryBytes); err != nil {
		return s.lose(s.file.Size, err)
	}
	s.records, s.entries = make([]record.Record, 0, maxBatch), make([]Entry, 0, maxBatch)
	if len(s.file.trace.streams) == 0 {
		return s.lose(s.file.Size, fmt.Errorf("the trace describes no stream: %w", ErrMetadata))
	}
	return nil
}

// fill makes a batch of one window. An error comes without records.
func (s *Stream) fill() error {
	for len(s.records) < maxBatch {
		if !s.open {
			if len(s.records) > 0 {
				return nil // the next window takes the place of this one
			}
			if err := s.nextPacket(); err != nil {
				return err
			}
			s.open = true
		}
		if s.m.at >= s.pk.content {
			s.open = false
			continue
		}
		if more, err := s.event(); err != nil || more {
			return err
		}
	}
	return nil
}

// event reads an event. more reports that the batch ends before it, since it needs another window.
func (s *Stream) event() (more bool, err error) {
	at, clock, out := s.m.at, s.m.clock, len(s.m.out)
	ev, data, err := s.decode()
	if err == nil && s.m.at == at {
		err = errors.New("an event without a bit")
	}
	if err == nil {
		s.keep(ev, data, at)
		return false, nil
	}
	ended := s.m.end
	s.m.at, s.m.clock, s.m.out = at, clock, s.m.out[:out]
	if errors.Is(err, errShort) && ended < s.pk.content {
		if len(s.records) > 0 {
			return true, nil
		}
		from := at &^ 7
		size := s.window
		if from == s.m.base && len(s.m.data) >= size { // it is larger
			size = 2 * len(s.m.data)
		}
		return false, s.load(from, size, s.pk.content)
	}
	s.noteAt(int64((s.pk.content-at)/8), fmt.Errorf("an event: %w: %w", err, ErrCorrupt))
	s.lost, s.open = record.LostUnknown, false
	return false, nil
}

// decode reads the fields of an event.
func (s *Stream) decode() (ev *Event, data []byte, err error) {
	m := &s.m
	id, ok := uint64(0), false
	if q := s.class.quick; q != nil {
		id, ok = q.read(m)
	}
	if !ok {
		if id, err = s.number(); err != nil {
			return nil, nil, err
		}
	}
	if ev = s.class.event(id); ev == nil {
		return nil, nil, fmt.Errorf("no event of stream %d has the number %d", s.class.ID, id)
	}
	if ev.Form.Unpacked {
		data, err = s.unpack(ev)
		return ev, data, err
	}
	if !m.align(8) {
		return nil, nil, errShort
	}
	at := m.at
	if err := m.walk(ev.steps); err != nil {
		return nil, nil, err
	}
	return ev, m.data[(at-m.base)/8 : (m.at-m.base)/8 : (m.at-m.base)/8], nil
}

// number visits the header of an event and returns the event's number.
func (s *Stream) number() (uint64, error) {
	m := &s.m
	m.bits[eventClass] = 0
	if err := m.scope(s.class.header); err != nil {
		return 0, err
	}
	switch {
	case m.bits[eventClass] > 0:
		return m.values[eventClass], nil
	case len(s.class.Events) == 1:
		return s.class.Events[0].ID, nil
	}
	return 0, nil
}

// unpack reads the fields of an event in the unpacked form.
func (s *Stream) unpack(ev *Event) ([]byte, error) {
	m := &s.m
	out := len(m.out)
	m.copying = true
	defer func() { m.copying = false }()
	for _, n := range [...]*node{s.class.context, ev.specific, ev.payload} {
		if err := m.scope(n); err != nil {
			return nil, err
		}
	}
	return m.out[out:len(m.out):len(m.out)], nil
}

// keep adds an event to the batch.
func (s *Stream) keep(ev *Event, data []byte, at uint64) {
	s.records = append(s.records, record.Record{
		Time: s.class.clock.nanoseconds(s.m.clock), Data: data, Lost: s.lost, ID: uint32(ev.Index), CPU: s.pk.cpu, Task: -1, Stream: s.file.index,
	})
	s.entries = append(s.entries, Entry{Event: ev, Cycles: s.m.clock, Offset: s.pk.offset + int64(at/8), Packet: s.pk.context})
	s.lost = 0
}

// load makes size bytes of the packet the window, or those up to a place. They begin at a place of
// whole bytes.
func (s *Stream) load(from uint64, size int, to uint64) error {
	size = int(min(uint64(size), (to+7)/8-from/8))
	if cap(s.m.data) < size {
		if err := s.lease.Swap(int64(cap(s.m.data)), int64(size)); err != nil {
			return s.lose(s.file.Size-s.pk.offset, err)
		}
		s.m.data = make([]byte, size)
	}
	s.m.data, s.m.base = s.m.data[:size], from
	n, err := s.src.ReadAt(s.m.data, s.pk.offset+int64(from/8))
	if n < size && err != nil && !errors.Is(err, io.EOF) {
		return s.lose(s.file.Size-s.pk.offset, err)
	}
	s.m.data = s.m.data[:n]
	s.m.end = from + uint64(n)*8
	s.limit()
	if n < size {
		return s.lose(s.file.Size-s.pk.offset, ErrTruncated)
	}
	return nil
}

// limit ends the window with the content of the packet.
func (s *Stream) limit() {
	if s.pk.content > 0 {
		s.m.end = min(s.m.end, s.pk.content)
	}
}

// note notes damage at the packet, noteAt at the event.
func (s *Stream) note(skipped int64, err error) {
	s.rec.damage.Note(s.file.Path, s.pk.offset, skipped, err)
}

func (s *Stream) noteAt(skipped int64, err error) {
	s.rec.damage.Note(s.file.Path, s.pk.offset+int64(s.m.at/8), skipped, err)
}
