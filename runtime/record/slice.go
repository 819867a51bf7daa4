package record

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
)

// A Cut is the time range of one slice. In each stream, the slice begins with the first record at
// First or later. It ends before the first record at Last or later. So every record is in exactly
// one slice. The slices in order are the recording in time order, even if the times of a stream go
// back.
//
// Bisection finds the place where a stream reaches First. It assumes that times do not go back.
// [InSlices] detects slices for which the assumption was wrong. A Cut is for one pass over its
// streams, and for one goroutine. Containers make and fill it. A perf.data file is cut at places in
// the file. First and Last are then such places.
type Cut struct {
	First uint64 // the Last of the previous slice; 0 means the beginning
	Last  uint64 // 0 means the end

	parts []*Part
	from  []Place // the places where streams begin; if nil, First determines them
	over  int64   // how many more bytes after Last may be read in search of selected records; 0 means no limit
	wide  bool    // the end was not found: over is used up, or GiveUp was called
}

// A Place is a position in a stream, just before a record.
type Place struct {
	At    int64     // offset of the page in the file; -1 at the end of the stream
	Index int       // index of the record in the page, or of the end of its records
	Lost  int64     // Record.Lost of the record
	State [3]uint64 // further state of the container
}

// AtEnd is the Place after the last record.
var AtEnd = Place{At: -1}

// A Part is the part of one stream that belongs to a slice. Its stream sets the fields after From.
type Part struct {
	First, Last uint64 // as in the Cut
	From        *Place // the place where the part begins; if nil, First determines it

	Begin, End   Place
	Begun, Ended bool
	cut          *Cut
	// Accept, if non-nil, is called when the slice is known to begin at the right place. The
	// findings of the slice are valid from then on.
	Accept func()

	Near   int64 // a probable end of the part, as a place in the file of the stream; 0 if not known
	beyond int64 // size of the last read after Near
}

// Reach returns the number of bytes to read at once, of the n bytes at a place. Before Near, it
// returns the bytes up to Near. After Near, the part has probably ended: it returns least at first,
// then twice as many each time.
func (p *Part) Reach(at, n, least int64) int64 {
	switch {
	case p.Near == 0:
		return n
	case at < p.Near:
		return min(n, p.Near-at)
	}
	p.beyond = min(n, max(least, 2*p.beyond))
	return p.beyond
}

// Part adds a stream and returns its part. All slices of a recording have the same streams in the
// same order.
func (c *Cut) Part() *Part {
	p := &Part{First: c.First, Last: c.Last, Begun: c.First == 0, cut: c}
	if c.from != nil {
		p.From = &c.from[len(c.parts)]
	}
	c.parts = append(c.parts, p)
	return p
}

// Over notes that n bytes with times of Last or later were read without a selected record. It
// returns false if the stream must give up and end. If few records are selected, each slice would
// otherwise read far into the following slices to find its end.
func (p *Part) Over(n int64) bool {
	c := p.cut
	if c.over > 0 {
		c.over -= n
		c.wide = c.over <= 0
	}
	return !c.wide
}

// GiveUp drops the slice, because its stream cannot be read in parts. It is then read together with
// all slices after it.
func (p *Part) GiveUp() { p.cut.wide = true }

// EndAt notes the place where the part ends. A part that has not begun is empty. The first call
// counts.
func (p *Part) EndAt(at Place) {
	if !p.Begun {
		p.Begun, p.Begin = true, AtEnd
	}
	if !p.Ended {
		p.Ended, p.End = true, at
	}
}

// Fail ends the part if its stream ends with an error, and returns the error. An error before the
// part begins is an error of the previous slice. The end of a context does not end the part.
func (p *Part) Fail(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if !p.Begun && p.From == nil {
		err = io.EOF
	}
	p.EndAt(AtEnd)
	return err
}

// AnyLater reports whether any of the records is later than last.
func AnyLater(records []Record, last uint64) bool {
	for i := range records {
		if records[i].Time > last {
			return true
		}
	}
	return false
}

// follows reports whether the streams began where the streams of the previous slice ended.
func (c *Cut) follows(before *Cut) bool {
	return slices.EqualFunc(c.parts, before.parts,
		func(now, then *Part) bool { return now.Begun && then.Ended && now.Begin == then.End })
}

// accept notifies the streams that they began at the right place.
func (c *Cut) accept() {
	if c == nil {
		return
	}
	for _, p := range c.parts {
		if p.Accept != nil {
			p.Accept()
		}
	}
}

// forget drops the state of the streams when no later slice needs it. It saves memory, as there may
// be many slices.
func (c *Cut) forget() {
	if c != nil {
		c.parts, c.from = nil, nil
	}
}

// again returns the cut for another pass. This pass begins where the previous slice ended.
func (c *Cut) again(before *Cut) *Cut {
	from := make([]Place, len(before.parts))
	for i, p := range before.parts {
		from[i] = p.End
	}
	return &Cut{First: c.First, Last: c.Last, from: from, over: c.over}
}

// rest returns the cut from the end of the previous slice to the end of the recording. before is
// nil at the beginning.
func (c *Cut) rest(before *Cut) *Cut {
	if before == nil {
		return &Cut{}
	}
	return (&Cut{First: c.First}).again(before)
}

// A Slice is a part of a recording that is read independently of other slices.
type Slice[E any] struct {
	Cut *Cut // nil if the slice is one whole stream or all whole streams
	// Open begins to read the slice. If the slice is read again, Open gets another Cut of the same
	// times.
	Open func(*Cut) *Merger[E]
}

// Merge begins to read the slice.
func (s *Slice[E]) Merge() *Merger[E] { return s.Open(s.Cut) }

