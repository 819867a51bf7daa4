package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/runtime/record"
)

// sampled lists the events that perf sampled.
type sampled struct {
	names []string
	units []string // units of their periods: nanoseconds or count
	seen  []bool   // by Type.Number, for the pass that fills the index
}

// sampledName returns the name of an event in the list of sampled events.
func sampledName(t *tracec.Type) string {
	if t.System != "" {
		return t.System + ":" + t.Name
	}
	return t.Name
}

// see notes a sampled event.
func (s *sampled) see(t *tracec.Type) {
	for t.Number >= len(s.seen) {
		s.seen = append(s.seen, false)
	}
	if s.seen[t.Number] {
		return
	}
	s.seen[t.Number] = true
	if name := sampledName(t); !slices.Contains(s.names, name) {
		s.names, s.units = append(s.names, name), append(s.units, t.PeriodUnit())
	}
}

// maxFrames bounds the frames of a flame graph of samples, before it is pruned.
const maxFrames = 1 << 20

// samples merges the stacks of the samples of an event. Its frames have names of their own.
type samples struct {
	root      frame
	names     []string
	byName    map[string]uint32
	functions []total
	counted   []uint64 // by name: the last sample that counts in its total
	frames    int
	count     uint64 // number of samples
	plain     bool   // the samples have no periods, and count as 1
	large     uint64 // number of samples whose period does not fit into the sum
	deeper    uint64 // number of samples with stacks cut by the bound of depth
	stack     []tracec.Frame
}

// otherName is the name of frames beyond the maximum number of names.
const otherName = "…"

// name returns the number of a name.
func (f *samples) name(text string) uint32 {
	n, ok := f.byName[text]
	if !ok && len(f.names) >= maxFrames && text != otherName {
		return f.name(otherName)
	}
	if !ok {
		n = uint32(len(f.names))
		f.names, f.byName[text] = append(f.names, text), n
		f.functions, f.counted = append(f.functions, total{name: n}), append(f.counted, 0)
	}
	return n
}

// add adds the period of a sample at its stack.
func (f *samples) add(ev *tracec.Event) {
	n, ok := ev.Period()
	if !ok {
		n, f.plain = 1, true
	}
	if n > math.MaxInt64-f.root.total {
		n = 0
		f.large++
	}
	f.count++
	f.root.total += n
	f.stack = ev.AppendFrames(f.stack[:0])
	if ev.Type.System != "" || len(f.stack) == 0 { // the event itself is a frame
		f.stack = slices.Insert(f.stack, 0, tracec.Frame{Function: sampledName(ev.Type)})
	}
	cut := len(f.stack) > maxDepth
	if cut {
		f.stack = f.stack[len(f.stack)-maxDepth:] // frames are innermost first
	}
	at, last := &f.root, uint32(0)
	for i := range slices.Backward(f.stack) {
		last = f.name(f.stack[i].Name())
		if f.counted[last] != f.count { // a recursive function counts once
			f.counted[last] = f.count
			f.functions[last].total += n
			f.functions[last].count++
		}
		if at == nil {
			continue
		}
		if at = f.child(at, last); at != nil {
			at.count++
			at.total += n
		}
	}
	f.functions[last].self += n
	if at != nil {
		at.self += n
	}
	if cut || at == nil {
		f.deeper++
	}
}

// child returns a frame below another. It returns nil if there are too many frames.
func (f *samples) child(at *frame, name uint32) *frame {
	before := len(at.children)
	if f.frames >= maxFrames {
		if i := slices.IndexFunc(at.children, func(c *frame) bool { return c.name == name }); i >= 0 {
			return at.children[i]
		}
		return nil
	}
	c := at.child(name)
	f.frames += len(at.children) - before
	return c
}

