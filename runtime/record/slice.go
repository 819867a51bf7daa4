package record

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// Cut is what of the streams of a recording belongs to one slice of it: of each stream the records
// from the first at First or later to before the first at Last or later. So every record is in one
// slice, and the slices one after the other are the recording in time order, also where the times
// of a stream go back.
//
// Where a stream reaches First is found by bisection, which believes that times do not go back.
// [InSlices] finds out where that was wrong. A Cut is for one pass over its streams, and one
// goroutine. Containers make and fill it.
type Cut struct {
	First uint64 // 0: from the beginning; else the Last of the slice before
	Last  uint64 // 0: to the end

	parts []*Part
	from  []Place // where streams begin; nil: First says where
	over  int64   // how many bytes after Last may still be read in search of records that are chosen; 0: any number
	wide  bool    // those are used up: its end was not found
}

// Place is a place of a stream, before a record, as its container counts.
type Place struct {
	At    int64     // of the page in the file; -1 at the end of the stream
	Index int       // of the record in the page, or where it ends there
	Lost  int64     // Record.Lost of the record
	State [3]uint64 // what else the container has to know to go on there
}

// AtEnd is the place after the last record.
var AtEnd = Place{At: -1}

// Part is what of one stream belongs to a slice. Its stream fills in what is after From.
type Part struct {
	First, Last uint64 // those of the Cut
	From        *Place // where it begins; nil: First says where

	Begin, End   Place
	Begun, Ended bool
	cut          *Cut
	// Accept, if non-nil, is called when the slice turns out to begin where it should: what was
	// found in it is true then.
	Accept func()

	Near   int64 // a place in the file of the stream where the end of the part is probably met; 0: not known
	beyond int64 // how much was read at once after that
}

// Reach returns how many bytes are to be read at once, of so many from a place on: those before
// Near, and few after it, where the part has probably ended: least at first, then twice as many
// each time.
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

// Part adds a stream and returns its part. All slices of a recording have the same streams, in the
// same order.
func (c *Cut) Part() *Part {
	p := &Part{First: c.First, Last: c.Last, Begun: c.First == 0, cut: c}
	if c.from != nil {
		p.From = &c.from[len(c.parts)]
	}
	c.parts = append(c.parts, p)
	return p
}

// Over notes that n bytes with times of Last or later were read, and nothing there is chosen. It
// returns false when the stream is to give up and end: where few records are chosen each slice
// would read what all after it read, too, to find out where it ends.
func (p *Part) Over(n int64) bool {
	c := p.cut
	if c.over > 0 {
		c.over -= n
		c.wide = c.over <= 0
	}
	return !c.wide
}

// GiveUp has the slice dropped, and read together with all that follow: its stream cannot be read
// as a part.
func (p *Part) GiveUp() { p.cut.wide = true }

// follows reports whether the streams began where those of the slice before ended.
func (c *Cut) follows(before *Cut) bool {
	return slices.EqualFunc(c.parts, before.parts, func(now, then *Part) bool { return now.Begun && then.Ended && now.Begin == then.End })
}

// accept tells the streams that they began where they should.
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

// forget drops what was found of the streams, when nothing follows that begins where they ended:
// there may be many slices.
func (c *Cut) forget() {
	if c != nil {
		c.parts, c.from = nil, nil
	}
}

// again returns the cut for another pass, which begins where the slice before ended.
func (c *Cut) again(before *Cut) *Cut {
	from := make([]Place, len(before.parts))
	for i, p := range before.parts {
		from[i] = p.End
	}
	return &Cut{First: c.First, Last: c.Last, from: from, over: c.over}
}

// rest returns the cut of all from where the slice before ended to the end. before is nil at the
// beginning.
func (c *Cut) rest(before *Cut) *Cut {
	if before == nil {
		return &Cut{}
	}
	return (&Cut{First: c.First}).again(before)
}

// Slice is a part of a recording that is read by itself, beside others.
type Slice[E any] struct {
	Cut *Cut // nil: nothing is cut, it is one stream or all of them
	// Open begins to read the slice, with another Cut of the same times when it is read again.
	Open func(*Cut) *Merger[E]
}

// Merge begins to read the slice.
func (s *Slice[E]) Merge() *Merger[E] { return s.Open(s.Cut) }

// MergeAgain begins to read the slice once more, which has been read to its end: the same records,
// and nothing is said again of what is damaged. Of slices that InSlices reads it is to be called
// when out gets what was made of them. What comes from streams that grow, and from [Slices], can be
// read once.
func (s *Slice[E]) MergeAgain() *Merger[E] {
	c, again := s.Cut, new(Cut)
	if c != nil {
		again.First, again.Last = c.First, c.Last
	}
	switch {
	case again.First == 0:
	case c.from != nil: // it may not have been read to where all streams begin
		again.from = c.from
	default:
		again.from = make([]Place, len(c.parts))
		for i, p := range c.parts {
			again.from[i] = p.Begin
		}
	}
	return s.Open(again)
}

// Slices returns each stream as a slice, to be read once. Those that grow are merged, and one
// slice.
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

// InSlices has up to workers goroutines read the slices of a recording, which its container has
// made, and passes what they make to out, in the order of the slices and on the goroutine of the
// caller.
//
// work gets the number of a worker, from 0 to workers, that has no other slice at the same time,
// and a slice, whose records it opens and reads to their end. Where a slice turns out not to begin
// where the one before ended, work is called for it again and what it made before is dropped: so it
// must make the same of the same records and do nothing else. Where a slice does not find its end
// soon, since few records are chosen, it is dropped, too, and read together with all that follow.
//
// An error of work or out ends everything, but what work returns beside [ErrStop] is passed to out
// before, and InSlices then returns nil. The end of ctx ends it, too. It returns when all
// goroutines have ended.
func InSlices[E, T any](ctx context.Context, list []Slice[E], workers int, work func(worker int, s Slice[E]) (T, error), out func(T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	p := inSlices[E, T]{list: slices.Clone(list), work: work, jobs: make([]job[T], len(list)), workers: max(1, min(workers, len(list)))}
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

// inSlices is what the goroutines of InSlices share.
type inSlices[E, T any] struct {
	list    []Slice[E]
	jobs    []job[T] // the same
	work    func(int, Slice[E]) (T, error)
	workers int
	next    atomic.Int64
	joined  atomic.Int64  // slices before this one are read, or are read together with one that is
	room    chan struct{} // holds one for each slice that is read or waits for out
}

// job is what a worker made of a slice.
type job[T any] struct {
	made T
	err  error
	done chan struct{} // closed when made and err are there
}

// serve reads slices until there are no more.
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

// collect passes on what was made of slice i.
func (p *inSlices[E, T]) collect(ctx context.Context, i int, out func(T) error) error {
	j := &p.jobs[i]
	select {
	case <-j.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if int64(i) >= p.joined.Load() {
		p.settle(i)
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
		j.err = nil // it is read already
	}
	<-p.room
	err := j.err
	*j = job[T]{}
	return err
}

// settle has slice i read again where it did not begin where the one before ended, and together
// with those that follow where it did not find its end.
func (p *inSlices[E, T]) settle(i int) {
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
	end := i + 1 // of what is cut together
	for end < len(p.list) && p.list[end].Cut != nil && p.list[end].Cut.First > 0 {
		end++
	}
	p.joined.Store(int64(end))
	p.list[i].Cut = now.rest(before)
	j.made, j.err = p.work(p.workers, p.list[i])
}
