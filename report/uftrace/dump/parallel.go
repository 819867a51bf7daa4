package dump

import (
	"errors"
	"io"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// pieceText is the approximate size of the text that a worker makes at once. Tests change it.
var pieceText = 2 << 20

const (
	// longName is the length of a name above which pieces would be too small.
	longName = 4 << 10
	// recordBytes is the size of a record without a payload. lineBytes is the size of its text
	// without the name.
	recordBytes = 16
	lineBytes   = 64
)

// piece is the text of a part of a file.
type piece struct {
	text        *[]byte
	file        int // index among the files that are read; -1 without a record
	first, last uint64
	errs        []error
}

// pieceSize returns the number of bytes of a file to print at once. It returns 0 if records must be
// printed in order. Filters depend on earlier records, and the offsets of --debug on the printed
// bytes before them.
func (d *dumper) pieceSize() int64 {
	if d.opts.Workers <= 1 || d.opts.Limit > 0 || d.opts.Debug || d.opts.Match != nil || !d.span.all || d.filtered() ||
		d.rec.Follows() {
		return 0
	}
	longest := 0
	for _, s := range d.rec.Symbols() {
		longest = max(longest, len(d.opts.Name(s)))
	}
	if longest > longName {
		return 0
	}
	return max(1, int64(ordered.Text(d.opts.Workers, pieceText)/(longest+lineBytes))) * recordBytes
}

// pieces prints the files of all threads on several goroutines.
func (d *dumper) pieces(size int64) error {
	o := record.Options{Workers: d.opts.Workers}
	if tids := d.opts.Play.Scope.TIDs; len(tids) > 0 {
		o.Tasks = tids
	}
	src := &files{dumper: d, tasks: d.rec.Tasks()}
	var places []int // indexes in tasks of the files that are read
	for i, t := range src.tasks {
		if o.HasTask(t.TID) {
			places = append(places, i)
		}
	}
	workers := ordered.MakeWorkers(o.Workers, func() (*dumper, error) {
		return &dumper{rec: d.rec, opts: d.opts, names: callNames(d.opts.Name), span: d.span,
			vals: values.New(d.rec, values.Dump, d.opts.Style)}, nil
	})
	if err := d.flush(); err != nil {
		return err
	}
	text := ordered.Text(o.Workers, pieceText)
	texts := ordered.Buffers{Size: text + text/4}
	file, last := -1, uint64(0)
	err := record.InSlices(d.ctx, d.rec.StreamSlices(o, size), o.Workers,
		func(worker int, s record.Slice[uftrace.Entry]) (*piece, error) {
			w, err := workers.Of(worker)
			if err != nil {
				return nil, err
			}
			return w.piece(src.tasks, places, s, texts.Take())
		}, func(p *piece) error {
			defer texts.Give(p.text)
			d.errs = append(d.errs, p.errs...)
			if p.file < 0 {
				return nil
			}
			if p.file != file {
				file, last = p.file, 0
				src.headings(places[file] + 1)
			}
			if p.first < last {
				d.out = append(d.out, inverted...)
			}
			last, d.shown = p.last, d.shown+1
			if err := d.flush(); err != nil {
				return err
			}
			_, err := d.w.Write(*p.text)
			return err
		})
	src.rest()
	return err
}

// threadOf returns the printer for a part of the file of a task. It reuses the previous printer if
// that printed the same file.
func (d *dumper) threadOf(task *uftrace.Task) *thread {
	if t := d.part; t != nil && t.task == task {
		t.last = 0
		return t
	}
	d.part = d.newThread(task)
	return d.part
}

// piece prints a part of a file into text.
func (d *dumper) piece(
	tasks []*uftrace.Task, places []int, s record.Slice[uftrace.Entry], text *[]byte,
) (*piece, error) {
	p := &piece{file: -1, text: text}
	d.out = (*text)[:0]
	var t *thread
	m := s.Merge()
	defer m.Close()
	for {
		records, entries, err := m.NextRun()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				p.errs = append(p.errs, err)
				continue
			}
			break
		}
		if t == nil {
			p.file, p.first = int(records[0].Stream), records[0].Time
			t = d.threadOf(tasks[places[p.file]])
		}
		for i := range records {
			t.record(&records[i], &entries[i])
		}
	}
	if t != nil {
		p.last = t.last
	}
	*text, d.out = d.out, nil
	return p, nil
}
