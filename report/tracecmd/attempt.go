package tracecmd

import (
	"maps"
	"slices"
	"sync/atomic"

	"github.com/tracec/tracec/internal/fold"
	"github.com/tracec/tracec/runtime/record"
)

// attempt holds a page that was printed without the state from earlier events, and the parts of the
// page that depend on that state.
type attempt struct {
	before *before // the state that was known when printing began
	inputs []inputAttempt
	damage []error
	count  int64 // number of events shown
}

// inputAttempt holds two kinds of state of one input: the earlier state that printing a page has
// used, and the state that the page's own events set.
type inputAttempt struct {
	before *inputState
	tasks  []int32 // threads without a known name
	last   bool    // whether the outcome of the previous event was used
	texts  []array // arrays that were printed as text

	names    map[int32]string
	bytes    []array   // arrays that were printed as bytes
	shown    [][]shown // by buffer
	stateful bool      // texts depend on all earlier events
}

// before is a lower bound of the state before a page. It does not change.
type before []inputState

// inputState is the state of one input.
type inputState struct {
	names map[int32]string
	bytes map[array]bool
}

// name returns the name of a thread from earlier events.
func (a *inputAttempt) name(pid int32) string {
	if a == nil {
		return unknownTask
	}
	if name, ok := a.before.names[pid]; ok {
		return name
	}
	a.tasks = append(a.tasks, pid) // few: the columns of tasks are cached
	return unknownTask
}

// depend notes that the page depends on whether the event before it was shown.
func (a *inputAttempt) depend() {
	if a != nil {
		a.last = true
	}
}

// newWorker returns a printer for another goroutine, with the same options and recordings.
func (p *printer) newWorker() *printer {
	q := &printer{settings: p.settings}
	q.columns.latency = p.columns.latency
	buffers := map[*buffer]*buffer{}
	for _, old := range p.inputs {
		in := newInput(old.opts, old.rec, p.opts.Latency, old.formats.compiled)
		for i, b := range in.buffers {
			b.prefix, b.time = old.buffers[i].prefix, old.buffers[i].time
			buffers[old.buffers[i]] = b
		}
		q.add(in)
	}
	for _, s := range p.sources {
		q.sources = append(q.sources, source{buffer: buffers[s.buffer]})
	}
	return q
}

// printAttempt prints a page without the state from earlier events.
func (p *printer) printAttempt(g *page, known *before) {
	m := &g.made
	*m = attempt{before: known, inputs: make([]inputAttempt, len(p.inputs))}
	for i, in := range p.inputs {
		in.begin(&m.inputs[i], &(*known)[i])
	}
	p.attempt, p.shown, p.buf, g.consumed = m, 0, g.Text[:0], false
	p.printRecords(g) // without an error, since nothing is written
	g.Text, m.count, g.printed = p.buf, p.shown, g.slice == nil || !g.slice.long
	for i, in := range p.inputs {
		in.end(&m.inputs[i])
	}
}

// begin resets the state of the previous page.
func (in *input) begin(a *inputAttempt, known *inputState) {
	a.before = known
	for _, pid := range in.names.local {
		in.names.columns.forget(pid)
	}
	in.attempt = a
	clear(in.names.learned)
	for _, b := range in.buffers {
		clear(b.shown)
	}
	for name, c := range in.arrays {
		*c = characters{bytes: known.bytes[name]}
	}
	if in.values.plugins != nil {
		in.values.plugins.Forget()
	}
}

// end notes the state that the page has set.
func (in *input) end(a *inputAttempt) {
	a.names = maps.Clone(in.names.learned)
	in.names.local = in.names.local[:0]
	for _, names := range []map[int32]string{a.names, a.before.names} {
		for pid := range names {
			in.names.local = append(in.names.local, pid)
		}
	}
	in.names.local = append(in.names.local, a.tasks...)
	for name, c := range in.arrays {
		if c.text {
			a.texts = append(a.texts, name)
		}
		if c.bytes && !a.before.bytes[name] {
			a.bytes = append(a.bytes, name)
		}
	}
	for _, b := range in.buffers {
		a.shown = append(a.shown, slices.Clone(b.shown))
	}
	a.stateful = in.values.plugins != nil && in.values.plugins.Stateful()
}

