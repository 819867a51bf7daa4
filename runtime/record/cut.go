package record

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Constants for slices whose size is not given.
const (
	slicesEach = 8       // for each worker, so that no worker waits long for the last slice
	leastSlice = 4 << 20 // bytes; at each cut, a little of each stream is read twice
	mostSlice  = 64 << 20
	// overSlice limits how far the end of a slice is searched for, as a multiple of the slice size.
	overSlice = 2
	// At most one part in twicePart of a slice is read twice. If less than one part in littlePart
	// is, the search for a better cut stops.
	twicePart, littlePart = 8, 64
)

// Limits for recordings of any length: the number of slices, and the number of places whose time is
// read.
const (
	MostSlices  = 1 << 16
	MostSamples = 1 << 18
)

// SampleAll calls sample for each of n streams, with up to workers goroutines, and returns the
// results by stream.
func SampleAll[P any](workers, n int, sample func(stream int) []P) [][]P {
	found := make([][]P, n)
	var next atomic.Int64
	var running sync.WaitGroup
	for range min(workers, n) {
		running.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				found[i] = sample(i)
			}
		})
	}
	running.Wait()
	return found
}

// SliceSize returns the size of slices in bytes, for total bytes and a number of workers. Each
// worker that has a processor gets several slices. More slices would read more bytes twice.
func SliceSize(total int64, workers int) int64 {
	workers = min(workers, runtime.GOMAXPROCS(0))
	return max(leastSlice, min(mostSlice, total/int64(slicesEach*workers)))
}

// A Sample is the time at a place of a stream, and the number of bytes up to the next sampled
// place.
type Sample struct {
	Time uint64
	Size int64
	// End is the time of the next place if streams cannot begin between this place and that one. A
	// cut between the two then reads the bytes before it twice. Otherwise End is 0.
	End uint64
}

// Cuts cuts all into slices of about size bytes. A slice may have up to twice as many bytes if
// fewer bytes are read twice then. The cut of a single slice is nil.
func Cuts(all []Sample, size int64) []*Cut {
	slices.SortFunc(all, func(a, b Sample) int { return cmp.Compare(a.Time, b.Time) })
	c := cutter{size: float64(size), passed: newPassed(all)}
	for i, s := range all {
		if i == 0 || s.Time > all[i-1].Time {
			c.look(s.Time)
		}
		c.passed.add(s)
	}
	c.cut(c.best)
	if len(c.list) == 0 {
		return []*Cut{nil}
	}
	return append(c.list, &Cut{First: c.last.time})
}

// A cutter goes through the times and finds the best ones for a cut.
type cutter struct {
	size   float64
	passed passed
	last   cutPlace // where the slice begins
	best   cutPlace // the best end so far, among the good ones
	list   []*Cut
}

// A cutPlace is a time, the number of bytes before it, and how many of them a cut here reads twice.
type cutPlace struct {
	time         uint64
	bytes, twice float64
}

// look considers a cut at the next time.
func (c *cutter) look(time uint64) {
	bytes, twice := c.passed.before(time)
	here, sum := cutPlace{time, bytes, twice}, bytes-c.last.bytes
	if sum < c.size || time <= c.last.time {
		return
	}
	if twice <= sum/twicePart && (c.best.time == 0 || twice < c.best.twice) {
		c.best = here
	}
	if best := c.best; best.time > 0 && (twice <= sum/littlePart || sum >= 2*c.size) {
		c.cut(best)
		c.look(time) // unless the cut was made here
	}
}

// cut ends the slice at a place. If no place was found, the slice continues.
func (c *cutter) cut(at cutPlace) {
	if at.time > 0 {
		c.list = append(c.list, &Cut{First: c.last.time, Last: at.time, over: overSlice * int64(c.size)})
		c.last, c.best = at, cutPlace{}
	}
}

// passed sums up the bytes before a time. The time moves forward.
type passed struct {
	ends       []Sample // stretches that have not ended, sorted by End
	zero       uint64   // the first time, subtracted because floating-point numbers have few digits
	done       float64  // bytes of the stretches that have ended
	rate, from float64  // begun but not ended: bytes per unit of time; the sum of rate × begin
}

func newPassed(all []Sample) (p passed) {
	for _, s := range all {
		if s.End > s.Time {
			p.ends = append(p.ends, s)
		}
	}
	if len(all) > 0 {
		p.zero = all[0].Time
	}
	slices.SortFunc(p.ends, func(a, b Sample) int { return cmp.Compare(a.End, b.End) })
	return p
}

// before returns how many bytes of the added stretches lie before a time. Of these, open bytes are
// in stretches that end later.
func (p *passed) before(time uint64) (bytes, open float64) {
	for len(p.ends) > 0 && p.ends[0].End <= time {
		p.count(p.ends[0], -1)
		p.done += float64(p.ends[0].Size)
		p.ends = p.ends[1:]
	}
	open = p.rate*float64(time-p.zero) - p.from
	return p.done + open, open
}

func (p *passed) add(s Sample) {
	if s.End > s.Time {
		p.count(s, 1)
	} else {
		p.done += float64(s.Size)
	}
}

func (p *passed) count(s Sample, sign float64) {
	rate := sign * float64(s.Size) / float64(s.End-s.Time)
	p.rate += rate
	p.from += rate * float64(s.Time-p.zero)
}

// CutSlices returns a slice for each cut.
func CutSlices[E any](cuts []*Cut, open func(*Cut) *Merger[E]) []Slice[E] {
	list := make([]Slice[E], len(cuts))
	for i, c := range cuts {
		list[i] = Slice[E]{Cut: c, Open: open}
	}
	return list
}
