package replay

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// hole is the place for the columns of the end of a call that began before the piece. The text has
// blanks there, as wide as the columns without colours.
type hole struct {
	at, size int
	first    uint64 // start of elapsed times
	before   uint64 // Task.Before; 0 if it is the time of a record before the piece
	name     string // Task.Comm
	wide     []byte // the columns, if they are wider than the hole
}

// gap is the place for a thread's first difference of times. The text has as many blanks there.
type gap struct {
	at, task int
	time     uint64
}

// differs adds a gap for the line of a step.
func (w *worker) differs(x *piece, step *callstack.Step) {
	x.gaps = append(x.gaps, gap{w.deltaAt, step.Task.Index, step.Task.Last})
	w.deltaAt = -1
}

// ended prints the end of a call that began before the piece.
func (w *worker) ended(x *piece, step *callstack.Step) error {
	step.Total = 0
	brief := w.brief
	w.brief = false // begin then sets lineAt
	err := w.step(step)
	w.brief = brief
	h, n := hole{at: w.lineAt, first: min(w.first, w.since), before: step.Task.Before, name: step.Task.Comm}, len(w.buf)
	w.begin(step, 0)
	h.size = len(w.buf) - n
	w.buf, w.deltaAt = w.buf[:n], -1
	x.holes = append(x.holes, h)
	return err
}

// unseen holds the data for the columns of a call's end. Only a worker has read its record.
type unseen struct {
	task callstack.Task
	rec  record.Record
	step callstack.Step
}

// fill ends the calls that began before the piece and end in it. It writes the columns of their
// lines and the first differences of threads.
func (p *printer) fill(x *piece) {
	text, u, done := *x.text, new(unseen), len(p.buf)
	for _, g := range x.gaps {
		if before := p.player.Tasks()[g.task].Last; before != 0 {
			putDuration((*[10]byte)(text[g.at:]), g.time-before)
		}
	}
	next := 0 // index in holes
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

// writePiece writes the text of a filled piece.
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

// put writes a text. It buffers a short one.
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

// firstTime returns the start of elapsed times: the time of the first record that counts. It
// returns 0 if that is unknown.
func (p *printer) firstTime() uint64 {
	if !p.elapses() {
		return 0
	}
	m := p.slices[0].MergeAgain()
	defer m.Close()
	away := map[int32]bool{} // threads that left their processors before their first call
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

// countFrom sets the start of elapsed times for a piece. first is 0 if it is unknown.
func (w *worker) countFrom(first uint64) {
	if w.since = first; first == 0 {
		w.since = math.MaxUint64
	}
}

// counted reports whether the elapsed times of a piece have the right start.
func (p *printer) counted(x *piece) bool {
	first := p.player.First()
	return !p.elapses() || x.first == first || first == 0 && x.first == x.edges.time
}
