package ctf

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/internal/pagecache"
	"github.com/tracec/tracec/runtime/internal/progress"
	"github.com/tracec/tracec/runtime/record"
)

const (
	maxBatch   = 256
	entryBytes = int64(unsafe.Sizeof(record.Record{}) + unsafe.Sizeof(Entry{}))
)

// Stream yields the events of one stream, whose packets may be in several files. It implements
// record.Stream.
type Stream struct {
	rec     *Recording
	chain   *chain
	file    *File // the file of the packet
	closer  io.Closer
	packets packets
	choice  *choice.Choice
	held    held

	m        machine
	win      window
	class    *stream
	pk       packet
	open     bool // a packet is open
	gone     bool // the file cannot be read any more
	done     bool
	harm     harm
	part     *slicePart
	grow     *growth // nil if the recording is not followed
	unwanted unwanted
	packetTold

	made made
}

// packets are the packets of a stream.
type packets struct {
	list         []packetRef // the packets to read; if nil, all of one file
	at           int         // index in list of the packet after the current one
	near         int         // index in chain.known of a packet near the current one, for a part without a list
	since, until uint64      // packets outside are skipped
}

// held is the memory that a stream takes from the budget, and its share of the progress.
type held struct {
	lease    *memory.Lease
	unpacked int64 // bytes of unpacked data that are leased
	share    progress.Share
}

// harm counts the damage and the losses of a stream.
type harm struct {
	quiet  bool  // damage is not noted
	faults int32 // damaged places
	lost   int64 // events lost before the next one
}

// made is a batch of a stream with this index.
type made struct {
	index   int32
	records []record.Record
	entries []Entry
	sieved  bool // all records have selected kinds
	single  bool // all records are in one packet
	skipped int  // events of other kinds, without a record
}

// next returns the next record and its entry, for the caller to set. The batch must not be full.
func (m *made) next() (*record.Record, *Entry) {
	n := len(m.records)
	m.records, m.entries = m.records[:n+1], m.entries[:n+1]
	return &m.records[n], &m.entries[n]
}

// Streams begins to read the streams of the recording, in the order of their events at equal times.
// Record.Stream is the position. Packets outside of a time window are skipped.
func (r *Recording) Streams(opts record.Options) []*Stream {
	streams := make([]*Stream, len(r.chains))
	for i, c := range r.chains {
		streams[i] = r.stream(c, &opts)
		streams[i].held.share = r.read.Share(c.size())
	}
	if r.watch != nil {
		streams = r.follow(streams, &opts)
	}
	return streams
}

// stream begins to read a stream.
func (r *Recording) stream(c *chain, opts *record.Options) *Stream {
	s := &Stream{
		rec: r, chain: c, file: c.files[0], choice: choice.Of(opts), win: window{most: windowBytes},
		packets: packets{list: c.list, since: opts.Since, until: opts.Until},
		held:    held{lease: r.memory.Lease()}, made: made{index: c.index},
	}
	if opts.Tasks != nil && !r.hasTasks() {
		s.choice = choice.Refuse(record.ErrNoTask)
	}
	runtime.AddCleanup(s, (*memory.Lease).End, s.held.lease) // of a stream that is not read to its end
	return s
}

// Number implements record.Numbered.
func (s *Stream) Number(stream int32) { s.made.index = stream }

// Merge begins to read the recording: events in time order, at equal times in the order of Streams.
func (r *Recording) Merge(opts record.Options) *record.Merger[Entry] {
	if opts.Tasks != nil {
		return r.MergeTasks(opts)
	}
	return merge(r.Streams(opts))
}

func merge(streams []*Stream) *record.Merger[Entry] {
	return record.Merge(streams, func() {
		for _, s := range streams {
			s.Close()
		}
	})
}

// Close ends the stream, also before its last event.
func (s *Stream) Close() {
	if s.grow != nil {
		for _, x := range s.grow.latest {
			x.Close()
		}
	}
	if s.closer != nil {
		s.closer.Close()
	}
	s.win.src, s.closer, s.done = nil, nil, true
	s.m.data, s.win.buf, s.made.records, s.made.entries = nil, nil, nil, nil
	s.held.lease.End()
	s.held.share.End()
}

// Next implements record.Stream.
func (s *Stream) Next() (record.Batch[Entry], error) {
	switch {
	case s.part != nil:
		return s.readPart()
	case s.grow != nil && s.grow.late != nil:
		return s.nextLate()
	case s.onPacket != nil:
		return s.batch()
	}
	if s.choice != nil {
		return choice.Next(s.choice, s.batch)
	}
	return s.batch()
}

