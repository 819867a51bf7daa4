package uftrace

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// sideBand is the attribute that uftrace requests from the kernel: records without samples, whose
// trailers have the thread and the time (uftrace.md 1.9).
var sideBand = perf.Attr{SampleType: perf.HasTID | perf.HasTime, Flags: perf.SampleIDAll}

const (
	mostLost = 1 << 48 // a larger value is not a number of records

	perfBatch = 64
	perfBlock = 64 << 10 // more than the longest record
)

// perfStream yields the events of one perf-cpuN.dat.
type perfStream struct {
	r     *Recording
	file  *file
	side  *perf.SideBand
	entry perf.Entry // the last record that message has read
	cpu   int32

	done  bool
	known map[int32]bool
	lease *memory.Lease
	recs  []record.Record
	ents  []Entry

	choice *choice.Choice // nil selects all
	part   *part          // nil if the whole file is read
	offs   []int64        // for a part: the offsets of recs in the file
	silent bool           // damage is not reported

	skipped hole

	live    *record.Live // nil if the recording is not followed
	pending bool         // no more has been written yet
	in      input
}

// perfFiles returns the files in the order of their names as text: cpu10 before cpu2.
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
	known, side := r.knownThreads(), perf.NewSideBand(sideBand, r.info.BigEndian)
	var list []*perfStream
	for _, name := range r.perfFiles() {
		cpu, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(name, "perf-cpu"), ".dat"), 10, 32)
		if err != nil {
			continue
		}
		s := &perfStream{r: r, side: side, cpu: int32(cpu), known: known, lease: r.memory.Lease(), live: r.live,
			choice: choice.Of(&opts.Options)}
		if opts.Cut != nil {
			s.part, s.file = r.newPart(opts.Cut.Part(), opts.places[name]), r.openPart(name, len(r.threads.list))
		} else {
			s.file = r.openStream(name, false)
		}
		runtime.AddCleanup(s, (*memory.Lease).End, s.lease)
		list = append(list, s)
	}
	return list
}

// File returns the name of the file.
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
		if msg != nil && s.event() {
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

// message returns the next record, or nil if the buffer ends before it. It also stores the record
// in entry.
func (s *perfStream) message() []byte {
	rest := s.in.buf[s.in.pos:]
	if size := s.side.Split(rest, &s.entry); size > 0 {
		return rest[:size]
	}
	return nil
}

// skip skips a record that reports a number of losses, or that is too short for its type. A short
// record is damage.
func (s *perfStream) skip(msg []byte) {
	lost := int64(record.LostUnknown)
	n, ok := s.entry.LostRecords()
	if !ok {
		why := fmt.Errorf("%w: a perf record of type %d with %d bytes", ErrCorrupt, s.entry.Event.Kind, len(msg))
		s.note(s.in.off+int64(s.in.pos), int64(len(msg)), why)
	} else if n < mostLost {
		lost = int64(n)
	}
	s.in.pos += len(msg)
	s.skipped.add(lost)
}

// tail reports bytes that are not a record, at the end or after an invalid size.
func (s *perfStream) tail() {
	if n := len(s.in.buf) - s.in.pos; n > 0 {
		s.note(s.in.off+int64(s.in.pos), int64(n), fmt.Errorf("%w: no perf record", ErrTruncated))
	}
}

func (s *perfStream) fillBatch() {
	rest := len(s.in.buf) - s.in.pos
	if s.side.Split(s.in.buf[s.in.pos:], &s.entry) < 0 {
		// The record is shorter than its header: the rest cannot be read.
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

// event decodes the record of a known type and thread. For a task-name, Data is the name. For a
// task-new or task-exit, it is the pid and the parent pid. For the name of an exec, Depth is 1. It
// returns false for a record that reports losses, and for one that is too short for its type.
func (s *perfStream) event() bool {
	x := &s.entry
	if x.Event == nil {
		return true
	}
	rec, e, ok := record.Record{CPU: s.cpu}, Entry{Kind: Event, Source: Perf}, false
	switch kind := x.Event.Kind; kind {
	case perf.Switch:
		rec.Time, ok = x.RecordedTime()
		_, rec.Task = x.Recorder()
		switch {
		case x.Misc&perf.SwitchOut == 0:
			rec.ID = EventSchedIn
		case x.Misc&perf.SwitchPreempted == 0:
			rec.ID = EventSchedOut
		default:
			rec.ID = EventSchedOutPre
		}
	case perf.Fork, perf.Exit:
		var t perf.Task
		if t, ok = x.Task(); ok {
			rec.Task, rec.Time, rec.ID, rec.Data = t.Thread, t.Time, EventTaskNew, x.Body[:8:8]
		}
		if kind == perf.Exit {
			rec.ID = EventTaskExit
		}
	case perf.Comm:
		rec.ID, e.More = EventTaskName, true
		_, rec.Task, rec.Data, ok = x.Command()
		if ok {
			rec.Time, ok = x.RecordedTime()
		}
		if x.Misc&perf.CommExec != 0 {
			e.Depth = 1
		}
	case perf.Lost: // it is not an event
	default:
		return true
	}
	if ok && s.known[rec.Task] {
		s.recs = append(s.recs, rec)
		if s.offs != nil {
			s.offs = append(s.offs, s.in.off+int64(s.in.pos))
		}
		e.Addr = uint64(rec.ID)
		s.ents = append(s.ents, e)
	}
	return ok
}
