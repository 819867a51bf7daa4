package profile

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/runtime/record"
)

// Format is a format of profiles.
type Format uint8

// The formats.
const (
	Pprof      Format = iota // profile.proto of google/pprof, compressed with gzip
	Folded                   // a line for each stack, for flamegraph.pl
	Speedscope               // speedscope's JSON
)

// Options select the quantity to sum up and the format. The zero value is a profile of self times
// for pprof.
type Options struct {
	Format Format
	// Value is self, calls, the name of an integer field, or of a sampled event; see the package
	// documentation. If empty, it is self. For recordings without times of calls the default is the
	// first event that was sampled by period, or else calls.
	Value string
	// MaxStacks is the maximum number of different stacks. 0 means 1,048,576.
	MaxStacks int
	// Name is the name of the profile in formats with a name. If empty, it is the name of the
	// recording.
	Name string
	// Warn receives warnings about omissions, for readers of the profile. It may be nil.
	Warn func(message string)
}

// defaultStacks is the default of Options.MaxStacks. They take 64 MB.
const defaultStacks = 1 << 20

// A Profile holds the sums over the stacks of a recording.
type Profile struct {
	opts    Options
	tree    *tree
	value   string     // self, calls, the field, or the event whose periods are summed up
	kinds   []quantity // kinds of values; the first is the number of calls or events
	shown   int        // index of value in kinds
	ticks   bool       // times are in ticks of a clock without a scale
	threads []thread
	start   uint64 // times of the first and the last event
	end     uint64
	wall    int64 // wall-clock time of the first event, in nanoseconds since 1970; 0 if unknown
}

// quantity is a kind of values.
type quantity struct{ name, unit string }

// thread holds the data of a track for writers.
type thread struct {
	root         int32
	kind         int    // kind of the values of its stacks: index in Profile.kinds
	name         string // such as shell-1234
	process      string // name and number, if known
	tid, pid     int32
	hasID, hasPD bool
}

// ErrNothing reports a recording, or a selection of its events, without anything to sum up.
var ErrNothing = errors.New("there is nothing to profile")

// Write reads events and writes their profile. If streams of the recording fail, it still writes
// the profile, and then returns the errors. The recording's Damage holds the unreadable parts.
func Write(w io.Writer, r *tracec.Reader, o Options) error {
	p, err := Collect(r, o)
	if p == nil {
		return err
	}
	return errors.Join(p.Write(w, o.Format), err)
}

// Collect reads events and sums them up. The profile is nil if there is nothing to sum up. An error
// with a non-nil profile comes from one of the recording's streams, or from its context. The
// profile then holds the events before the error.
func Collect(r *tracec.Reader, o Options) (*Profile, error) {
	tl, err := timeline.New(r)
	if err != nil {
		return nil, err
	}
	rec := r.Recording()
	c := newCollector(o, rec)
	c.samples.library = r.Library
	r.Names(func(system, name, _ string) {
		c.samples.some = c.samples.some || system == "ftrace" && (name == "kernel_stack" || name == "user_stack")
	})
	for it := range tl.All() {
		c.item(it)
	}
	c.finish()
	p, err := c.profile(rec, tl.Tracks())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", rec.Name(), err), tl.Err())
	}
	return p, tl.Err()
}

// Write writes the profile in a format.
func (p *Profile) Write(w io.Writer, f Format) error {
	switch f {
	case Pprof:
		return p.writePprof(w)
	case Folded, Speedscope:
		p.warnOthers()
		q := p.byFunction()
		if f == Folded {
			return q.writeFolded(w)
		}
		return q.writeSpeedscope(w)
	}
	return fmt.Errorf("profile: no format %d", f)
}

// byFunction returns the profile without lines, for formats that have none.
func (p *Profile) byFunction() *Profile {
	if !slices.ContainsFunc(p.tree.frames, func(f frame) bool { return f.source != "" }) {
		return p
	}
	t, alone := p.tree.byFunction()
	if alone {
		p.tree = t
	}
	q := *p
	q.tree = t
	return &q
}

// warnOthers warns about events whose samples are omitted by a format with one kind of values.
func (p *Profile) warnOthers() {
	if p.opts.Value != "" {
		return
	}
	var others []string
	for i, k := range p.kinds {
		if i > 0 && i != p.shown && slices.ContainsFunc(p.threads, func(t thread) bool { return t.kind == i }) {
			others = append(others, k.name)
		}
	}
	if len(others) > 0 {
		p.warn("%s is shown, but not %s: --value selects it", p.value, strings.Join(others, ", "))
	}
}

// Value returns the resolved Options.Value: self, calls or a field.
func (p *Profile) Value() string { return p.value }

func (p *Profile) warn(format string, args ...any) {
	if p.opts.Warn != nil {
		p.opts.Warn(fmt.Sprintf(format, args...))
	}
}

