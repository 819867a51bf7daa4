package lttng

import (
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/record"
)

// Switch returns readers of the threads that an event of the scheduler names: the previous and the
// next one. ok is false for other markers.
func (m *Marker) Switch() (prev, next *Reader, ok bool) {
	// before 2.3
	if m.Channel+"."+m.Name != "kernel.sched_schedule" && (m.Channel != "" || m.Name != "kernel_sched_schedule") {
		return nil, nil, false
	}
	prev, ok = m.Reader("prev_pid", "field 1")
	if !ok {
		return nil, nil, false
	}
	next, ok = m.Reader("next_pid", "field 2")
	return prev, next, ok
}

// mark notes which markers are switches, and which files can have such events.
func (r *Recording) mark() {
	r.switches = make([]*Reader, len(r.markers))
	some := false
	for i, m := range r.markers {
		if _, next, ok := m.Switch(); ok {
			r.switches[i], some = next, true
		}
	}
	for _, f := range r.files {
		_, ok := f.thread()
		some = some || ok
	}
	if !some {
		r.switches = nil
	}
	for _, f := range r.files {
		f.switches = slices.ContainsFunc(f.trace.table(f.Channel).byID,
			func(m *Marker) bool { return m != nil && r.switches != nil && r.switches[m.Index] != nil })
	}
}

// thread returns the thread of all events of a file. Names of files of user space, which do not
// belong to a processor, begin with process-<thread>.<process> (lttng.md 3.5).
func (f *File) thread() (task int32, ok bool) {
	name, ok := strings.CutPrefix(path.Base(f.Path), "process-")
	if !ok || isNumbered(f.Path) {
		return -1, false
	}
	id, _, ok := strings.Cut(name, ".")
	n, err := strconv.ParseUint(id, 10, 31)
	if !ok || err != nil {
		return -1, false
	}
	return int32(n), true
}

// follower finds the thread of each record. It is the thread to which the scheduler of the
// processor switched last, in the order of time. A follower is for one merge.
type follower struct {
	rec     *Recording       // recording of the switches
	streams []processor      // by Record.Stream
	choices []*choice.Choice // by Record.Stream; if nil, everything is read
	only    int32            // the only stream whose records are returned; -1 for all streams
	as      int32            // the Record.Stream of its records
	running map[onProcessor]*int32
	late    *Stream // the stream of files that appear later; nil if there can be none
}

// onProcessor is a processor of a trace.
type onProcessor struct {
	trace *Trace
	cpu   int
}

// processor returns the processor of a file's records.
func (f *follower) processor(file *File) processor {
	if !isNumbered(file.Path) { // the file does not belong to a processor
		task, _ := file.thread()
		return processor{task: &task}
	}
	k := onProcessor{file.trace, file.CPU}
	if f.running[k] == nil {
		task := int32(-1)
		f.running[k] = &task
	}
	return processor{f.running[k], file.switches}
}

// processor is the processor of a stream's records.
type processor struct {
	task     *int32 // the running thread; shared by the streams of the processor
	switches bool   // the stream can have switches
}

// newFollower prepares to follow the threads in the records of files.
func (r *Recording) newFollower(files []*File, o *record.Options) *follower {
	f := &follower{rec: r, only: -1, running: map[onProcessor]*int32{}}
	for _, file := range files {
		f.streams = append(f.streams, f.processor(file))
	}
	if o.Since > 0 || o.Until > 0 || o.Tasks != nil || o.IDs != nil {
		chosen := *o
		chosen.Context = nil                             // streams use it
		f.choices = make([]*choice.Choice, len(files)+1) // one for files that appear later
		for i := range f.choices {                       // each depends on earlier records of the same stream
			f.choices[i] = choice.Of(&chosen)
		}
	}
	return f
}

// pass sets the threads of a run and returns the selected records. A switch belongs to the thread
// that runs after it, as in LTTV's columns.
func (f *follower) pass(records []record.Record, entries []Entry) ([]record.Record, []Entry) {
	if f.late != nil && int(records[0].Stream) == len(f.streams)-1 {
		f.streams[len(f.streams)-1] = f.processor(f.late.file)
	}
	p := &f.streams[records[0].Stream]
	task := *p.task
	if !p.switches {
		for i := range records {
			records[i].Task = task
		}
	} else {
		switches := f.rec.switches // there are more when markers join
		for i := range records {
			r := &records[i]
			if m := entries[i].Marker; m != nil && switches[m.Index] != nil {
				task = int32(switches[m.Index].Uint(r.Data))
			}
			r.Task = task
		}
		*p.task = task
	}
	stream := records[0].Stream
	if f.only >= 0 {
		if stream != f.only {
			return nil, nil
		}
		for i := range records {
			records[i].Stream = f.as
		}
	}
	if f.choices != nil {
		b := choice.Filter(f.choices[stream], record.Batch[Entry]{Records: records, Entries: entries})
		records, entries = b.Records, b.Entries
	}
	return records, entries
}

