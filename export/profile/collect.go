package profile

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/lookup"
	"github.com/tracec/tracec/runtime/record"
)

// The values of Options.Value other than fields.
const (
	Self  = "self"
	Calls = "calls"
)

// collector sums up the spans on tracks.
type collector struct {
	opts    Options
	tree    *tree
	tracks  []track // by Track.Index
	spans   roots   // roots of the stacks of spans
	periods periods
	frames  []int32 // by Name.Index: frame + 1
	field   valueField
	samples samples
	counts  counts

	start, end uint64
	began      bool
}

// valueField is the field of events to sum up.
type valueField struct {
	name   string  // if empty, times and calls are summed up
	found  bool    // some event has the field
	places []int32 // by Type.Number: index of the field + 1; -1 without it
}

// roots holds the stacks of tracks, by Track.Index.
type roots []root

// root is the stack of a track, without frames.
type root struct {
	node int32 // -1 if the track has none
	last path  // path of its last sample
}

// of returns the stack of a track. It is valid until the next call.
func (r *roots) of(tr *timeline.Track, t *tree) *root {
	for len(*r) <= tr.Index {
		*r = append(*r, root{node: -1})
	}
	x := &(*r)[tr.Index]
	if x.node < 0 {
		x.node = t.root(tr.Index)
	}
	return x
}

// samples holds the stack samples of events and the frames of their addresses.
type samples struct {
	some    bool                    // the recording may have stack samples
	owners  []owner                 // by Record.Stream: the event that a stack sample may belong to
	stack   []uint64                // addresses of the current sample
	frames  []tracec.Frame          // frames of the current call chain
	sources []tracec.Source         // sources of one frame
	kernel  lookup.Table            // frames by address
	users   map[int32]*lookup.Table // frames by address, for each process
	known   int                     // number of addresses in tables
	library func(process int32, addr uint64) (string, uint64, bool)
}

// counts holds the numbers of calls, and the calls without a recorded end.
type counts struct {
	calls, timed, stacks int64  // numbers of calls, of calls with a time, and of samples
	cuts                 []cut  // calls that ended since the last event, without a recorded end
	ended                []bool // by frame: whether an end was recorded
	untimed              int64
}

// track holds the open spans of a track.
type track struct {
	root int32
	open []call // open calls for Track.Open
}

// call is an open call.
type call struct {
	node  int32
	fresh bool  // its name is not yet known
	sum   int64 // time of inner calls
}

// cut is a call without a recorded end.
type cut struct {
	node, frame int32
	self        int64
}

// holder is a recording that limits the memory used for it.
type holder interface{ Hold(bytes int64) error }

func newCollector(o Options, rec record.Recording) *collector {
	var hold func(int64) error
	if h, ok := rec.(holder); ok {
		hold = h.Hold
	}
	limit := o.MaxStacks
	if limit <= 0 {
		limit = defaultStacks
	}
	c := &collector{opts: o, tree: newTree(limit, hold), samples: samples{users: map[int32]*lookup.Table{}}}
	if o.Value != "" && o.Value != Self && o.Value != Calls {
		c.field.name = o.Value
	}
	return c
}

// item processes an item of the timeline.
func (c *collector) item(it *timeline.Item) {
	if it.Time > 0 && (!c.began || it.Time < c.start) { // records of perf without a time do not count
		c.start, c.began = it.Time, true
	}
	c.end = max(c.end, it.Time)
	if it.Track.Kind == timeline.CPU && it.Kind != timeline.Instant {
		return // skip the occupation of a processor, whose time is the time of its threads
	}
	if it.Event == nil {
		c.span(it)
		return
	}
	if len(c.counts.cuts) > 0 {
		c.counts.untimed += int64(len(c.counts.cuts))
		c.counts.cuts = c.counts.cuts[:0]
	}
	kind := it.Event.Type.Stack()
	if c.samples.some && (kind == tracec.KernelStack || kind == tracec.UserStack) {
		c.sample(it)
		return
	}
	value, valued := int64(0), false
	if c.field.name != "" {
		value, valued = c.valueOf(it.Event)
	}
	if kind == tracec.CallChain {
		c.chain(it, value, valued)
	} else if c.samples.some {
		c.own(it, value, valued)
	} else if valued {
		c.count(c.event(it), value)
	}
	c.span(it)
}

// track returns the state of a track.
func (c *collector) track(tr *timeline.Track) *track {
	for len(c.tracks) <= tr.Index {
		c.tracks = append(c.tracks, track{root: -1})
	}
	t := &c.tracks[tr.Index]
	if t.root < 0 {
		t.root = c.spans.of(tr, c.tree).node
	}
	return t
}

// top returns the stack of the innermost span.
func (t *track) top() int32 {
	if len(t.open) == 0 {
		return t.root
	}
	return t.open[len(t.open)-1].node
}

