package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/tracec/tracec/runtime/record"
)

// A Span is the time from the first to the last event of a recording. Times are as reports print
// them, before rounding.
type Span struct {
	First, Last uint64
	Empty       bool // no events
	Form        TimeForm
}

// Settle checks options for a recording of a system. It returns them with absolute times in place
// of times that count from an end of the recording. Only for such times, it opens the recording
// once more.
func (j *Job) Settle(ctx context.Context, sys *System, o *Options) (*Options, error) {
	if err := o.Check(sys); err != nil || !o.counted() {
		return o, err
	}
	settled := *o
	settled.written, settled.Last = o, ""
	var whole *Span
	for _, b := range o.bounds() {
		m, err := parseMoment(b.option, b.text)
		span := whole
		switch {
		case err != nil:
			return nil, err
		case m.from == recorded:
			continue
		case m.from == begin && sys.FromFirst: // works for recordings that are read once
			span = &Span{}
		case whole == nil:
			if whole, err = j.span(ctx, sys); err != nil {
				return nil, spanError(b, err)
			}
			span = whole
		}
		if span.Form == Ticks {
			return nil, Usagef("%s %s: the clock of %s counts no time: write a number as it is printed", b.option, b.text, j.Path)
		}
		if text := m.at(span); b.option == "--until" {
			settled.Until = text
		} else {
			settled.Since = text
		}
	}
	return &settled, nil
}

// errOnce explains why the ends of a recording that is read once are unknown.
var errOnce = errors.New("is read once, as it comes")

// spanError returns the error for an option whose recording does not know its span.
func spanError(b bound, err error) error {
	if !errors.Is(err, errOnce) {
		return err
	}
	m, _ := parseMoment(b.option, b.text)
	end := "when the recording begins is not known before it is read"
	if m.from != begin {
		end = "when the recording ends is not known before it has ended"
	}
	return Usagef("%s %s: standard input and --follow are read once, as they come: %s", b.option, b.text, end)
}

// Span returns the times of the first and the last event of the job's recording, without any
// selection. It opens the recording once more.
func (j *Job) Span(ctx context.Context) (*Span, error) {
	sys, err := j.Find(ctx)
	if err != nil {
		return nil, err
	}
	return j.span(ctx, sys)
}

func (j *Job) span(ctx context.Context, sys *System) (span *Span, err error) {
	again := &Job{
		Path: j.Path, Stdin: j.Stdin, FS: j.FS, Systems: j.Systems, Opening: j.Opening, Memory: j.Memory, Workers: j.Workers, NoIndex: true,
		inputs: slices.Clip(j.inputs), Warn: func(error) {}, // reading the recording reports it
	}
	shared := len(j.inputs)
	defer func() {
		again.inputs = again.inputs[shared:]
		err = errors.Join(err, again.Finish(nil))
	}()
	if j.Follow != nil {
		return nil, errOnce
	}
	for _, in := range j.inputs {
		if in.Stream != nil {
			return nil, errOnce
		}
	}
	if j.Recording != nil {
		if st, err := os.Stat(j.Path); again.Opening.Formats == "" || err != nil || !st.Mode().IsRegular() {
			return nil, errOnce
		}
		again.Systems = []System{*sys}
		if err := again.openPages(ctx); err != nil {
			return nil, err
		}
	}
	rec, err := sys.Open(ctx, again)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	return sys.Span(ctx, rec)
}

// Nothing returns the message for valid options that matched nothing in the recording of the job.
// It mentions a time window outside of the recording.
func (j *Job) Nothing(ctx context.Context, noun string, o *Options) error {
	if err := j.outside(ctx, noun, o); err != nil {
		return err
	}
	return Nothing(j.Path, noun, o.Chosen())
}