func (s *Stream) batch() (record.Batch[Entry], error) {
	if s.done {
		return record.Batch[Entry]{}, io.EOF
	}
	if s.made.records == nil {
		if err := s.start(); err != nil {
			s.Close()
			return record.Batch[Entry]{}, err
		}
	}
	s.made.records, s.made.entries, s.m.out = s.made.records[:0], s.made.entries[:0], s.m.out[:0]
	s.made.sieved, s.made.skipped, s.n = s.kinds() != nil, 0, 0
	err := s.fill()
	if s.made.sieved {
		s.choice.Sieved()
	}
	if len(s.made.records) > 0 {
		return record.Batch[Entry]{Records: s.made.records, Entries: s.made.entries}, nil
	}
	if errors.Is(err, record.ErrPending) {
		return record.Batch[Entry]{}, err
	}
	if errors.Is(err, errManyTold) {
		return record.Batch[Entry]{}, nil
	}
	s.finish()
	s.Close()
	return record.Batch[Entry]{}, err
}

// finish notes the losses after the last event. Damage at the end has its own message.
func (s *Stream) finish() {
	if s.harm.faults > 0 && s.harm.lost == record.LostUnknown {
		return
	}
	if s.packets.until == 0 && s.part == nil ||
		s.part != nil && (s.packets.list == nil || s.packets.at == len(s.packets.list)) && !s.part.Ended {
		s.chain.lostAtEnd.Store(s.harm.lost)
	}
}

// File returns the first file of the stream.
func (s *Stream) File() *File { return s.chain.files[0] }

// Size returns the bytes of all files of the stream.
func (s *Stream) Size() int64 { return s.chain.size() }

// start opens the first file.
func (s *Stream) start() error {
	if err := s.openFile(s.file); err != nil {
		return err
	}
	if err := s.held.lease.Swap(0, maxBatch*entryBytes); err != nil {
		return s.lose(err)
	}
	s.made.records, s.made.entries = make([]record.Record, 0, maxBatch), make([]Entry, 0, maxBatch)
	if len(s.file.trace.streams) == 0 {
		return s.lose(fmt.Errorf("the trace describes no stream: %w", ErrMetadata))
	}
	return nil
}

// openFile opens a file instead of the current one.
func (s *Stream) openFile(file *File) error {
	if s.closer != nil {
		s.closer.Close()
		s.closer = nil
	}
	s.file, s.win.buf, s.win.size, s.gone = file, s.win.buf[:0], file.Size, false
	if s.grow != nil {
		return s.openGrowing()
	}
	f, err := s.rec.dir.Open(file.Path)
	if err != nil {
		return damage.In(s.rec.damage.Dir, &Damage{File: file.Path, Err: err})
	}
	src, ok := f.(io.ReaderAt)
	if !ok {
		f.Close()
		return damage.In(s.rec.damage.Dir, &Damage{File: file.Path,
			Err: fmt.Errorf("files of traces must be io.ReaderAt: %w", ErrFormat)})
	}
	s.win.src, s.closer = pagecache.Reader(src), f
	s.unwanted.find(s)
	return nil
}

// fill makes a batch. If it returns an error, there are no records.
func (s *Stream) fill() error {
	if s.grow != nil && s.grow.stuck {
		if err := s.again(); err != nil {
			return err
		}
	}
	for len(s.made.records) < maxBatch {
		if len(s.made.records) == 0 && s.made.skipped > maxSkipped {
			return errManyTold
		}
		if !s.open {
			if s.made.single && len(s.made.records) > 0 {
				return nil
			}
			if s.n == maxBatch {
				return errManyTold
			}
			if err := s.nextPacket(); err != nil {
				if len(s.made.records) > 0 || errors.Is(err, errWait) {
					return nil
				}
				return err
			}
			s.open = true
		}
		if s.m.at >= s.pk.content {
			s.open = false
			continue
		}
		if s.run() {
			return nil
		}
		if len(s.made.records) == maxBatch || s.m.at >= s.pk.content {
			continue
		}
		if more := s.event(); more {
			if len(s.made.records) == 0 {
				return record.ErrPending
			}
			return nil
		}
	}
	return nil
}

