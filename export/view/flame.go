package view

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// frame is a frame of a flame graph: all spans with the same name and the same outer spans.
type frame struct {
	name     uint32
	count    uint64 // number of spans that overlap the range
	total    uint64 // their time in the range
	self     uint64 // the part of total outside of inner spans
	children []*frame
	byName   map[uint32]*frame // set if there are many children
}

// child returns the child of f with a name.
func (f *frame) child(name uint32) *frame {
	if f.byName != nil {
		if c := f.byName[name]; c != nil {
			return c
		}
	} else {
		for _, c := range f.children {
			if c.name == name {
				return c
			}
		}
	}
	c := &frame{name: name}
	f.children = append(f.children, c)
	if f.byName != nil {
		f.byName[name] = c
	} else if len(f.children) > 16 {
		f.byName = map[uint32]*frame{}
		for _, c := range f.children {
			f.byName[c.name] = c
		}
	}
	return c
}

// total holds the sums of one name in a range.
type total struct {
	name    uint32
	count   uint64
	total   uint64 // without spans inside spans of the same name
	self    uint64
	longest uint64 // length of the whole span, not only in the range
	nested  int    // number of open spans of the name
}

// flames merges the stacks of tracks in a range.
type flames struct {
	from, to uint64
	root     frame
	spans    []total // totals of spans, by name
	events   []total // totals of instants, by name
	missing  bool    // some items could not be kept
	context  context.Context
}

// cursor is the next span of a lane.
type cursor struct {
	l       *lane
	chunk   int
	next    int
	items   []item
	scratch scratch
}

func newFlames(ctx context.Context, x *index, from, to uint64) *flames {
	return &flames{from: from, to: to, spans: make([]total, len(x.names)), events: make([]total, len(x.names)),
		context: ctx}
}

// track adds the items of a track.
func (f *flames) track(x *index, t *track) error {
	cursors := make([]cursor, len(t.spans))
	for i := range cursors {
		cursors[i] = cursor{l: &t.spans[i], chunk: t.spans[i].ending(f.from) - 1}
	}
	// After the first lane, add items outside of all spans: records with times that step back.
	for i := range cursors {
		f.below(x, cursors[i:], item{end: math.MaxUint64}, false, &f.root)
	}
	f.instants(x, &t.instants)
	return f.context.Err()
}

// peek returns the next span of a lane that is in the range.
func (f *flames) peek(x *index, c *cursor) (item, bool) {
	for {
		for c.next < len(c.items) {
			it := c.items[c.next]
			if it.begin >= f.to {
				return item{}, false
			}
			if it.end > f.from || it.end == it.begin && it.begin >= f.from {
				return it, true
			}
			c.next++
		}
		if c.chunk++; c.chunk >= c.l.all() || f.context.Err() != nil {
			c.chunk = c.l.all()
			return item{}, false
		}
		c.items, c.next = c.l.decode(x.store, c.chunk, &c.scratch), 0
		f.missing = f.missing || c.items == nil
	}
}

// below adds the spans of the first lane inside around, and the spans inside them. It returns the
// time in the range that they cover. An item that begins at the end of around belongs to the next
// span, if that begins at the same time.
func (f *flames) below(x *index, lanes []cursor, around item, next bool, parent *frame) (covered uint64) {
	if len(lanes) == 0 {
		return 0
	}
	for {
		it, ok := f.peek(x, &lanes[0])
		if !ok || it.end > around.end || it.begin == around.end && next {
			return covered
		}
		lanes[0].next++
		inside := it.begin >= around.begin
		at := parent
		if !inside { // the begin of the span or of its outer span was not recorded
			at = &f.root
		}
		length := min(it.end, f.to) - min(max(it.begin, f.from), it.end)
		after, ok := f.peek(x, &lanes[0])
		c := at.child(it.name)
		sum := &f.spans[it.name]
		sum.nested++
		within := min(f.below(x, lanes[1:], it, ok && after.begin == it.end && it.begin < it.end, c), length)
		sum.nested--
		c.count++
		c.total += length
		c.self += length - within
		sum.count++
		sum.self += length - within
		sum.longest = max(sum.longest, it.end-it.begin)
		if sum.nested == 0 {
			sum.total += length
		}
		if inside {
			covered += length
		}
	}
}

// instants counts the instants of a lane in the range.
func (f *flames) instants(x *index, l *lane) {
	c := cursor{l: l, chunk: l.ending(f.from) - 1}
	for {
		it, ok := f.peek(x, &c)
		if !ok {
			return
		}
		c.next++
		f.events[it.name].count++
	}
}

// used returns the totals of names that occur, by descending self time.
func used(list []total) []total {
	var out []total
	for i, t := range list {
		if t.count > 0 {
			t.name = uint32(i)
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b total) int {
		return cmp.Or(cmp.Compare(b.self, a.self), cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name))
	})
	return out
}

// prune returns f without frames shorter than a time. Children are sorted by their time. left is
// the number of dropped frames.
func (f *frame) prune(least uint64) (left int) {
	f.children = slices.DeleteFunc(f.children, func(c *frame) bool {
		if c.total >= least && c.total > 0 {
			return false
		}
		left++
		return true
	})
	slices.SortStableFunc(f.children, func(a, b *frame) int { return cmp.Compare(b.total, a.total) })
	for _, c := range f.children {
		left += c.prune(least)
	}
	return left
}
