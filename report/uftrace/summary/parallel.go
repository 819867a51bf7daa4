package summary

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/fold"
	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// errMixed reports that calls of one thread depend on calls of another.
var errMixed = errors.New("threads jump to places of each other")

// sliceBytes is the approximate number of bytes that a worker reads at once. If 0, the recording
// chooses. Tests change it.
var sliceBytes int64

// Bounds of a share. Larger slices are read again, in order.
const (
	maxRows  = 1 << 14 // functions that a worker caches; up to twice as many at the end of a slice
	maxParts = 1 << 14 // rows of a slice
)

// share holds a worker's sums for a slice of a thread's file.
type share struct {
	slice   record.Slice[uftrace.Entry]
	stretch *callstack.Stretch
	task    int    // -1 without a record
	latest  uint64 // the latest time of the records

	rows    []row // a function may have several rows
	endings []ending

	totals  *totals
	touched []int32 // indexes in totals of rows that are not yet copied to rows
}

// ending is a call or a time off the processor that ended in the slice and began before it. It
// belongs to the entry of Stretch.Ended with the same index.
type ending struct {
	event  bool
	sym    *uftrace.Symbol
	addr   uint64
	latest uint64 // the latest time of the records up to its end
	rows   int    // number of share.rows for calls that ended before
}

// divides reports whether several goroutines can sum up the calls. Threads must not affect each
// other, and columns must not depend on the order in which calls end.
func (o *Options) divides(rec *uftrace.Recording) bool {
	return o.Workers > 1 && !o.inOrder && callstack.CanStretch(rec, &o.Play) && !rec.MostlyPerf()
}

// needOrder reports whether columns or keys of -s depend on the order of calls: by the start of the
// first of the fastest calls, by rounded sums, or by a thread's processors.
func needOrder(columns []column, sort string) bool {
	return strings.Contains(sort, "stdv") || slices.ContainsFunc(columns, func(c column) bool {
		return strings.HasSuffix(c.field, "-ts") || strings.HasSuffix(c.field, "-stdv") ||
			strings.HasPrefix(c.field, "cpu-")
	})
}

// divide sums up all calls if several goroutines can. Otherwise it returns false without any sums.
func (c *collector) divide(ctx context.Context, rec *uftrace.Recording, opts *Options) (divided bool, err error) {
	if !opts.divides(rec) {
		return false, nil
	}
	play := opts.Play
	c.walker, c.divided = callstack.NewWalker(rec, &play), true
	if err = c.inParallel(ctx, rec, opts); errors.Is(err, errMixed) || errors.Is(err, errors.ErrUnsupported) {
		c.totals.reset()
		c.divided = false
		return false, nil
	}
	return true, err
}

// inParallel sums up the calls of all threads on several goroutines, thread by thread. It returns
// errMixed or errors.ErrUnsupported if that is impossible.
func (c *collector) inParallel(ctx context.Context, rec *uftrace.Recording, opts *Options) error {
	list := rec.ThreadSlices(record.Options{Workers: opts.Workers, Context: ctx}, sliceBytes)
	if list == nil {
		return errors.ErrUnsupported
	}
	defer c.walker.EndPerf(list.LastPerf)
	j := &joiner{collector: c, ctx: ctx, task: -1}
	c.shares = fold.New(j)
	workers := ordered.MakeWorkers(opts.Workers, func() (*collector, error) { return c.worker(rec, opts), nil })
	return record.InSlices(ctx, list.Slices, opts.Workers,
		func(worker int, s record.Slice[uftrace.Entry]) (*share, error) {
			w, err := workers.Of(worker)
			if err != nil {
				return nil, err
			}
			return w.shareOf(ctx, s)
		}, func(h *share) error {
			if h.task < 0 {
				return nil
			}
			if h.task != j.task {
				j.task, c.latest = h.task, 0
			}
			return c.shares.Add(h)
		})
}

// worker returns a collector that does not know earlier calls.
func (c *collector) worker(rec *uftrace.Recording, opts *Options) *collector {
	play := opts.Play
	w := &collector{
		totals: newTotals(len(rec.Symbols()), opts.Table.Name), walker: callstack.NewWalker(rec, &play),
		noLibcall: c.noLibcall, divided: true, shares: c.shares,
	}
	w.walker.Stretches()
	return w
}