// event reads an event. more reports that the batch ends before the event, because it needs another
// window or more metadata.
func (s *Stream) event() (more bool) {
	at, clock, out, idle := s.m.at, s.m.clock, len(s.m.out), s.m.idle
	ev, data, err := s.decode()
	if err == nil && s.m.at == at {
		err = errors.New("an event without a bit")
	}
	if err == nil {
		if err = s.hold(); err == nil {
			s.checkPlace(at)
			if kinds := s.kinds(); kinds != nil && !kinds.Has(uint32(ev.Index)) {
				if s.harm.lost == 0 {
					s.m.out = s.m.out[:out]
					s.made.skipped++
					return false
				}
				s.made.sieved = false
			}
			s.add(ev, data, at, s.m.clock)
			return false
		}
	}
	ended := s.m.end
	s.m.at, s.m.clock, s.m.out, s.m.idle = at, clock, s.m.out[:out], idle
	if s.waits(err) {
		s.grow.stuck = true
		return true
	}
	if errors.Is(err, errShort) && ended < s.pk.content {
		from, size := at&^7, s.win.most
		if from == s.m.base && len(s.m.data) >= size { // the event is larger
			size = 2 * len(s.m.data)
		}
		if err = s.show(from, size, s.pk.content); err == nil {
			return false
		}
		if errors.Is(err, errWait) {
			return true
		}
	} else if !errors.Is(err, ErrLimit) {
		err = fmt.Errorf("%w: %w", err, ErrCorrupt)
	}
	if s.part != nil && len(s.made.records) > 0 { // the part may begin or end at one of them
		return true
	}
	s.noteAt(int64((s.pk.content-at)/8), fmt.Errorf("an event: %w", err))
	s.harm.lost, s.open = record.LostUnknown, false
	return false
}

// hold leases the memory of unpacked data.
func (s *Stream) hold() error {
	size := int64(cap(s.m.out))
	if size == s.held.unpacked {
		return nil
	}
	if err := s.held.lease.Swap(s.held.unpacked, size); err != nil {
		return err
	}
	s.held.unpacked = size
	return nil
}

// decode reads the fields of an event.
func (s *Stream) decode() (ev *Event, data []byte, err error) {
	m := &s.m
	id, ok := uint64(0), false
	if q := s.class.quick; q != nil {
		id, ok = q.read(m)
	}
	if !ok {
		if id, err = s.header(); err != nil {
			return nil, nil, err
		}
	}
	if ev = s.class.event(id); ev == nil {
		return nil, nil, undescribed{fmt.Errorf("no event of stream %d has the number %d", s.class.ID, id)}
	}
	if ev.steps == nil {
		data, err = s.unpack(ev)
		return ev, data, err
	}
	if !m.align(8) {
		return nil, nil, errShort
	}
	b := m.bytes()
	size, err := m.measure(ev.steps, b)
	if err != nil {
		return nil, nil, err
	}
	m.at += size * 8
	return ev, b[:size:size], nil
}

// header visits the header of an event and returns the event's number.
func (s *Stream) header() (uint64, error) {
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

// add adds an event to the batch. at is the place in the packet where it began.
func (s *Stream) add(ev *Event, data []byte, at, clock uint64) {
	r, e := s.made.next()
	r.Time, r.Data, r.Lost, r.ID = s.class.clock.nanoseconds(clock), data, s.harm.lost, uint32(ev.Index)
	r.CPU, r.Task, r.Stream = s.pk.cpu, ev.task(data), s.made.index
	e.Event, e.Cycles, e.Offset, e.Packet = ev, clock, s.pk.offset+int64(at/8), s.pk.context
	s.harm.lost = 0
}

// lose notes damage after which nothing of the stream can be read.
func (s *Stream) lose(err error) error {
	s.note(s.win.size-s.pk.offset, err)
	return io.EOF
}

// note notes damage at the packet. noteAt notes damage at the event.
func (s *Stream) note(skipped int64, err error) { s.rec.note(s, s.pk.offset, skipped, err) }

func (s *Stream) noteAt(skipped int64, err error) {
	s.rec.note(s, s.pk.offset+int64(s.m.at/8), skipped, err)
}

// note notes damage that a stream found.
func (r *Recording) note(s *Stream, off, skipped int64, err error) {
	s.harm.faults++
	if s.harm.quiet {
		return
	}
	log := &r.damage
	if s.part != nil {
		log = s.part.notes()
	}
	if log != nil {
		log.Note(s.file.Path, off, skipped, err)
	}
}
