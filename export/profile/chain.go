package profile

import (
	"math"
	"slices"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
)

// periods sums up the periods of samples, by event.
type periods struct {
	list    []period
	places  []int32 // in list, by Type.Number, + 1
	unknown int64   // samples without a period
	large   int64   // samples whose period does not fit into the sum
	known   knownFrames
}

// period has the stacks of the samples of one event.
type period struct {
	name, unit string
	roots      roots
	sum        int64 // of all stacks, which readers of profiles add up, too
}

// add returns what a period adds to the sum. It is 0 for one that does not fit, of a damaged
// sample: a sum would be negative.
func (p *periods) add(to *period, n uint64) int64 {
	if n > uint64(math.MaxInt64-to.sum) {
		p.large++
		return 0
	}
	to.sum += int64(n)
	return int64(n)
}

// tracepoints is the name of the period of all tracepoints, whose samples each stand for one event.
const tracepoints = "events"

// of returns the period of a type.
func (p *periods) of(t *tracec.Type) *period {
	for len(p.places) <= t.Number {
		p.places = append(p.places, 0)
	}
	at := &p.places[t.Number]
	if *at == 0 {
		x := period{name: t.Name, unit: t.PeriodUnit()}
		if t.System != "" {
			x.name = tracepoints
		}
		i := slices.IndexFunc(p.list, func(y period) bool { return y.name == x.name })
		if i < 0 {
			i, p.list = len(p.list), append(p.list, x)
		}
		*at = int32(i) + 1
	}
	return &p.list[*at-1]
}

// first returns the name of the first event that is not a tracepoint, if there is one.
func (p *periods) first() string {
	i := slices.IndexFunc(p.list, func(x period) bool { return x.name != tracepoints })
	return p.list[max(0, i)].name
}

// chain counts a sample at its own call chain: its period, or the field that is summed up. A
// tracepoint is a frame of its own, as is an event without an address.
func (c *collector) chain(it *timeline.Item, value int64, valued bool) {
	x := c.periods.of(it.Event.Type)
	roots := &c.spans
	if !valued {
		if c.field.name != "" && c.field.name != x.name {
			return
		}
		n, ok := it.Event.Period()
		if !ok {
			c.periods.unknown++
		}
		roots, value = &x.roots, c.periods.add(x, n)
	}
	c.samples.frames = it.Event.AppendFrames(c.samples.frames[:0])
	c.counts.stacks++
	at := roots.of(it.Track, c.tree)
	for i := range slices.Backward(c.samples.frames) {
		at = c.tree.child(at, c.chainFrame(&c.samples.frames[i]))
	}
	if it.Event.Type.System != "" || len(c.samples.frames) == 0 {
		at = c.tree.child(at, c.frame(it.Name))
	}
	c.count(at, value)
}

// knownFrames are frames of the tree that were found last, by a part of a hash of the address.
type knownFrames [1 << 10]struct {
	addr, offset   uint64
	function, file string
	frame          int32 // + 1
}

// chainFrame returns the frame of an address. Chains repeat, so most are known.
func (c *collector) chainFrame(f *tracec.Frame) int32 {
	k := &c.periods.known[f.Addr*0x9e3779b97f4a7c15>>54]
	if k.frame > 0 && k.addr == f.Addr && k.offset == f.FileOffset && k.function == f.Function && k.file == f.File {
		return k.frame - 1
	}
	if !c.tree.room() {
		return otherFrame
	}
	k.addr, k.offset, k.function, k.file = f.Addr, f.FileOffset, f.Function, f.File
	k.frame = c.tree.frame(frame{name: f.Name(), module: f.File}) + 1
	return k.frame - 1
}