// readSamples adds the samples of an event for which takes returns true.
func (s *Server) readSamples(f *samples, o record.Options, event string, takes func(*tracec.Event) bool) error {
	r, err := s.open(o, tracec.WithThreads())
	if err != nil {
		return err
	}
	var is []int8 // by Type.Number: 1 if it is the event, -1 if it is not
	for ev := range r.All() {
		for ev.Type.Number >= len(is) {
			is = append(is, 0)
		}
		at := &is[ev.Type.Number]
		if *at == 0 {
			if *at = -1; ev.Type.Stack() == tracec.CallChain && sampledName(ev.Type) == event {
				*at = 1
			}
		}
		if *at > 0 && takes(ev) {
			f.add(ev)
		}
	}
	return r.Err()
}

// samplesAnswer is a flame graph of samples, and the sums of its functions.
type samplesAnswer struct {
	Root      frameAnswer   `json:"root"`
	Names     []string      `json:"names"`
	Unit      string        `json:"unit"` // unit of total and self: nanoseconds, count or samples
	Samples   uint64        `json:"samples"`
	Left      int           `json:"left"`   // number of frames that are too narrow
	Large     uint64        `json:"large"`  // number of samples whose period does not fit into the sum
	Deeper    uint64        `json:"deeper"` // number of samples with omitted frames
	Functions []totalAnswer `json:"functions"`
	More      int           `json:"more"` // number of further functions, with smaller self values
	Error     string        `json:"error,omitempty"`
}

// samples answers with the merged stacks of the samples of an event in a range, of tracks by
// number, or of all threads.
func (s *Server) samples(q *query) any {
	x := s.index
	x.mu.RLock()
	from, to, event := q.time("from", x.base), q.time("to", x.base), q.values.Get("event")
	e := slices.IndexFunc(x.sampled.names, func(name string) bool { return shown(name) == event })
	if e < 0 {
		q.fail("no event %q is sampled", event)
	}
	chosen, threads := s.chosen(q), map[threadKey]bool{}
	all := q.values.Get("tracks") == timeline.Thread.String()
	a := samplesAnswer{Names: []string{}, Functions: []totalAnswer{}}
	if q.err == nil {
		event, a.Unit = x.sampled.names[e], x.sampled.units[e]
		for i, t := range x.tracks {
			if t != nil && chosen(i, t) {
				threads[keyOf(t.id, t.cpu)] = true
			}
		}
	}
	x.mu.RUnlock()
	if q.err != nil {
		return nil
	}
	f := &samples{byName: map[string]uint32{}}
	var err error
	if from < to {
		err = s.readSamples(f, record.Options{Context: q.ctx, Since: from, Until: to}, event,
			func(ev *tracec.Event) bool { return ev.Task < 0 && all || threads[keyOf(ev.Task, ev.CPU)] })
	}
	if q.ctx.Err() != nil {
		return nil // the client is gone
	}
	if err != nil {
		a.Error = shown(err.Error())
	}
	f.fill(&a)
	return a
}

// maxFunctions bounds the number of functions in an answer.
const maxFunctions = 500

// fill sets the sums of an answer. It renumbers names, since the answer contains few of them.
func (f *samples) fill(a *samplesAnswer) {
	a.Left = f.root.prune(f.root.total / finest)
	a.Root, a.Samples, a.Large, a.Deeper = newFrameAnswer(&f.root), f.count, f.large, f.deeper
	if f.plain {
		a.Unit = "samples"
	}
	numbers := map[uint32]uint32{}
	number := func(name uint32) uint32 {
		n, ok := numbers[name]
		if !ok {
			n = uint32(len(a.Names))
			numbers[name], a.Names = n, append(a.Names, shown(f.names[name]))
		}
		return n
	}
	slices.SortStableFunc(f.functions, func(a, b total) int {
		return cmp.Or(cmp.Compare(b.self, a.self), cmp.Compare(b.total, a.total))
	})
	for _, t := range f.functions[:min(len(f.functions), maxFunctions)] {
		a.Functions = append(a.Functions,
			totalAnswer{Name: number(t.name), Count: t.count, Total: t.total, Self: t.self})
	}
	a.More = len(f.functions) - len(a.Functions)
	var rename func(list []frameAnswer)
	rename = func(list []frameAnswer) {
		for i := range list {
			list[i].Name = number(list[i].Name)
			rename(list[i].Below)
		}
	}
	rename(a.Root.Below)
}
