package uftrace

import (
	"errors"
	"io"
	"runtime"
	"sort"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

const (
	mostEvents      = 2 << 20 // of perf events that ThreadSlices holds in memory
	leastEventBytes = 24      // of one event in its file
	perfEventBytes  = 16      // in memory
	perfChunk       = 1 << 10 // events of one thread for which memory is taken at once
	eventsOfAThread = 64      // events in a batch
)

// perfEvent is an event of a thread in a file of perf.
type perfEvent struct {
	time uint64
	id   uint32
	cpu  int32
}

// ThreadSlices are the records of threads in slices, see [Recording.ThreadSlices].
type ThreadSlices struct {
	Slices []record.Slice[Entry]
	// LastPerf is the time of the last event of perf of any thread.
	LastPerf uint64

	events []perfEvents  // by the positions of threads; if nil, there are no events
	lease  *memory.Lease // for them
}

// perfEvents are the events of one thread, in chunks. Existing events do not move when more are
// added.
type perfEvents struct {
	chunks [][]perfEvent
	n      int
}

func (l *perfEvents) at(i int) *perfEvent { return &l.chunks[i/perfChunk][i%perfChunk] }

// ThreadSlices is [Recording.StreamSlices] with each thread's perf events among its records, in the
// order of Merge. The events have only their time, thread and processor. They are read first, and
// held in memory. It returns nil if the recording is followed, or has records from sources other
// than threads and perf. It also returns nil if there are too many events, or if they cannot be
// read, have times that go back, or report losses.
func (r *Recording) ThreadSlices(opts record.Options, size int64) *ThreadSlices {
	if r.Follows() || !r.onlyPerf() || r.perfBytes() > mostEvents*leastEventBytes {
		return nil
	}
	x := &ThreadSlices{}
	if !x.readEvents(r, &opts) {
		return nil
	}
	x.cut(r, opts, size)
	return x
}

// onlyPerf reports whether the records of the recording are all in files of threads and of perf.
func (r *Recording) onlyPerf() bool {
	return !r.files["extern.dat"] && !r.info.Missing && len(r.kernelCPUs()) == 0
}

// cut makes the slices.
func (x *ThreadSlices) cut(r *Recording, opts record.Options, size int64) {
	files, index := r.toCut(&opts, size, 0), 0
	for i, t := range r.threads.list {
		if !opts.HasTask(t.TID) {
			continue
		}
		n := index
		index++
		cuts, places := r.cuts(files, []*Task{t})
		x.Slices = append(x.Slices, record.CutSlices(cuts, func(c *record.Cut) *record.Merger[Entry] {
			o := opts
			o.Cut = c
			s := r.stream(t, &o, r.lookups(c), 1, files.windows[t], places)
			if c != nil {
				s.part.alone = true
			}
			if x.events == nil || x.events[i].n == 0 {
				return record.Only(s, n)
			}
			e := &eventStream{task: t, list: &x.events[i], choice: choice.Of(&o), index: int32(len(r.threads.list))}
			if c != nil {
				e.part = c.Part()
			}
			return record.Merge([]record.Stream[Entry]{numbered{s, int32(n)}, e}, s.close)
		})...)
	}
}

// readEvents reads the events of perf.
func (x *ThreadSlices) readEvents(r *Recording, opts *record.Options) bool {
	streams := r.perfStreams(&MergeOptions{Options: record.Options{Context: opts.Context}})
	if len(streams) == 0 {
		return true
	}
	x.events = make([]perfEvents, len(r.threads.list))
	x.lease = r.memory.Lease()
	runtime.AddCleanup(x, (*memory.Lease).End, x.lease)
	places := map[int32]int{}
	for i, t := range r.threads.list {
		places[t.TID] = i
	}
	m := record.Merge(streams, func() {
		for _, s := range streams {
			s.close()
		}
	})
	defer m.Close()
	for {
		recs, _, err := m.NextRun()
		if err != nil {
			return errors.Is(err, io.EOF)
		}
		for i := range recs {
			rec := &recs[i]
			at, known := places[rec.Task]
			if !known {
				continue
			}
			if rec.Lost != 0 || rec.Time < x.LastPerf { // in a merge it waits for an event of another thread
				return false
			}
			if !x.add(&x.events[at], perfEvent{rec.Time, rec.ID, rec.CPU}) {
				return false
			}
			x.LastPerf = rec.Time
		}
	}
}

// add adds an event to the events of a thread, if there is memory for it.
func (x *ThreadSlices) add(l *perfEvents, e perfEvent) bool {
	if l.n%perfChunk == 0 {
		if x.lease.Swap(0, perfChunk*perfEventBytes) != nil {
			return false
		}
		l.chunks = append(l.chunks, make([]perfEvent, perfChunk))
	}
	l.n++
	*l.at(l.n - 1) = e
	return true
}

// numbered is a stream that sets the position of its records itself.
type numbered struct {
	*Stream
	index int32
}

// Number implements record.Numbered.
func (s numbered) Number(int32) { s.Stream.Number(s.index) }

// eventStream yields the events of perf of one thread.
type eventStream struct {
	task    *Task
	list    *perfEvents
	pos     int
	index   int32 // Record.Stream
	choice  *choice.Choice
	part    *record.Part // nil if all events are read
	started bool
	recs    []record.Record
	ents    []Entry
}

// Number implements record.Numbered.
func (s *eventStream) Number(int32) {}

// Next implements record.Stream.
func (s *eventStream) Next() (record.Batch[Entry], error) {
	if !s.started {
		s.start()
	}
	if err := s.choice.Err(); err != nil {
		return record.Batch[Entry]{}, err
	}
	s.recs, s.ents = s.recs[:0], s.ents[:0]
	for ; s.pos < s.list.n && len(s.recs) < eventsOfAThread; s.pos++ {
		e := s.list.at(s.pos)
		r := record.Record{Time: e.time, ID: e.id, CPU: e.cpu, Task: s.task.TID, Stream: s.index}
		if !s.choice.Takes(&r) {
			continue
		}
		if s.part != nil && !s.within(r.Time) {
			if s.part.Ended {
				break
			}
			continue
		}
		s.recs, s.ents = append(s.recs, r), append(s.ents, Entry{Addr: uint64(e.id), Kind: Event, Source: Perf})
	}
	if len(s.recs) == 0 {
		s.end()
		return record.Batch[Entry]{}, io.EOF
	}
	return record.Batch[Entry]{Records: s.recs, Entries: s.ents}, nil
}

// start moves to where the part begins, or to an earlier place.
func (s *eventStream) start() {
	s.started = true
	s.recs, s.ents = make([]record.Record, 0, eventsOfAThread), make([]Entry, 0, eventsOfAThread)
	switch p := s.part; {
	case p == nil:
	case p.From != nil && *p.From == record.AtEnd:
		s.pos = s.list.n
	case p.From != nil:
		s.pos = int(p.From.At)
	case p.First > 0:
		s.pos = sort.Search(s.list.n, func(i int) bool { return s.list.at(i).time >= p.First })
	}
}

// within reports whether the next event belongs to the part.
func (s *eventStream) within(time uint64) bool {
	p := s.part
	if !p.Begun {
		if p.From == nil && time < p.First {
			return false
		}
		p.Begun, p.Begin = true, record.Place{At: int64(s.pos)}
	}
	if time > p.Last-1 { // for 0, all events are in the part
		p.Ended, p.End = true, record.Place{At: int64(s.pos)}
	}
	return !p.Ended
}

// end notes that there are no more events.
func (s *eventStream) end() {
	if s.part != nil {
		s.part.EndAt(record.AtEnd)
	}
}
