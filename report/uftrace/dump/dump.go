// Package dump prints the records of a recording of uftrace in the order of its files: `uftrace
// dump` (uftrace.md 2.6).
package dump

import (
	"context"
	"errors"
	"io"

	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// Options select the output. The zero value prints everything as uftrace 0.13 does.
type Options struct {
	Style values.Style
	// Name returns the name of a function. If nil, it is the simple name.
	Name func(*uftrace.Symbol) string
	// Debug also prints the bytes of every record, and the task file.
	Debug bool
	// NoArgs omits the values of calls and events.
	NoArgs bool
	// Play selects the records of threads, as in replay. Limits.Time is ignored.
	Play callstack.Options
	// All applies Play.Scope and Only to all files. uftrace dump prints the files of the kernel and
	// of perf completely, or selects by thread alone. Calls into the kernel are in another file
	// than their callers. So only the kernel's own functions are matched there.
	All bool
	// Match reports whether a record is printed. If nil, all records are printed.
	Match func(*record.Record, *uftrace.Entry) bool
	// Workers is the number of goroutines that print. Up to 1, one does everything. The text does
	// not depend on it.
	Workers int
	// Paint colours the name of a function. If nil, names have no colour.
	Paint func(name string) string
	// Limit ends the output after that many records, on one goroutine. 0 means no limit.
	Limit int64
	// Shown is set if there is a record to print. It may be nil.
	Shown *bool
}

// flushSize is the size of the text that is buffered before writing.
const flushSize = 128 << 10

// dumper is the state of one call of Run.
type dumper struct {
	ctx   context.Context
	rec   *uftrace.Recording
	opts  *Options
	w     io.Writer
	out   []byte
	names *line.Texts
	vals  *values.Printer
	clock line.Clock
	span  span
	errs  []error // errors of files that could not be read to their end
	shown int64   // number of printed records
	part  *thread // the last part that a worker printed
}

// Run writes the recording to w: the header, then one file after the other. If a file cannot be
// read to its end, the other files are printed nevertheless. The error names all such files.
func Run(ctx context.Context, rec *uftrace.Recording, opts Options, w io.Writer) error {
	if opts.Name == nil {
		opts.Name = (*uftrace.Symbol).Shown
	}
	if paint, name := opts.Paint, opts.Name; paint != nil {
		opts.Name = func(s *uftrace.Symbol) string { return paint(name(s)) }
	}
	opts.Play.Kernel.Only = false // uftrace dump prints all files
	d := &dumper{ctx: ctx, rec: rec, opts: &opts, w: w, names: callNames(opts.Name),
		span: newSpan(opts.Play.Scope.Range)}
	d.vals = values.New(rec, values.Dump, opts.Style)
	if err := callstack.WriteMissed(w, rec, opts.Play); err != nil {
		return err
	}
	d.header()
	for _, print := range []func() error{d.threads, d.kernel, d.perf} {
		err := print()
		if errors.Is(err, errEnough) {
			break
		}
		if err != nil {
			return err
		}
	}
	if opts.Shown != nil {
		*opts.Shown = d.shown > 0
	}
	if err := d.flush(); err != nil {
		return err
	}
	return errors.Join(d.errs...)
}

// errEnough ends the output after Options.Limit records.
var errEnough = errors.New("enough")

// enough reports whether Options.Limit is reached.
func (d *dumper) enough() bool { return d.opts.Limit > 0 && d.shown >= d.opts.Limit }

// matches reports whether Match selects a record. Losses are always selected.
func (d *dumper) matches(r *record.Record, e *uftrace.Entry) bool {
	return d.opts.Match == nil || e.Kind == uftrace.Lost || d.opts.Match(r, e)
}

// flush writes the buffered text.
func (d *dumper) flush() error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	if len(d.out) == 0 {
		return nil
	}
	_, err := d.w.Write(d.out)
	d.out = d.out[:0]
	return err
}

// flushFull writes the buffered text if it exceeds flushSize.
func (d *dumper) flushFull() error {
	if len(d.out) < flushSize {
		return nil
	}
	return d.flush()
}