// MergeTasks is like [Recording.Merge], but Record.Task is the thread that ran on the processor of
// the record, according to the events of the scheduler. Before the first such event it is -1. Files
// of user space of 0.7 and 0.8 name their thread. The events of the scheduler are in one file of
// each processor. That file is read from its beginning, for any time window in opts.
func (r *Recording) MergeTasks(opts record.Options) *record.Merger[Entry] {
	if r.switches == nil {
		return MergeStreams(r.plainStreams(opts))
	}
	files := slices.DeleteFunc(slices.Clone(r.files), func(f *File) bool { return !opts.HasCPU(int32(f.CPU)) })
	return r.follow(files, opts, r.newFollower(files, &opts))
}

// follow merges files through a follower.
func (r *Recording) follow(files []*File, opts record.Options, f *follower) *record.Merger[Entry] {
	opts.Tasks = nil
	streams := make([]*Stream, len(files))
	for i, file := range files {
		if !file.switches {
			streams[i] = r.plainStream(file, opts)
			continue
		}
		o := opts // switches may be earlier than the selected records, and need not be selected
		o.Since, o.Until, o.IDs, o.After = 0, 0, nil, nil
		streams[i] = r.plainStream(file, o)
		streams[i].sieve(r.withSwitches(&opts))
	}
	if r.watch != nil && f.only < 0 {
		f.late = r.newcomers(opts)
		f.streams = append(f.streams, processor{})
		streams = append(streams, f.late)
	}
	return MergeStreams(streams).Through(f.pass)
}

// sieve makes a stream skip events whose kinds are not in ids, unless ids is nil. Events after a
// loss are kept, since the follower counts the loss.
func (s *Stream) sieve(ids []uint32) {
	kinds := choice.Of(&record.Options{IDs: ids}).Kinds()
	s.sel.kinds, s.sel.unwanted = kindBits(kinds), s.rec.index.Unwanted(s.file.Path, kinds.List(), nil)
}

// withSwitches adds the switches to the selected kinds of records. Nil selects all kinds.
func (r *Recording) withSwitches(o *record.Options) []uint32 {
	if o.IDs == nil || o.After != nil || r.watch != nil { // a followed recording may get new switches
		return nil
	}
	ids := slices.Clone(o.IDs)
	for i, s := range r.switches {
		if s != nil {
			ids = append(ids, uint32(i))
		}
	}
	return ids
}

// followed returns a stream of one file with the threads of its records. It also reads the switches
// of the processor.
func (r *Recording) followed(file *File, opts record.Options) *Stream {
	s := file.trace.newStream(file)
	var files []*File
	only := int32(0)
	for _, f := range file.trace.files {
		if f == file {
			only = int32(len(files))
		} else if f.CPU != file.CPU || !f.switches {
			continue
		}
		files = append(files, f)
	}
	f := r.newFollower(files, &opts)
	f.only = only
	if r.watch != nil {
		s.grow.live = r.watch.Live(opts.Context)
	}
	s.threads.begin = func() {
		f.as = s.index
		s.threads.follow = r.follow(files, opts, f)
	}
	return s
}

// nextFollowed returns the next records of a stream that followed made.
func (s *Stream) nextFollowed() (record.Batch[Entry], error) {
	if s.done {
		return record.Batch[Entry]{}, io.EOF
	}
	if s.threads.follow == nil {
		s.threads.begin()
	}
	for {
		if s.grow.live != nil && !s.threads.follow.Ask() {
			return record.Batch[Entry]{}, record.ErrPending
		}
		records, entries, err := s.threads.follow.NextRun()
		switch {
		case err == nil:
			return record.Batch[Entry]{Records: records, Entries: entries}, nil
		case errors.Is(err, io.EOF), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			s.Close()
			return record.Batch[Entry]{}, err
		}
		s.rec.note(s.file.Path, err) // one file failed; the others can still be read
	}
}