// MergeAgain begins to read a slice again after it has been read to its end. It gives the same
// records and does not report damage again. For slices that InSlices reads, call it when out gets
// their results. Growing streams and slices from [Slices] can be read only once.
func (s *Slice[E]) MergeAgain() *Merger[E] {
	c, again := s.Cut, new(Cut)
	if c != nil {
		again.First, again.Last = c.First, c.Last
	}
	switch {
	case again.First == 0:
	case c.from != nil: // the first pass may have ended before some streams began
		again.from = c.from
	default:
		again.from = make([]Place, len(c.parts))
		for i, p := range c.parts {
			again.from[i] = p.Begin
		}
	}
	return s.Open(again)
}

// Slices returns each stream as a slice. Each slice can be read once. Growing streams are merged
// into one slice.
func Slices[E any, S Stream[E]](streams []S) []Slice[E] {
	if growing[E](streams) {
		return []Slice[E]{{Open: func(*Cut) *Merger[E] { return Merge[E](streams, nil) }}}
	}
	list := make([]Slice[E], len(streams))
	for i, s := range streams {
		list[i].Open = func(*Cut) *Merger[E] { return Only[E](s, i) }
	}
	return list
}

// InSlices reads the slices of a recording with up to workers goroutines. It passes the results to
// out, in the order of the slices and on the caller's goroutine. The container of the recording
// makes the slices.
//
// work gets the number of a worker, from 0 to workers, and a slice. It opens the slice and reads
// all its records. A number is used for one slice at a time. If a slice turns out not to begin
// where the previous one ended, its result is dropped and work is called for it again. Therefore
// work must return the same result for the same records and have no other effect. If few records
// are selected, a slice may not find its end soon. It is then dropped and read together with all
// slices after it.
//
// An error of work or out ends everything. [ErrStop] from work ends it after the result has been
// passed to out, and InSlices returns nil. The end of ctx also ends everything. InSlices returns
// when all its goroutines have ended.
func InSlices[E, T any](
	ctx context.Context, list []Slice[E], workers int, work func(worker int, s Slice[E]) (T, error), out func(T) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	p := inSlices[E, T]{list: slices.Clone(list), work: work, jobs: make([]job[T], len(list)),
		workers: max(1, min(workers, len(list)))}
	p.room = make(chan struct{}, p.workers+1)
	for i := range p.jobs {
		p.jobs[i].done = make(chan struct{})
	}
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	for i := range p.workers {
		running.Go(func() { p.serve(ctx, i) })
	}
	for i := range p.jobs {
		if err := p.collect(ctx, i, out); err != nil {
			if errors.Is(err, ErrStop) {
				err = nil
			}
			return err
		}
	}
	return nil
}

// inSlices is the state that the goroutines of InSlices share.
type inSlices[E, T any] struct {
	list    []Slice[E]
	jobs    []job[T] // one for each slice of list
	work    func(int, Slice[E]) (T, error)
	workers int
	next    atomic.Int64
	joined  atomic.Int64  // slices before this one are read, or are read together with an earlier one
	room    chan struct{} // one token for each slice that is being read or waits for out
}

// A job is the result of a worker for a slice.
type job[T any] struct {
	made T
	err  error
	done chan struct{} // closed when made and err are set
}

// serve reads slices until none is left.
func (p *inSlices[E, T]) serve(ctx context.Context, worker int) {
	for {
		select {
		case p.room <- struct{}{}:
		case <-ctx.Done():
			return
		}
		i := int(p.next.Add(1)) - 1
		if i >= len(p.jobs) || ctx.Err() != nil {
			return
		}
		j := &p.jobs[i]
		if int64(i) >= p.joined.Load() {
			j.made, j.err = p.work(worker, p.list[i])
		}
		close(j.done)
	}
}

// collect passes the result of slice i to out.
func (p *inSlices[E, T]) collect(ctx context.Context, i int, out func(T) error) error {
	j := &p.jobs[i]
	select {
	case <-j.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if int64(i) >= p.joined.Load() {
		p.settle(ctx, i)
		if i > 0 {
			p.list[i-1].Cut.forget()
		}
		p.list[i].Cut.accept()
		if j.err != nil && !errors.Is(j.err, ErrStop) {
			return j.err
		}
		if err := out(j.made); err != nil {
			return err
		}
	} else {
		j.err = nil // the slice has been read together with others
	}
	<-p.room
	err := j.err
	*j = job[T]{}
	return err
}

// settle reads slice i again if it did not begin where the previous slice ended. If it did not find
// its end, settle reads it together with all slices after it.
func (p *inSlices[E, T]) settle(ctx context.Context, i int) {
	j, now := &p.jobs[i], p.list[i].Cut
	if now == nil {
		return
	}
	var before *Cut
	if now.First > 0 {
		before = p.list[i-1].Cut
	}
	if !now.wide && before != nil && !now.follows(before) {
		p.list[i].Cut = now.again(before)
		j.made, j.err = p.work(p.workers, p.list[i])
	}
	if !p.list[i].Cut.wide {
		return
	}
	end := i + 1 // end of the slices that are read together
	for end < len(p.list) && p.list[end].Cut != nil && p.list[end].Cut.First > 0 {
		end++
	}
	p.joined.Store(int64(end))
	p.await(ctx, i+1, end)
	p.list[i].Cut = now.rest(before)
	j.made, j.err = p.work(p.workers, p.list[i])
}

// await waits for the workers whose slices are read together with an earlier one. The memory of
// these workers may be the reason.
func (p *inSlices[E, T]) await(ctx context.Context, from, end int) {
	for i := from; i < end && int64(i) < p.next.Load(); i++ {
		select {
		case <-p.jobs[i].done:
		case <-ctx.Done():
			return
		}
	}
}
