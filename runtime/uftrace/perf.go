package uftrace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// The types of perf records that are read, and the bits of misc (uftrace.md 1.9).
const (
	perfLost   = 2
	perfComm   = 3
	perfExit   = 4
	perfFork   = 7
	perfSwitch = 14

	perfOut     = 0x2000
	perfPreempt = 0x4000
	perfExec    = 0x2000 // of a name

	mostLost = 1 << 48 // a larger value is not a number of records

	perfHeader = 8
	perfBatch  = 64
	perfBlock  = 64 << 10 // more than the longest record
)

// perfStream yields the events of one perf-cpuN.dat.
type perfStream struct {
	r     *Recording
	file  *file
	order binary.ByteOrder
	cpu   int32

	done  bool
	known map[int32]bool
	lease *memory.Lease
	recs  []record.Record
	ents  []Entry

	choice *choice.Choice // nil: everything
	part   *part          // nil: the whole file
	offs   []int64        // of a part: where recs are in the file
	silent bool           // damage is not noted

	skipped hole

	live    *record.Live // nil: the recording is not followed
	pending bool         // nothing more has been written yet
	in      input
}

// perfFiles are the files in the order of their names as text: cpu10 before cpu2.
func (r *Recording) perfFiles() []string {
	var names []string
	for name := range r.files {
		if strings.HasPrefix(name, "perf-cpu") && strings.HasSuffix(name, ".dat") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// PerfStreams begins to read the perf files, in the order of the merge.
func (r *Recording) PerfStreams() []Reader {
	var list []Reader
	for _, s := range r.perfStreams(&MergeOptions{}) {
		list = append(list, s)
	}
	return list
}

// perfStreams begins to read the selected records of the perf files. Events of threads without a
// file of records are dropped.
func (r *Recording) perfStreams(opts *MergeOptions) []*perfStream {
	if r.info.Features&FeatPerfEvent == 0 && !r.info.Missing {
		return nil
	}
	known := r.knownThreads()
	var list []*perfStream
	for _, name := range r.perfFiles() {
		cpu, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(name, "perf-cpu"), ".dat"), 10, 32)
		if err != nil {
			continue
		}
		s := &perfStream{r: r, order: binary.LittleEndian, cpu: int32(cpu), known: known, lease: r.memory.Lease(),
			live: r.live, choice: choice.Of(&opts.Options)}
		if opts.Cut != nil {
			s.part, s.file = r.newPart(opts.Cut.Part(), opts.places[name]), r.openPart(name, len(r.threads.list))
		} else {
			s.file = r.openStream(name, false)
		}
		runtime.AddCleanup(s, (*memory.Lease).End, s.lease)
		if r.info.BigEndian {
			s.order = binary.BigEndian
		}
		list = append(list, s)
	}
	return list
}

// File is the name of the file.
func (s *perfStream) File() string { return s.file.name }

func (s *perfStream) close() {
	if s.done = true; s.part != nil {
		s.r.spare.stripPerf(s)
	}
	s.in.buf = nil
	s.lease.End()
	s.file.close()
}

// Next implements record.Stream.
func (s *perfStream) Next() (record.Batch[Entry], error) {
	switch {
	case s.part != nil:
		b, err := s.part.next(s, s.choice)
		if err == io.EOF && !s.done {
			s.close()
		}
		return b, err
	case s.choice != nil:
		return choice.Next(s.choice, s.read)
	}
	return s.read()
}

// read returns the next events of the file.
func (s *perfStream) read() (record.Batch[Entry], error) {
	if s.done {
		return record.Batch[Entry]{}, io.EOF
	}
	if s.recs == nil {
		if !s.r.claim(s.lease, s.file.name, 0, perfBlock+perfBatch*entryBytes) {
			s.close()
			return record.Batch[Entry]{}, io.EOF
		}
		s.r.spare.equipPerf(s)
	}
	s.recs, s.ents, s.offs = s.recs[:0], s.ents[:0], s.offs[:0]
	for len(s.recs) < perfBatch {
		msg := s.message()
		if msg != nil && s.event(msg) {
			s.in.pos += len(msg)
			continue
		}
		if len(s.recs) > 0 { // they alias the buffer, and the loss comes after them
			break
		}
		if msg != nil {
			s.skip(msg)
			continue
		}
		if s.in.eof {
			s.tail()
			s.close()
			return record.Batch[Entry]{}, s.r.last()
		}
		if s.fillBatch(); s.pending {
			s.pending = false
			return record.Batch[Entry]{}, record.ErrPending
		}
	}
	if len(s.recs) > 0 {
		s.skipped.mark(&s.recs[0])
	}
	return record.Batch[Entry]{Records: s.recs, Entries: s.ents}, nil
}

