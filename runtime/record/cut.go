package record

import (
	"cmp"
	"slices"
)

// Of slices whose size is not given.
const (
	slicesEach = 8       // for each worker, so that none waits long for the last
	leastSlice = 4 << 20 // bytes; a little of each stream is read twice where slices meet
	mostSlice  = 64 << 20
	// overSlice is how many times as much as a slice has may be read after it, to find where it ends.
	overSlice = 2
)

// SliceSamples is how many places are asked for their time, for each slice and stream.
const SliceSamples = 8

// SliceSize returns how many bytes slices have when total bytes are read by so many workers: there are some for each of them.
func SliceSize(total int64, workers int) int64 {
	return max(leastSlice, min(mostSlice, total/int64(slicesEach*workers)))
}

// Sample is the time at a place of a stream, and how many bytes there are from it to the next one that was looked at.
type Sample struct {
	Time uint64
	Size int64
}

// Cuts cuts where size bytes come together. The cut of a single slice is nil.
func Cuts(all []Sample, size int64) (list []*Cut) {
	slices.SortFunc(all, func(a, b Sample) int { return cmp.Compare(a.Time, b.Time) })
	sum, first := int64(0), uint64(0)
	for _, s := range all {
		if sum >= size && s.Time > first {
			list = append(list, &Cut{First: first, Last: s.Time, over: overSlice * size})
			first, sum = s.Time, 0
		}
		sum += s.Size
	}
	if len(list) == 0 {
		return []*Cut{nil}
	}
	return append(list, &Cut{First: first})
}

// CutSlices returns a slice for each cut.
func CutSlices[E any](cuts []*Cut, open func(*Cut) *Merger[E]) []Slice[E] {
	list := make([]Slice[E], len(cuts))
	for i, c := range cuts {
		list[i] = Slice[E]{Cut: c, Open: open}
	}
	return list
}