// A binder joins pages. It is the state of fold: its printer has the complete state, and prints
// pages again if they depend on unknown earlier state.
type binder struct {
	p        *printer
	workers  []*printer
	before   atomic.Pointer[before]
	pages    *fold.Fold[*page]
	reported map[string]bool
	printed  bool // the next record was printed with the last
	tail     kept // the last record of the slices, if its line depends on the next record
}

// newBinder returns a binder for the pages of that many printers. It first writes the pending text.
func (p *printer) newBinder(workers int) (*binder, error) {
	nothing := make(before, len(p.inputs))
	b := &binder{p: p, workers: make([]*printer, workers), reported: map[string]bool{}}
	b.pages = fold.New(b)
	for i := range b.workers {
		b.workers[i] = p.newWorker()
	}
	b.before.Store(&nothing)
	return b, p.flush()
}

// add passes on the text of the next page.
func (b *binder) add(g *page) (err error) {
	if g.slice != nil && g.N > 0 {
		b.printTail(&g.slice.head.Record)
	}
	err = b.pages.Add(g)
	if g.N > 0 {
		if g.slice != nil && !(b.printed && g.N == 1) {
			b.tail = g.slice.tail
		}
		b.printed = g.consumed
	}
	for _, e := range g.failed {
		b.p.damage(e)
	}
	b.teach()
	return err
}

// printTail prints the last record of the slices so far if it waits for the next one.
func (b *binder) printTail(next *record.Record) {
	if !b.tail.is {
		return
	}
	g := &page{slice: &slice{next: next}}
	b.p.page, b.p.reported = g, b.reported
	b.p.record(&b.tail.Record)
	b.p.reported, b.printed, b.tail.is = nil, g.consumed, false
}

// Again implements fold.State.
func (b *binder) Again(g *page) error {
	for i := range g.made.inputs {
		if g.printed && g.made.inputs[i].stateful {
			b.pages.GiveUp()
		}
	}
	g.consumed, b.p.reported = b.printed, b.reported
	defer func() { b.p.reported = nil }()
	return b.p.printRecords(g)
}

// Fits implements fold.State.
func (b *binder) Fits(g *page) bool {
	if !g.printed {
		return false
	}
	for i, in := range b.p.inputs {
		a := &g.made.inputs[i]
		// the bound of learned names must not be reached in another order
		if a.stateful || a.last || len(in.names.learned) > maxLearned/2 ||
			slices.ContainsFunc(a.tasks, func(pid int32) bool { return in.names.learned[pid] != "" }) ||
			slices.ContainsFunc(a.texts, func(x array) bool { return in.arrays[x] != nil && in.arrays[x].bytes }) {
			return false
		}
	}
	return true
}

// Take implements fold.State. It writes the text of a page, and takes over its state.
func (b *binder) Take(g *page) error {
	p, text := b.p, g.Text
	p.shown += g.made.count
	if b.printed && g.N > 0 {
		text = text[g.first.to:]
		p.shown -= g.first.shown
	}
	p.reported = b.reported
	for _, err := range g.made.damage {
		p.damage(err)
	}
	p.reported = nil
	for i, in := range p.inputs {
		in.take(&g.made.inputs[i])
	}
	if err := p.flush(); err != nil {
		return err
	}
	_, err := p.job.Out.Write(text)
	return err
}

// take takes over the state of a page.
func (in *input) take(a *inputAttempt) {
	for pid, name := range a.names {
		in.learn(pid, []byte(name))
	}
	for _, x := range a.bytes {
		in.characters(x).bytes = true
	}
	for i, list := range a.shown {
		to := &in.buffers[i].shown
		for len(*to) < len(list) {
			*to = append(*to, notKnown)
		}
		for cpu, v := range list {
			if v != notKnown {
				(*to)[cpu] = v
			}
		}
	}
}

// teach passes the current state to the other printers.
func (b *binder) teach() {
	old := *b.before.Load()
	changed := false
	known := make(before, len(b.p.inputs))
	for i, in := range b.p.inputs {
		known[i] = old[i]
		bytes := 0
		for _, c := range in.arrays {
			if c.bytes {
				bytes++
			}
		}
		if len(in.names.learned) > len(old[i].names) || bytes > len(old[i].bytes) {
			known[i], changed = in.state(), true
		}
	}
	if changed {
		b.before.Store(&known)
	}
}

// state returns the state from the events so far.
func (in *input) state() inputState {
	s := inputState{maps.Clone(in.names.learned), map[array]bool{}}
	for x, c := range in.arrays {
		if c.bytes {
			s.bytes[x] = true
		}
	}
	return s
}
