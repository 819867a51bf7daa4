package view

import (
	"context"
	"math"
	"sort"
)

// place is the place of an item. Places are ordered by time, then by track, depth and index.
type place struct {
	time                uint64
	track, depth, index int
}

func (p place) before(q place) bool {
	switch {
	case p.time != q.time:
		return p.time < q.time
	case p.track != q.track:
		return p.track < q.track
	case p.depth != q.depth:
		return p.depth < q.depth
	}
	return p.index < q.index
}

// nowhere is after all places.
var nowhere = place{time: math.MaxUint64, track: math.MaxInt}

// finder searches the item next to a place.
type finder struct {
	context context.Context // ends the search when the client is gone
	x       *index
	names   []bool // matching names by number; nil for all
	mask    uint64 // bits of their numbers, as in chunk.names
	scratch scratch
}

func newFinder(ctx context.Context, x *index, matches func(name) bool) *finder {
	f := &finder{context: ctx, x: x, mask: math.MaxUint64}
	if matches == nil {
		return f
	}
	f.names, f.mask = make([]bool, len(x.names)), 0
	for i, n := range x.names {
		if matches(n) {
			f.names[i] = true
			f.mask |= 1 << (i % 64)
		}
	}
	return f
}

func (f *finder) takes(it item) bool { return f.names == nil || f.names[it.name] }

// all searches all lanes. track and depth of p need not be a lane.
func (f *finder) all(p place, back bool) (place, item, bool) {
	best, found := nowhere, item{}
	ok := false
	for i, t := range f.x.tracks {
		if t == nil {
			continue
		}
		for depth := instants; depth < len(t.spans); depth++ {
			q, it, has := f.lane(i, depth, p, back)
			if has && (!ok || q.before(best) != back) {
				best, found, ok = q, it, true
			}
		}
	}
	return best, found, ok
}

// lane searches one lane for the first item after p, or with back for the last one before it.
func (f *finder) lane(track, depth int, p place, back bool) (place, item, bool) {
	l := f.x.lane(track, depth)
	if l == nil || f.mask == 0 {
		return place{}, item{}, false
	}
	if back {
		return f.last(l, place{track: track, depth: depth}, p)
	}
	for i := l.ending(p.time); i < l.all() && f.context.Err() == nil; i++ {
		c := l.at(i)
		if c.names&f.mask == 0 {
			continue
		}
		for j, it := range l.decode(f.x.store, i, &f.scratch) {
			q := place{it.begin, track, depth, int(c.index) + j}
			if f.takes(it) && p.before(q) {
				return q, it, true
			}
		}
	}
	return place{}, item{}, false
}

// last searches for the last item before p.
func (f *finder) last(l *lane, q, p place) (place, item, bool) {
	later := sort.Search(l.all(), func(i int) bool { c := l.at(i); return !c.odd && c.first > p.time })
	for i := later - 1; i >= 0 && f.context.Err() == nil; i-- {
		c := l.at(i)
		if c.names&f.mask == 0 {
			continue
		}
		items := l.decode(f.x.store, i, &f.scratch)
		for j := len(items) - 1; j >= 0; j-- {
			q.time, q.index = items[j].begin, int(c.index)+j
			if f.takes(items[j]) && q.before(p) {
				return q, items[j], true
			}
		}
	}
	return place{}, item{}, false
}