// message is the next record, nil when the buffer ends before.
func (s *perfStream) message() []byte {
	rest := s.in.buf[s.in.pos:]
	if len(rest) < perfHeader {
		return nil
	}
	size := int(s.order.Uint16(rest[6:]))
	if size < perfHeader || size > len(rest) {
		return nil
	}
	return rest[:size]
}

// skip skips a record that reports a number of losses, or is too short for its type. A short record
// is damage.
func (s *perfStream) skip(msg []byte) {
	kind, lost := s.order.Uint32(msg), int64(record.LostUnknown)
	if body := msg[perfHeader:]; kind == perfLost && len(body) >= 16 {
		if n := s.order.Uint64(body[8:]); n < mostLost {
			lost = int64(n)
		}
	} else {
		why := fmt.Errorf("%w: a perf record of type %d with %d bytes", ErrCorrupt, kind, len(msg))
		s.note(s.in.off+int64(s.in.pos), int64(len(msg)), why)
	}
	s.in.pos += len(msg)
	s.skipped.add(lost)
}

// tail reports bytes that are not a record, at the end or where a size makes no sense.
func (s *perfStream) tail() {
	if n := len(s.in.buf) - s.in.pos; n > 0 {
		s.note(s.in.off+int64(s.in.pos), int64(n), fmt.Errorf("%w: no perf record", ErrTruncated))
	}
}

func (s *perfStream) fillBatch() {
	rest := len(s.in.buf) - s.in.pos
	if rest >= perfHeader && s.order.Uint16(s.in.buf[s.in.pos+6:]) < perfHeader {
		// A record shorter than its header: the rest cannot be read.
		s.in.eof = true
		s.note(s.in.off+int64(s.in.pos), 0, fmt.Errorf("%w: the size of a perf record; the rest is left out",
			ErrCorrupt))
		return
	}
	copy(s.in.buf[:rest], s.in.buf[s.in.pos:])
	s.in.off += int64(s.in.pos)
	s.in.buf, s.in.pos = s.in.buf[:rest], 0
	want := int64(cap(s.in.buf) - rest)
	if s.part != nil {
		want = s.part.Reach(s.in.off+int64(rest), want, min(leastPerf, want))
	}
	n, err := s.file.readAt(s.in.buf[rest:rest+int(want)], s.in.off+int64(rest))
	s.in.buf = s.in.buf[:rest+n]
	if s.pending = err == record.ErrPending; s.pending {
		return
	}
	if n == 0 || err != nil {
		s.in.eof = true
		if err != nil && !ends(err) {
			s.note(s.in.off+int64(len(s.in.buf)), 0, err)
		}
	}
}

// event decodes a record of a known type and thread. Data is the name of a task-name, the pid and
// parent pid of a task-new or task-exit; Depth is 1 for the name of an exec. It returns false for a
// record that reports losses, and for one that is too short for its type.
func (s *perfStream) event(msg []byte) bool {
	body := msg[perfHeader:]
	rec, e := record.Record{CPU: s.cpu}, Entry{Kind: Event, Source: Perf}
	switch kind := s.order.Uint32(msg); kind {
	case perfSwitch:
		if len(body) < 16 {
			return false
		}
		rec.Task, rec.Time, rec.ID = int32(s.order.Uint32(body[4:])), s.order.Uint64(body[8:]), EventSchedIn
		if misc := s.order.Uint16(msg[4:]); misc&perfOut != 0 {
			rec.ID = EventSchedOut
			if misc&perfPreempt != 0 {
				rec.ID = EventSchedOutPre
			}
		}
	case perfFork, perfExit:
		if len(body) < 24 {
			return false
		}
		rec.Task, rec.Time, rec.ID = int32(s.order.Uint32(body[8:])), s.order.Uint64(body[16:]), EventTaskNew
		if kind == perfExit {
			rec.ID = EventTaskExit
		}
		rec.Data = body[:8:8]
	case perfComm:
		if len(body) < 8+16 {
			return false
		}
		name, _, _ := bytes.Cut(body[8:len(body)-16], []byte{0})
		rec.Task, rec.Time, rec.ID = int32(s.order.Uint32(body[4:])), s.order.Uint64(body[len(body)-8:]), EventTaskName
		rec.Data, e.More = name[:len(name):len(name)], true
		if s.order.Uint16(msg[4:])&perfExec != 0 {
			e.Depth = 1
		}
	case perfLost: // perf_event_open(2): an id, and how many records were lost before the next one
		return false
	default:
		return true
	}
	if s.known[rec.Task] {
		s.recs = append(s.recs, rec)
		if s.offs != nil {
			s.offs = append(s.offs, s.in.off+int64(s.in.pos))
		}
		e.Addr = uint64(rec.ID)
		s.ents = append(s.ents, e)
	}
	return true
}