// profile completes the profile.
func (c *collector) profile(rec record.Recording, tracks []*timeline.Track) (*Profile, error) {
	p := &Profile{opts: c.opts, tree: c.tree, value: c.opts.Value, start: c.start, end: c.end}
	m := rec.Machine()
	p.ticks = m.Ticks
	if t, ok := m.WallTime(c.start); ok {
		p.wall = t.UnixNano()
	}
	if p.opts.Name == "" {
		p.opts.Name = filepath.Base(rec.Name())
	}
	switch {
	case c.field.name != "" && !c.field.found && len(c.periods.list) == 0:
		return nil, fmt.Errorf("no event has an integer field %s: %w", c.field.name, ErrNothing)
	case c.field.name != "":
	case p.value == "" && c.counts.timed > 0:
		p.value = Self
	case p.value == "" && len(c.periods.list) > 0 && c.periods.unknown == 0:
		p.value = c.periods.first()
	case p.value == "" && c.counts.calls+c.counts.stacks > 0:
		p.value = Calls
	case p.value == "" || p.value == Calls && c.counts.calls+c.counts.stacks == 0:
		return nil, fmt.Errorf("the recording has no calls and no stacks: %w; record function_graph, system calls or stacks", ErrNothing)
	case p.value == Self && c.counts.timed == 0:
		return nil, fmt.Errorf("calls have no end, and so no times: %w", ErrNothing)
	}
	if err := p.measure(c); err != nil {
		return nil, err
	}
	p.name(c.spans, 1, tracks)
	for i, x := range c.periods.list {
		p.name(x.roots, len(p.kinds)-len(c.periods.list)+i, tracks)
	}
	if c.periods.unknown > 0 {
		p.warn("%d samples have no period, since the recording has their frequency alone: they count as calls",
			c.periods.unknown)
	}
	if n := c.periods.large; n > 0 {
		p.warn("%d samples count without their periods: the sum would exceed 2^63-1", n)
	}
	if c.counts.untimed > 0 && p.value == Self {
		p.warn("%d calls without an end count without a time", c.counts.untimed)
	}
	if n := c.tree.over; n > 0 {
		p.warn("more than %d different stacks: %d calls or samples of others are in %s", len(c.tree.nodes), n,
			c.tree.frames[otherFrame].name)
	}
	if n := c.tree.deep; n > 0 {
		p.warn("%d calls are deeper than %d and in %s", n, maxDepth, c.tree.frames[deepFrame].name)
	}
	return p, nil
}

// measure sets the kinds of values.
func (p *Profile) measure(c *collector) error {
	p.kinds = []quantity{{Calls, "count"}, {"time", p.timeUnit()}}
	if c.field.found {
		p.kinds = []quantity{{"events", "count"}, {c.field.name, fieldUnit(c.field.name)}}
	}
	if len(c.periods.list) > 0 && c.counts.calls == 0 && !c.field.found {
		p.kinds = []quantity{{"samples", "count"}}
	}
	for _, x := range c.periods.list {
		p.kinds = append(p.kinds, quantity{x.name, x.unit})
	}
	switch p.value {
	case Calls:
	case Self:
		p.shown = 1
	default:
		p.shown = slices.IndexFunc(p.kinds[1:], func(k quantity) bool { return k.name == p.value }) + 1
		if p.shown == 0 {
			return fmt.Errorf("no event has an integer field %s, or is sampled and called so: %w", p.value, ErrNothing)
		}
	}
	return nil
}

// name sets the names of the threads of a kind of values to their last names.
func (p *Profile) name(roots roots, kind int, tracks []*timeline.Track) {
	mains := map[int32]string{}
	for _, tr := range tracks {
		if tr.Kind <= timeline.Functions && tr.ID == tr.Process {
			mains[tr.ID] = tr.Name
		}
	}
	for i := range roots {
		root := roots[i].node
		if root < 0 {
			continue
		}
		tr := tracks[i]
		th := thread{root: root, kind: kind, tid: tr.ID, pid: tr.Process, hasID: tr.Kind <= timeline.Functions}
		switch {
		case tr.Kind <= timeline.Functions && tr.ID == 0 && tr.CPU >= 0:
			th.name = fmt.Sprintf("idle on CPU %d", tr.CPU)
		case tr.Kind <= timeline.Functions:
			th.name = label(tr.Name, tr.ID)
		case tr.Kind == timeline.Unknown && tr.CPU < 0:
			th.name = "unknown thread"
		case tr.Kind == timeline.Unknown:
			th.name = fmt.Sprintf("unknown thread on CPU %d", tr.CPU)
		case tr.Kind == timeline.Interrupt:
			th.name = fmt.Sprintf("interrupts of CPU %d", tr.ID)
		default:
			th.name = fmt.Sprintf("CPU %d", tr.ID)
		}
		if th.hasPD = th.hasID && tr.Process >= 0; th.hasPD {
			th.process = label(mains[tr.Process], tr.Process)
		}
		p.tree.nodes[root].frame = p.tree.frame(frame{name: th.name})
		p.threads = append(p.threads, th)
	}
}

// label returns name-number.
func label(name string, id int32) string {
	if name == "" {
		return fmt.Sprint(id)
	}
	return fmt.Sprintf("%s-%d", name, id)
}
