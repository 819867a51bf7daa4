package view

// entry is a drawn part of a lane: one item, or a summary of several.
type entry struct {
	begin, end uint64 // for a summary, from the first begin to the last end
	covered    uint64 // time in spans
	longest    uint64 // length of the longest span
	names      uint64 // as in chunk.names
	name       uint32 // name of the longest span
	flags      uint32 // flags of an item; or gone
	count      uint32 // number of items
	index      uint32 // index of the item in the lane; for a summary, of its first item
}

// window collects the entries of a lane at a resolution. Spans of 1<<level time units or more are
// entries. Shorter ones that begin in the same interval of length 1<<level are summed up.
type window struct {
	from, to uint64
	level    uint
	entries  []entry
	sum      chunk  // sum of the items that begin in one interval
	bucket   uint64 // number of the interval
	only     item   // the item, if sum has only one
	scratch  scratch
}

// newWindow returns a window, extended to whole intervals.
func newWindow(from, to uint64, level uint) *window {
	last := uint64(1)<<level - 1
	return &window{from: from &^ last, to: (to + last) &^ last, level: level}
}

// read appends the entries of a lane that are in the window.
func (w *window) read(s *store, l *lane) {
	w.sum.count = 0
	for i := l.ending(w.from); i < l.all(); i++ {
		c := l.at(i)
		if c.first >= w.to && !c.odd {
			break
		}
		if !c.odd && c.count > 1 && c.first>>w.level == c.last>>w.level {
			w.chunk(c)
			continue
		}
		items := l.decode(s, i, &w.scratch)
		if items == nil { // some items could not be kept
			w.flush()
			w.sum, w.only = *c, item{}
			w.flush()
			w.entries[len(w.entries)-1].flags |= gone
			continue
		}
		for j, it := range items {
			if it.end >= w.from && it.begin < w.to {
				w.item(it, c.index+uint32(j))
			}
		}
	}
	w.flush()
}

// open appends the open span of a track at a depth.
func (w *window) open(t *track, depth int, now uint64) {
	if depth < 0 || depth >= len(t.open) {
		return
	}
	it := t.open[depth]
	if it.begin < w.to && now >= w.from {
		w.entries = append(w.entries, entry{begin: it.begin, end: max(now, it.begin), names: 1 << (it.name % 64),
			name: it.name, flags: open, count: 1, index: ^uint32(0)})
	}
}

// chunk adds items that all begin in one interval.
func (w *window) chunk(c *chunk) {
	if b := c.first >> w.level; b != w.bucket {
		w.flush()
		w.bucket = b
	}
	w.sum.merge(c)
}

// item adds an item.
func (w *window) item(it item, index uint32) {
	if it.end-it.begin >= 1<<w.level {
		w.flush()
		w.entries = append(w.entries, entry{
			begin: it.begin, end: it.end, covered: it.end - it.begin, longest: it.end - it.begin,
			names: 1 << (it.name % 64), name: it.name,
			flags: it.flags, count: 1, index: index,
		})
		return
	}
	b := it.begin >> w.level
	if b < w.from>>w.level { // part of an interval
		return
	}
	if b != w.bucket {
		w.flush()
		w.bucket = b
	}
	if w.sum.count == 0 {
		w.sum = chunk{last: it.end, index: index}
		w.only = it
	}
	w.sum.add(it)
}

// flush appends the sum.
func (w *window) flush() {
	c := &w.sum
	if c.count == 0 {
		return
	}
	e := entry{begin: c.first, end: c.last, covered: c.covered, longest: c.longest, names: c.names, name: c.name,
		count: c.count, index: c.index}
	if c.count == 1 {
		e.flags = w.only.flags
	}
	w.entries = append(w.entries, e)
	w.sum = chunk{}
}
