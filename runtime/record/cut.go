package record

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Of slices whose size is not given.
const (
	slicesEach = 8       // for each worker, so that none waits long for the last
	leastSlice = 4 << 20 // bytes; a little of each stream is read twice where slices meet
	mostSlice  = 64 << 20
	// overSlice is how many times as much as a slice has may be read after it, to find where it
	// ends.
	overSlice = 2
	// twicePart is what part of a slice is read twice at most. Where it is less than littlePart
	// there is no need to look for a better cut.
	twicePart, littlePart = 8, 64
)

// Of recordings of any length: so many slices there are at most, and so many places are asked for
// their time.
const (
	MostSlices  = 1 << 16
	MostSamples = 1 << 18
)

// SampleAll has up to so many goroutines call sample for each of n streams, and returns what it
// found in them.
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

// SliceSize returns how many bytes slices have when total bytes are read by so many workers: there
// are some for each of them that has a processor. More slices would only have more read twice.
func SliceSize(total int64, workers int) int64 {
	workers = min(workers, runtime.GOMAXPROCS(0))
	return max(leastSlice, min(mostSlice, total/int64(slicesEach*workers)))
}

// Sample is the time at a place of a stream, and how many bytes there are from it to the next one
// that was looked at.
type Sample struct {
	Time uint64
	Size int64
	// End, unless it is 0, says that streams cannot begin between this place and the next one,
	// which has this time: where a cut is in between, what is before it is read twice.
	End uint64
}

// Cuts cuts where size bytes come together, or up to twice as much if less of it has to be read
// twice then. The cut of a single slice is nil.
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

// cutter goes over times and finds those that are good to cut at.
type cutter struct {
	size   float64
	passed passed
	last   cutPlace // where the slice begins
	best   cutPlace // to end it, of those that are good enough
	list   []*Cut
}

// cutPlace is a time with how many bytes come before it, and how many of them would be read twice.
type cutPlace struct {
	time         uint64
	bytes, twice float64
}

// look looks at the next time.
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
		c.look(time) // unless it was here
	}
}

// cut ends the slice, unless no place for that was found.
func (c *cutter) cut(at cutPlace) {
	if at.time > 0 {
		c.list = append(c.list, &Cut{First: c.last.time, Last: at.time, over: overSlice * int64(c.size)})
		c.last, c.best = at, cutPlace{}
	}
}

// passed sums up what lies before a time, which goes on.
type passed struct {
	ends       []Sample // stretches that have not ended, by End
	zero       uint64   // the first time: floating-point numbers have few digits
	done       float64  // bytes of stretches that have
	rate, from float64  // of those that have begun and have not: the sums of bytes for each unit of time, and of those until they began
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

// before returns how many bytes of the stretches that have been added lie before a time, and how
// many of them are in stretches that end later.
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