// shareOf reads a slice.
func (c *collector) shareOf(ctx context.Context, s record.Slice[uftrace.Entry]) (*share, error) {
	if b := c.totals; len(b.list) > maxRows {
		c.totals = newTotals(len(b.bySymbol), b.name)
	}
	h := &share{slice: s, task: -1, totals: c.totals}
	c.share, c.latest = h, 0
	if c.shares.GaveUp() {
		c.walker.Halt()
	}
	m := s.Merge()
	defer m.Close()
	err := c.walker.Read(ctx, ofThread{m}, c)
	h.flush()
	h.latest, h.stretch, h.totals = c.latest, c.walker.Stretch(), nil
	return h, err
}

// ofThread is the source of a slice whose first stream is the file of the thread.
type ofThread struct {
	*record.Merger[uftrace.Entry]
}

// Ahead returns the next entries of that file.
func (s ofThread) Ahead(int) []uftrace.Entry { return s.Merger.Ahead(0) }

// halts notes a record of a thread, and reports whether the slice must be read again. h may be nil.
func (h *share) halts(t *callstack.Task, w *callstack.Walker) bool {
	if h == nil {
		return false
	}
	h.task = t.Index
	if len(h.rows) > maxParts || len(h.endings) > maxParts || len(h.totals.list) > 2*maxRows {
		w.Halt()
	}
	return w.Halted()
}

// leftIn is left for a divided collector.
func (c *collector) leftIn(t *callstack.Task, e *uftrace.Entry, f *callstack.Frame) {
	if f.Assumed() {
		c.share.ends(ending{sym: e.Sym, addr: e.Addr, latest: c.latest})
		return
	}
	if c.noLibcall && e.Sym != nil && e.Sym.Type == 'P' {
		return
	}
	row := c.totals.find(e.Sym, e.Addr)
	if c.share != nil {
		c.share.use(row, f.Addr)
	}
	if e.Sym != nil {
		row.returned(e.Sym, e.Sym.Size, c.latest)
	}
	row.add(f.Total, f.Child, f.Start, t.Recursive(f))
}

// use prepares a row for a call of an address.
func (h *share) use(r *row, addr uint64) {
	switch {
	case r.calls == 0:
		h.touched = append(h.touched, r.index)
	case r.addr != addr:
		h.rows = append(h.rows, *r)
		r.reset()
	}
	r.addr = addr
}

// ends notes the end of a call that began before the slice. Earlier calls in the slice may have
// been below that call, later ones were not.
func (h *share) ends(e ending) {
	h.flush()
	e.rows = len(h.rows)
	h.endings = append(h.endings, e)
}

// flush moves the current sums to rows.
func (h *share) flush() {
	for _, i := range h.touched {
		r := &h.totals.list[i]
		h.rows = append(h.rows, *r)
		r.reset()
	}
	h.touched = h.touched[:0]
}

// joiner is the state of fold: a collector with the sums of the earlier shares.
type joiner struct {
	*collector
	ctx  context.Context
	task int // thread of the shares, or -1
}

// Fits implements fold.State.
func (j *joiner) Fits(h *share) bool { return j.walker.Fits(h.stretch) }

// Again implements fold.State.
func (j *joiner) Again(h *share) error {
	m := h.slice.MergeAgain()
	defer m.Close()
	err := j.walker.Read(j.ctx, m, j.collector)
	if err == nil && j.walker.Mixed() {
		err = errMixed
	}
	return err
}

// Take implements fold.State.
func (j *joiner) Take(h *share) error {
	c, w := j.collector, j.walker
	t, from := w.Tasks()[h.task], 0
	for i := range h.endings {
		e := &h.endings[i]
		c.joinRows(t, h.rows[from:e.rows])
		from = e.rows
		c.latest = max(c.latest, e.latest)
		f := w.EndCall(&h.stretch.Ended[i])
		switch {
		case !e.event:
			c.left(t, &uftrace.Entry{Sym: e.sym, Addr: e.addr}, f)
		case !h.stretch.Ended[i].Hidden:
			c.resumed(t, f)
		}
	}
	c.joinRows(t, h.rows[from:])
	c.latest = max(c.latest, h.latest)
	w.Join(h.stretch)
	return nil
}

// joinRows adds rows of a worker. Their calls ran while the thread's currently open calls were
// open.
func (c *collector) joinRows(t *callstack.Task, rows []row) {
	b := c.totals
	for i := range rows {
		part := &rows[i]
		if part.event && part.sym == nil {
			b.findEvent(part.addr, part.name).join(part, t.IsOpen(part.addr))
			continue
		}
		r := &b.list[b.named(part.name)]
		r.join(part, t.IsOpen(part.addr))
		r.returned(part.sym, part.size, max(part.at, c.latest))
	}
}
