// Package dump prints the records of a recording of uftrace as they are in its files: `uftrace
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

// Options choose what is printed. The zero value prints everything as uftrace 0.13 does.
type Options struct {
	Style values.Style
	// Name is how a function is called; nil means by its simple name.
	Name func(*uftrace.Symbol) string
	// Debug prints the bytes of every record, too, and the task file.
	Debug bool
	// NoArgs leaves out the values of calls and events.
	NoArgs bool
	// Play selects the records of threads, as in replay. Limits.Time has no meaning here.
	Play callstack.Options
	// All filters all files by Play.Scope and Only, also those of the kernel and of perf, which
	// uftrace dump prints in whole or by thread alone. What a function calls in the kernel is in
	// another file: only the kernel's own functions choose there.
	All bool
	// Match reports whether a record is printed; nil prints all.
	Match func(*record.Record, *uftrace.Entry) bool
	// Workers is how many goroutines print; up to 1 is all in one. The text does not depend on it.
	Workers int
	// Paint gives names of functions a colour; nil gives none.
	Paint func(name string) string
	// Limit ends the output after that many records, in one goroutine; 0 is no limit.
	Limit int64
	// Shown is set when there is a record to print; may be nil.
	Shown *bool
}

// flushSize is how much text is collected before it is written.
const flushSize = 128 << 10

// dumper is one run.
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
	errs  []error // of files that could not be read to their end
	shown int64   // records
	part  *thread // of the part that a worker printed last
}

// Run writes the recording to w: the header, then each file in whole. A file that cannot be read to
// its end does not keep the others from being printed; the error names all such files.
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

// errEnough ends the output at Options.Limit.
var errEnough = errors.New("enough")

// enough reports whether that is reached.
func (d *dumper) enough() bool { return d.opts.Limit > 0 && d.shown >= d.opts.Limit }

// matches reports whether a record is printed by Match. What was lost is.
func (d *dumper) matches(r *record.Record, e *uftrace.Entry) bool {
	return d.opts.Match == nil || e.Kind == uftrace.Lost || d.opts.Match(r, e)
}

// flush writes what was collected.
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

// flushFull writes what was collected when it is much.
func (d *dumper) flushFull() error {
	if len(d.out) < flushSize {
		return nil
	}
	return d.flush()
}
