package replay

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// batch is what a callstack.Source returns.
type batch struct {
	recs []record.Record
	ents []uftrace.Entry
	err  error
}

// runs are the records that are left for the player where -D is given: those from the first slice on that needs more than workers know. After slices that fit they are only
// calls that are open at the end.
type runs struct {
	next func() (batch, bool)
	kept *batch
	end  func() error
}

// NextRun implements callstack.Source.
func (r *runs) NextRun() ([]record.Record, []uftrace.Entry, error) {
	if x := r.kept; x != nil {
		r.kept = nil
		return x.recs, x.ents, x.err
	}
	x, ok := r.next()
	if !ok {
		return nil, nil, io.EOF
	}
	return x.recs, x.ents, x.err
}

// depths joins pieces where -D is given. The player does not know the hidden calls that are open.
type depths struct {
	*printer
	hidden []hidden // by thread
	last   *kept    // the call at the end of the slices so far, which is not printed yet
	inTurn bool     // the player has the rest: it looks further ahead than to the end of a slice
	yield  func(batch) bool
}

// hidden is what -D hides of a thread.
type hidden struct {
	calls []call // outermost first
	open  int    // how many of these are open; the others are those that were open last at their depths
	away  bool   // the thread is off its processor, below them
}

// limited prints slices where -D is given, and has the player go on with the records that are left. The caller must call end when they are played, for the error of what read
// them.
func (p *printer) limited(ctx context.Context) *runs {
	var failed error
	next, stop := iter.Pull(func(yield func(batch) bool) {
		d := &depths{printer: p, hidden: make([]hidden, len(p.player.Tasks())), yield: yield}
		if failed = p.eachPiece(ctx, d.join); failed == nil && !d.inTurn {
			failed = d.before()
		}
		if errors.Is(failed, record.ErrStop) {
			failed = nil
		}
	})
	r := &runs{next: next, end: func() error { stop(); return failed }}
	if first, ok := next(); ok {
		r.kept = &first
	}
	p.player.Play(r)
	return r
}

// join prints a piece, or gives its records to the player.
func (d *depths) join(x *piece) error {
	if !d.inTurn && d.fits(x) {
		return d.follow(x)
	}
	if !d.inTurn {
		d.inTurn = true
		d.shared.hopeless.Store(true)
		if err := d.before(); err != nil {
			return err
		}
	}
	m := x.slice.MergeAgain()
	defer m.Close()
	for {
		recs, ents, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if !d.yield(batch{recs, ents, err}) {
			return record.ErrStop
		}
	}
}

// fits reports whether a piece is what follows.
func (d *depths) fits(x *piece) bool {
	if first := d.player.First(); x.halted || d.elapses() && (x.first == 0 || first != 0 && first != x.first) {
		return false
	}
	if d.named() && !d.player.Named(x.stretch) {
		return false
	}
	for i := range x.nests {
		n := &x.nests[i]
		open, away := d.now(n.task)
		if n.before != open || n.away != away && !(n.away && open == 0 && !d.opts.EventFull && len(d.player.Tasks()[n.task].Stack) == 0) {
			return false
		}
	}
	return true
}

// now returns how many calls of a thread are open, and whether it is off its processor.
func (d *depths) now(task int) (open int, away bool) {
	t, h := d.player.Tasks()[task], &d.hidden[task]
	open, away = len(t.Stack)+h.open, h.away
	if n := len(t.Stack); n > 0 && t.Stack[n-1].Event {
		open, away = open-1, true
	}
	if k := d.last; k != nil && k.recs[0].Task == t.TID {
		if k.ents[0].Kind == uftrace.Enter {
			open++
		} else {
			away = true
		}
	}
	return open, away
}

// follow prints a piece that fits.
func (d *depths) follow(x *piece) (err error) {
	if d.last, err = d.printer.join(x, d.last); err != nil {
		return err
	}
	for i := range x.nests {
		n := &x.nests[i]
		d.hidden[n.task].pass(n, d.opts.Depth)
	}
	return nil
}

// pass goes to the end of a slice, which has hidden calls from a depth on.
func (h *hidden) pass(n *nest, limit int) {
	if more := len(n.deep) - len(h.calls); more > 0 {
		h.calls = append(h.calls, make([]call, more)...)
	}
	for level, c := range n.deep {
		switch {
		case c.time != 0:
			h.calls[level] = c
		case c.out != 0:
			h.calls[level].out, h.calls[level].left = c.out, c.left
		}
	}
	h.open, h.away = max(n.open-limit, 0), n.on == offProcessor && n.open >= limit
}

// before has the player play what it does not know: the call that is not printed, and those that are hidden and open. Others may come up again.
func (d *depths) before() error {
	for i := range d.hidden {
		for level, c := range d.hidden[i].calls {
			if c.time != 0 {
				d.player.Past(i, d.opts.Depth+level, c.addr, c.sym)
			}
			if c.out != 0 {
				d.player.PastAway(i, d.opts.Depth+level, c.out)
			}
		}
	}
	if d.last != nil && !d.play(d.last) {
		return record.ErrStop
	}
	for i := range d.hidden {
		if !d.playHidden(i) {
			return record.ErrStop
		}
	}
	return nil
}

// playHidden has the player play the hidden calls of a thread that are open. It returns false where nobody wants more.
func (d *depths) playHidden(task int) bool {
	h, tid := &d.hidden[task], d.player.Tasks()[task].TID
	for level, c := range h.calls[:h.open] {
		k := kept{
			[1]record.Record{{Time: c.time, ID: c.id, Task: tid, Stream: int32(task)}},
			[1]uftrace.Entry{{Addr: c.addr, Sym: c.sym, Depth: uint16(d.opts.Depth + level), Kind: uftrace.Enter}},
		}
		if !d.play(&k) {
			return false
		}
	}
	if !h.away {
		return true
	}
	c := &h.calls[h.open]
	return d.play(&kept{
		[1]record.Record{{Time: c.left, ID: c.out, Task: tid}},
		[1]uftrace.Entry{{Addr: uint64(c.out), Kind: uftrace.Event, Source: uftrace.Perf}},
	})
}

// play has the player play a record. It returns false where nobody wants more.
func (d *depths) play(k *kept) bool { return d.yield(batch{k.recs[:], k.ents[:], nil}) }

// shallows returns options without -D.
func shallows(o callstack.Options) callstack.Options {
	o.Depth = 0
	return o
}