// span opens and closes calls.
func (c *collector) span(it *timeline.Item) {
	if it.Kind == timeline.Instant {
		return
	}
	t := c.track(it.Track)
	tr := it.Track
	if it.Kind == timeline.Begin {
		n := len(tr.Open) - 1
		t.open = t.open[:min(len(t.open), n)]
		c.sync(t, tr, n)
		c.open(t, it.Name)
		return
	}
	n := len(tr.Open)
	t.open = t.open[:min(len(t.open), n+1)]
	c.sync(t, tr, n)
	if len(t.open) == n {
		c.open(t, it.Span.Name)
	}
	top := t.open[n]
	t.open = t.open[:n]
	c.close(t, top, it.Span)
}

// open begins a call.
func (c *collector) open(t *track, n *timeline.Name) {
	x := call{fresh: n.Text == timeline.UnseenName && n.Category == ""}
	if x.fresh {
		x.node = c.tree.fresh(t.top(), c.frame(n))
	} else {
		x.node = c.tree.child(t.top(), c.frame(n))
	}
	t.open = append(t.open, x)
}

// close counts a call. The total time of a stack is the sum of the times in it. After losses and
// jumps a call may have a different time. The difference is then a separate frame.
func (c *collector) close(t *track, x call, span *timeline.Span) {
	f := c.frame(span.Name)
	if at := &c.tree.nodes[x.node]; at.frame != f && at.frame > deepFrame {
		if x.fresh {
			c.tree.rename(x.node, f)
		} else {
			x.node = c.tree.child(t.top(), f)
		}
	}
	if c.field.name != "" {
		return
	}
	switch {
	case span.Left:
	case span.Cut && !span.Call:
		c.counts.calls++
		c.count(x.node, 0)
		c.counts.cuts = append(c.counts.cuts, cut{x.node, f, int64(span.Self())})
	default:
		c.counts.calls++
		c.counts.timed++
		for int(f) >= len(c.counts.ended) {
			c.counts.ended = append(c.counts.ended, false)
		}
		c.counts.ended[f] = true
		self, total := int64(span.Self()), int64(span.Total())
		c.count(x.node, self)
		switch rest := total - self - x.sum; {
		case rest > 0:
			c.tree.nodes[c.tree.child(x.node, lostFrame)].value += rest
		case rest < 0:
			c.tree.nodes[c.tree.child(x.node, twiceFrame)].value += rest
		}
		x.sum = total
	}
	if n := len(t.open); n > 0 {
		t.open[n-1].sum += x.sum
	}
}

// lasting counts the time of the calls that are open at the end of the recording. A name counts
// only if the recording has an end of a call with that name: exit_group has none.
func (c *collector) lasting() {
	for _, x := range c.counts.cuts {
		if int(x.frame) < len(c.counts.ended) && c.counts.ended[x.frame] {
			c.tree.nodes[x.node].value += x.self
			c.counts.timed++
		} else {
			c.counts.untimed++
		}
	}
}

// sync opens the calls that are open in the timeline, up to n, but not yet on the track.
func (c *collector) sync(t *track, tr *timeline.Track, n int) {
	for len(t.open) < n {
		c.open(t, tr.Open[len(t.open)].Name)
	}
}

// frame returns the frame of a name.
func (c *collector) frame(n *timeline.Name) int32 {
	for len(c.frames) <= n.Index {
		c.frames = append(c.frames, 0)
	}
	if c.frames[n.Index] == 0 {
		c.frames[n.Index] = c.tree.frame(frame{name: n.Text, module: n.Category}) + 1
	}
	return c.frames[n.Index] - 1
}

// valueOf returns the value of the field of an event.
func (c *collector) valueOf(ev *tracec.Event) (int64, bool) {
	for len(c.field.places) <= ev.Type.Number {
		c.field.places = append(c.field.places, 0)
	}
	at := &c.field.places[ev.Type.Number]
	if *at == 0 {
		*at = -1
		if i := ev.Type.Index(c.field.name); i >= 0 && ev.Type.Fields[i].Kind <= tracec.Uint {
			*at, c.field.found = int32(i)+1, true
		}
	}
	if *at < 0 {
		return 0, false
	}
	bits, ok := ev.Bits(int(*at) - 1)
	return int64(bits), ok
}

// event returns the stack of an event: the open spans on its track, except a span that it begins or
// ends, and the event itself.
func (c *collector) event(it *timeline.Item) int32 {
	t := c.track(it.Track)
	n := len(it.Track.Open)
	if it.Kind == timeline.Begin {
		n--
	}
	c.sync(t, it.Track, n)
	at := t.root
	if n > 0 {
		at = t.open[n-1].node
	}
	return c.tree.child(at, c.frame(it.Name))
}

// count adds an event to a stack.
func (c *collector) count(n int32, value int64) {
	c.tree.nodes[n].count++
	c.tree.nodes[n].value += value
}
