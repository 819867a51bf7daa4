package sources

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"slices"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/record"
)

// Settle checks options for a recording of a source. It returns them with absolute times instead of
// times relative to an end of the recording. Only for such times, it opens the recording once more.
func (j *Job) Settle(ctx context.Context, src *Source, o *selection.Options) (*selection.Options, error) {
	if err := src.Check(o); err != nil {
		return nil, err
	}
	return o.Settle(j.Path, src.FromFirst, func() (*selection.Span, error) { return j.span(ctx, src) })
}

// Check rejects options that are invalid for recordings of the source, or for all recordings,
// without reading the recording.
func (s *Source) Check(o *selection.Options) error {
	if o.CPUs != nil && s.NoCPUs {
		return selection.Usagef("--cpu: recordings of %s do not have the CPU of a call", s.Title)
	}
	return o.Check()
}

// Span returns the times of the first and the last event of the job's recording, without any
// selection. It opens the recording once more.
func (j *Job) Span(ctx context.Context) (*selection.Span, error) {
	src, err := j.Find(ctx)
	if err != nil {
		return nil, err
	}
	return j.span(ctx, src)
}

func (j *Job) span(ctx context.Context, src *Source) (span *selection.Span, err error) {
	if j.Rereads {
		return src.Span(ctx, j.Recording)
	}
	again := &Job{
		Path: j.Path, Stdin: j.Stdin, FS: j.FS, Sources: j.Sources, Opening: j.Opening,
		Memory: j.Memory, Workers: j.Workers, NoIndex: true,
		inputs: slices.Clip(j.inputs), Warn: func(error) {}, // reading the recording reports damage
	}
	shared := len(j.inputs)
	defer func() {
		again.inputs = again.inputs[shared:]
		err = errors.Join(err, again.Finish(nil))
	}()
	if j.Follow != nil {
		return nil, selection.ErrOnce
	}
	for _, in := range j.inputs {
		if in.Stream != nil {
			return nil, selection.ErrOnce
		}
	}
	if j.Recording != nil {
		if st, err := os.Stat(j.Path); again.Opening.Formats == "" || err != nil || !st.Mode().IsRegular() {
			return nil, selection.ErrOnce
		}
		again.Sources = []*Source{src}
		if err := again.openPages(ctx); err != nil {
			return nil, err
		}
	}
	rec, err := src.Open(ctx, again)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	return src.Span(ctx, rec)
}

// Nothing returns the message for valid options that matched nothing in the recording of the job.
// It mentions a time window outside of the recording.
func (j *Job) Nothing(ctx context.Context, noun string, o *selection.Options) error {
	if err := j.outside(ctx, noun, o); err != nil {
		return err
	}
	return selection.Nothing(j.Path, noun, o.Chosen())
}

// outside returns the message for a window of time outside of the recording. It returns nil if the
// window is not outside, or if that is unknown.
func (j *Job) outside(ctx context.Context, noun string, o *selection.Options) error {
	if !o.Timed() || ctx.Err() != nil {
		return nil
	}
	src, err := j.Find(ctx)
	if err != nil {
		return nil
	}
	if !o.Settled() {
		if o, err = j.Settle(ctx, src, o); err != nil {
			return nil
		}
	}
	span, err := j.span(ctx, src)
	if err != nil {
		return nil
	}
	return o.Outside(j.Path, noun, span)
}

// The number of records to read from the begin before searching for the end, and to read at each
// candidate place. Reading most recordings is faster than searching.
const (
	mostBefore = 1 << 20
	mostThere  = 1 << 16
)

// Ends returns the times of the first and the last record from merge that is an event. ok is false
// if there are no events.
//
// It searches the last event with time windows that begin later and later. Containers read little
// of such windows. walks is set for a container that also reads the part before a window: then
// everything is read once. If the times of a stream step back, the last event may be missed, as in
// any time window.
func Ends[E any](
	ctx context.Context, merge func(record.Options) *record.Merger[E], is func(*record.Record, *E) bool, walks bool,
) (first, last uint64, ok bool, err error) {
	s := ends[E]{ctx: ctx, merge: merge, is: is, most: mostBefore, there: mostThere}
	if walks {
		s.most = math.MaxInt
	}
	return s.find()
}

// ends searches for the ends of a recording.
type ends[E any] struct {
	ctx         context.Context
	merge       func(record.Options) *record.Merger[E]
	is          func(*record.Record, *E) bool
	most, there int
	first, last uint64 // times among the records read so far
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
		if err != nil { // an error of one file: reading continues with the others
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

// search looks for the last record, after n records have been read from the begin.
func (s *ends[E]) search(n int) (err error) {
	low, high := s.last, uint64(0) // records exist at low and later, and none exist at high; 0 means unknown
	for step := max(s.last-s.first, 1); n >= s.most && (high == 0 || low+1 < high); {
		at := low + step
		switch {
		case high > 0:
			at = low + (high-low)/2
		case at < low:
			at = selection.NoEnd
		}
		if n, err = s.read(at); err != nil {
			return err
		}
		switch {
		case n > 0 && at == selection.NoEnd:
			return nil
		case n > 0:
			low = max(at, s.last)
		case s.last >= at: // times step back
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