// outside returns the message for a window of time that the recording is outside of; nil when it is
// not, or when that is not known.
func (j *Job) outside(ctx context.Context, noun string, o *Options) error {
	if len(o.bounds()) == 0 || ctx.Err() != nil {
		return nil
	}
	sys, err := j.Find(ctx)
	if err != nil {
		return nil
	}
	written := o
	if o.written != nil {
		written = o.written
	} else if o, err = j.Settle(ctx, sys, o); err != nil {
		return nil
	}
	span, err := j.span(ctx, sys)
	if err != nil || span.Empty {
		return nil
	}
	switch since, until, err := o.Window(span.Form); {
	case err != nil:
	case since > span.Last:
		return &Note{fmt.Errorf("%s: no %s from %s on; it ends at %s", j.Path, noun, written.Since, AppendTime(nil, span.Last, span.Form))}
	case until <= span.First:
		return &Note{fmt.Errorf("%s: no %s before %s; it begins at %s", j.Path, noun, written.Until, AppendTime(nil, span.First, span.Form))}
	}
	return nil
}

// The number of records read from the begin before the end is searched, and read at each place
// where it may be. Reading most recordings is faster than searching.
const (
	mostBefore = 1 << 20
	mostThere  = 1 << 16
)

// Ends returns the times of the first and the last record from merge that is an event; ok is false
// without events.
//
// It searches the last event with time windows that begin later and later. Containers read little
// of such windows. With walks, for a container that also reads the part before a window, one walk
// reads everything. Where the times of a stream go back, the last event may be missed, as in any
// time window.
func Ends[E any](ctx context.Context, merge func(record.Options) *record.Merger[E], is func(*record.Record, *E) bool, walks bool) (first, last uint64, ok bool, err error) {
	s := ends[E]{ctx: ctx, merge: merge, is: is, most: mostBefore, there: mostThere}
	if walks {
		s.most = math.MaxInt
	}
	return s.find()
}

// ends looks for the ends of a recording.
type ends[E any] struct {
	ctx         context.Context
	merge       func(record.Options) *record.Merger[E]
	is          func(*record.Record, *E) bool
	most, there int
	first, last uint64 // of the records read so far
}

// find does the work of Ends.
func (s *ends[E]) find() (first, last uint64, ok bool, err error) {
	n, err := s.read(0)
	if err != nil || n == 0 {
		return 0, 0, false, err
	}
	if n >= s.most {
		s.most = s.there
		err = s.search(n)
	}
	return s.first, s.last, true, err
}

// read reads up to most records from a time on, and returns their number.
func (s *ends[E]) read(since uint64) (n int, err error) {
	m := s.merge(record.Options{Since: since, Workers: 1, Context: s.ctx})
	defer m.Close()
	for n < s.most {
		records, entries, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			break
		}
		if err := s.ctx.Err(); err != nil {
			return n, err
		}
		if err != nil { // of one file: the others go on
			continue
		}
		for i := range records {
			r := &records[i]
			if !s.is(r, &entries[i]) || r.Time < since {
				continue
			}
			if n++; s.last < r.Time {
				s.last = r.Time
			}
			if since == 0 && (n == 1 || r.Time < s.first) {
				s.first = r.Time
			}
		}
	}
	return n, nil
}

// search looks for the last record, after n of them have been read from the begin on.
func (s *ends[E]) search(n int) (err error) {
	low, high := s.last, uint64(0) // records exist at low and later, and none exist at high; 0 means unknown
	for step := max(s.last-s.first, 1); n >= s.most && (high == 0 || low+1 < high); {
		at := low + step
		switch {
		case high > 0:
			at = low + (high-low)/2
		case at < low:
			at = NoEnd
		}
		if n, err = s.read(at); err != nil {
			return err
		}
		switch {
		case n > 0 && at == NoEnd:
			return nil
		case n > 0:
			low = max(at, s.last)
		case s.last >= at: // times go back
			return nil
		default:
			high, n = at, s.most
		}
		if step < 1<<62 {
			step *= 4
		}
	}
	return nil
}
