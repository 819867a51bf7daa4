package dump

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// threads prints the files of all threads.
func (d *dumper) threads() error {
	src := &files{dumper: d, streams: d.rec.Streams(d.window()), tasks: d.rec.Tasks(), last: -1}
	if d.filtered() {
		return src.filter()
	}
	if size := d.pieceSize(); size > 0 {
		return d.pieces(size)
	}
	var t *thread
	for {
		records, entries, err := src.NextRun()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			d.errs = append(d.errs, err)
			continue
		}
		t = src.printer(t)
		for i := range records {
			if t.record(&records[i], &entries[i]); d.enough() {
				return errEnough
			}
		}
		if err := d.flushFull(); err != nil {
			return err
		}
	}
	src.rest()
	return nil
}

// filter prints the records that pass the filters. One player reads all files, since tracing that
// is switched off in one file stays off in the next.
func (f *files) filter() error {
	opts := f.opts.filters(f.rec)
	opts.Hooks.Watch = f.watch
	p, err := callstack.NewSource(f.rec, opts, f)
	if err != nil {
		return err
	}
	if f.span.all { // otherwise calls may be hidden that began before the range
		f.wrap = p.Wrap
	}
	var t *thread
	for {
		step, err := p.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			f.errs = append(f.errs, err)
			continue
		}
		if t == nil || t.task != step.Task.Task {
			f.headings(step.Task.Index + 1)
			t = f.newThread(step.Task.Task)
		}
		if t.show(step.Record, step.Entry); f.enough() {
			return errEnough
		}
		if err := f.flushFull(); err != nil {
			return err
		}
	}
	f.rest()
	return nil
}

// watch reports times that step back, including times of records that are not shown.
func (f *files) watch(task int, recs []record.Record, _ []uftrace.Entry) {
	if task != f.watched {
		f.watched, f.time = task, 0
	}
	last := f.time
	for i := range recs {
		time := recs[i].Time
		if time < last {
			f.headings(task + 1)
			f.out = append(f.out, inverted...)
		}
		last = time
	}
	f.time = last
}

// files reads the files of all threads, one after the other. It implements callstack.Source: each
// batch is one run.
type files struct {
	*dumper
	streams []*uftrace.Stream
	tasks   []*uftrace.Task
	at      int // index of the file being read
	last    int // index of the file of the last batch
	watched int // task of the last record that the player took
	time    uint64
	headed  int // number of files with a printed heading
	tids    int // number of info's threads that were checked for a heading

	wrap   func(*uftrace.Task, uftrace.Reader) uftrace.Reader // wraps the reader of a file; may be nil
	opened uftrace.Reader                                     // the wrapped stream of the current file
	which  int                                                // index of the file of opened, plus 1

	recs []record.Record
	ents []uftrace.Entry
}

// reader returns the reader of the current file.
func (f *files) reader() uftrace.Reader {
	if f.which != f.at+1 {
		f.which, f.opened = f.at+1, f.streams[f.at]
		if f.wrap != nil {
			f.opened = f.wrap(f.tasks[f.at], f.opened)
		}
	}
	return f.opened
}

// NextRun implements callstack.Source. For an unreadable file it returns one error.
func (f *files) NextRun() ([]record.Record, []uftrace.Entry, error) {
	for f.at < len(f.streams) {
		if !f.opts.Play.Scope.HasTask(f.tasks[f.at].TID) {
			f.begins()
			f.at++
			continue
		}
		s := f.reader()
		batch, err := s.Next()
		if err != nil {
			f.at++
			if errors.Is(err, io.EOF) {
				continue
			}
			return nil, nil, err
		}
		f.last = f.at
		if f.span.all {
			return batch.Records, batch.Entries, nil
		}
		if recs, ents := f.within(batch.Records, batch.Entries); len(recs) > 0 {
			return recs, ents, nil
		}
	}
	return nil, nil, io.EOF
}

// begins also counts elapsed times from the first record of a file that --tid skips, as uftrace
// does.
func (f *files) begins() {
	if f.span.all {
		return
	}
	if batch, err := f.reader().Next(); err == nil && len(batch.Records) > 0 {
		f.span.takes(batch.Records[0].Time)
	}
}

// within returns the records in the range of -r.
func (f *files) within(recs []record.Record, ents []uftrace.Entry) ([]record.Record, []uftrace.Entry) {
	f.recs, f.ents = f.recs[:0], f.ents[:0]
	for i := range recs {
		if f.span.takes(recs[i].Time) {
			f.recs, f.ents = append(f.recs, recs[i]), append(f.ents, ents[i])
		}
	}
	return f.recs, f.ents
}

// printer returns the printer for the records of the last batch. t is the previous printer.
func (f *files) printer(t *thread) *thread {
	task := f.tasks[f.last]
	if t != nil && t.task == task {
		return t
	}
	f.headings(f.last + 1)
	return f.newThread(task)
}

// headings prints the missing headings of the first n files, and of threads in info without a file.
func (f *files) headings(n int) {
	tids := f.rec.Info().TIDs
	for ; f.headed < n; f.headed++ {
		if i := slices.Index(tids[f.tids:], f.tasks[f.headed].TID); i >= 0 {
			f.absent(f.tids + i)
			f.tids++
		}
		f.out = append(append(append(f.out, "reading "...), f.tasks[f.headed].File...), '\n')
	}
}

// rest prints the remaining headings after all files were read.
func (f *files) rest() {
	f.headings(len(f.tasks))
	f.absent(len(f.rec.Info().TIDs))
}

// absent prints the headings of info's threads without a file, up to the n-th thread.
func (f *files) absent(n int) {
	for ; f.tids < n; f.tids++ {
		f.out = fmt.Appendf(f.out, "reading %d.dat\n", f.rec.Info().TIDs[f.tids])
	}
}
