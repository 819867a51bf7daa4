package replay

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// hole is where the columns of the end of a call belong that began before a piece. Blanks are in
// their place, as wide as they are but for colours.
type hole struct {
	at, size int
	first    uint64 // what elapsed times count from
	before   uint64 // Task.Before; 0 when that is the time of a record before the piece
	name     string // Task.Comm
	wide     []byte // the columns, where they are wider
}

// gap is where the first difference of times of a thread belongs, blanks that are as wide.
type gap struct {
	at, task int
	time     uint64
}

// differs notes that the line of a step has the first difference of its thread.
func (w *worker) differs(x *piece, step *callstack.Step) {
	x.gaps = append(x.gaps, gap{w.deltaAt, step.Task.Index, step.Task.Last})
	w.deltaAt = -1
}

// ended prints the end of a call that began before the piece.
func (w *worker) ended(x *piece, step *callstack.Step) error {
	step.Total = 0
	brief := w.brief
	w.brief = false // begin says where the columns are
	err := w.step(step)
	w.brief = brief
	h, n := hole{at: w.lineAt, first: min(w.first, w.since), before: step.Task.Before, name: step.Task.Comm}, len(w.buf)
	w.begin(step, 0)
	h.size = len(w.buf) - n
	w.buf, w.deltaAt = w.buf[:n], -1
	x.holes = append(x.holes, h)
	return err
}

// unseen is what columns of the end of a call are printed from whose record only a worker has seen.
type unseen struct {
	task callstack.Task
	rec  record.Record
	step callstack.Step
}

// fill ends the calls that end in a piece and began before, and prints the columns of their lines
// and the first differences of threads.
func (p *printer) fill(x *piece) {
	text, u, done := *x.text, new(unseen), len(p.buf)
	for _, g := range x.gaps {
		if before := p.player.Tasks()[g.task].Last; before != 0 {
			putDuration((*[10]byte)(text[g.at:]), g.time-before)
		}
	}
	next := 0 // of the holes
	for i := range x.stretch.Ended {
		e := &x.stretch.Ended[i]
		f := p.player.EndCall(e)
		if e.Hidden {
			continue
		}
		h := &x.holes[next]
		next++
		u.task = *p.player.Tasks()[e.Task]
		u.task.Before, u.task.Last, u.task.Comm = cmp.Or(h.before, u.task.Last), e.Time, h.name
		u.rec.Time = e.Time
		u.step = callstack.Step{Record: &u.rec, Task: &u.task, Frame: f}
		p.first = h.first
		p.begin(&u.step, f.Total)
		if columns := p.buf[done:]; len(columns) == h.size {
			copy(text[h.at:], columns)
		} else {
			h.wide = slices.Clone(columns)
		}
		p.buf = p.buf[:done]
	}
}

// writePiece writes the text of a piece that is filled in.
func (p *printer) writePiece(x *piece) error {
	text, from := *x.text, 0
	for i := range x.holes {
		if h := &x.holes[i]; h.wide != nil {
			if err := p.put(text[from:h.at]); err != nil {
				return err
			}
			p.buf = append(p.buf, h.wide...)
			from = h.at + h.size
		}
	}
	return p.put(text[from:])
}

// put writes a text, a short one later.
func (o *output) put(text []byte) error {
	if len(o.buf)+len(text) < flushAt {
		o.buf = append(o.buf, text...)
		return nil
	}
	if err := o.flush(); err != nil {
		return err
	}
	_, err := o.w.Write(text)
	return err
}

// elapses reports whether there is a column of elapsed times.
func (f *format) elapses() bool { return slices.Contains(f.fields, elapsed) }

// firstTime is the time of the first record that elapsed times count from, 0 when that is not
// known.
func (p *printer) firstTime() uint64 {
	if !p.elapses() {
		return 0
	}
	m := p.slices[0].MergeAgain()
	defer m.Close()
	away := map[int32]bool{} // threads that have left their processors before their first call
	for {
		recs, ents, err := m.NextRun()
		if err != nil || len(recs) == 0 {
			return 0
		}
		for i := range recs {
			r := &recs[i]
			if ents[i].Source == uftrace.User || p.opts.Play.Events.Full || away[r.Task] {
				return r.Time
			}
			away[r.Task] = r.ID == callstack.SchedOut || r.ID == callstack.SchedOutPreempt
		}
	}
}

// countFrom says what elapsed times of a piece count from, as far as that is before it.
func (w *worker) countFrom(first uint64) {
	if w.since = first; first == 0 {
		w.since = math.MaxUint64
	}
}

// counted reports whether the elapsed times of a piece count from where they should.
func (p *printer) counted(x *piece) bool {
	first := p.player.First()
	return !p.elapses() || x.first == first || first == 0 && x.first == x.edges.time
}
