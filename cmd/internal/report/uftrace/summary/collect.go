package summary

import (
	"context"
	"errors"
	"io"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// collect reads a recording and accounts for every call.
func collect(ctx context.Context, rec *uftrace.Recording, opts *Options) (*book, error) {
	b := newBook(len(rec.Symbols()), opts.Name)
	if !plain(rec, &opts.Play) {
		return b, collectPlayed(ctx, rec, opts, b)
	}
	c := &collector{threads: newThreads(rec), book: b, opts: &opts.Play, specials: newSpecials(rec.Symbols())}
	if err := eachRun(ctx, rec, c.threads, c); err != nil {
		return nil, err
	}
	c.closeOpen()
	return b, nil
}

// plain says whether calls can be accounted for without the player: no filter asks for more than the stacks.
func plain(rec *uftrace.Recording, o *play.Options) bool {
	return len(o.Filters)+len(o.NoTrace)+len(o.Callers)+len(o.Hide)+len(o.Locs)+len(o.Triggers)+len(o.TIDs) == 0 &&
		o.Depth == 0 && o.Time == 0 && o.Size == 0 && o.Range == (play.Range{}) && !o.Disable && !o.NoLibcall &&
		!o.KernelOnly && !o.KernelFull && !o.KernelSkipOut && o.KernelDepth == 0 &&
		rec.Info().Features&(uftrace.FeatKernel|uftrace.FeatEstimateReturn) == 0
}

// collector accounts for calls while it walks over the merged records. It keeps nothing but the stacks, which makes it
// several times as fast as the player.
type collector struct {
	*threads
	book     *book
	opts     *play.Options
	specials []special
	jump     jumpSlot
}

// visitor gets the records of threads in time order.
type visitor interface {
	// calls gets a run of records of one thread's own file.
	calls(t *thread, recs []record.Record, ents []uftrace.Entry)
	// event gets an event of a perf file.
	event(t *thread, r *record.Record)
}

// eachRun reads a recording and hands it out a run of records at a time.
func eachRun(ctx context.Context, rec *uftrace.Recording, ts *threads, v visitor) error {
	merged := rec.Merge(uftrace.MergeOptions{NoExtern: true})
	for n := 0; ; n++ {
		if n&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		recs, ents, err := merged.NextRun()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil || len(recs) == 0 {
			continue // the recording lists it as damage
		}
		if ents[0].Source == uftrace.User && uint(recs[0].Stream) < uint(len(ts.list)) {
			t := &ts.list[recs[0].Stream]
			v.calls(t, recs, ents)
			t.read, t.perf = recs[len(recs)-1].Time, false
			continue
		}
		for i := range recs {
			if t := ts.byTID[recs[i].Task]; t != nil {
				ts.see(t, &recs[i], &ents[i])
				v.event(t, &recs[i])
			}
		}
	}
}

// calls follows a run of records of one thread.
func (c *collector) calls(t *thread, recs []record.Record, ents []uftrace.Entry) {
	ents = ents[:len(recs)]
	for i := range recs {
		r, e := &recs[i], &ents[i]
		if !t.begun || t.lost {
			t.settle(r, e)
		}
		switch e.Kind {
		case uftrace.Enter:
			if f := t.push(e.Addr, r.Time); f != nil {
				f.sym = e.Sym
			}
			t.user++
			if e.Sym != nil {
				if s := c.special(e.Sym); s != ordinary {
					c.enterSpecial(t, s)
				}
			}
		case uftrace.Leave:
			c.leave(t, r, e)
		case uftrace.Lost:
			t.lost = true
		case uftrace.Event:
			c.event(t, r)
		}
	}
}

// settle finds the place in the calls for the first record of a thread, and for the first one behind a loss.
func (t *thread) settle(r *record.Record, e *uftrace.Entry) {
	switch {
	case e.Kind > uftrace.Leave:
	case t.lost:
		t.regain(r.Time, e)
	default:
		t.begin(r.Time, e)
	}
}

func (c *collector) leave(t *thread, r *record.Record, e *uftrace.Entry) {
	f := t.pop(r.Time)
	if t.user > 0 {
		t.user--
	}
	row := c.book.find(e.Sym, e.Addr)
	if f == nil {
		row.add(0, 0, r.Time, false)
		return
	}
	if e.Sym != nil {
		row.size, t.size = e.Sym.Size, e.Sym.Size
	}
	row.add(f.total, f.child, f.start, t.recursive(f))
	if e.Sym != nil && c.special(e.Sym) == setsJump {
		c.jump = jumpSlot{frames: len(t.frames) + 1, user: t.user + 1}
	}
}

// event follows an event: those of the scheduler count as calls.
func (c *collector) event(t *thread, r *record.Record) {
	switch r.ID {
	case play.SchedOut, play.SchedOutPreempt:
		if f := t.push(uint64(r.ID), r.Time); f != nil {
			f.event, f.hidden = true, !t.showsEvent(c.opts, r.ID)
		}
	case play.SchedIn:
		n := len(t.frames)
		if n == 0 || !t.frames[n-1].event || t.over > 0 {
			return
		}
		if f := t.pop(r.Time); !f.hidden {
			row := c.book.findEvent(f.addr, scheduleName(f.addr))
			row.size = t.size // uftrace leaves that of the function before
			row.add(f.total, f.child, f.start, false)
		}
	}
}

// showsEvent says whether an event counts: only within functions, unless --event-full.
func (t *thread) showsEvent(o *play.Options, id uint32) bool {
	if o.NoEvent || t.user == 0 && !o.EventFull {
		return false
	}
	switch id {
	case play.SchedIn, play.SchedOut:
		return !o.NoSched
	case play.SchedOutPreempt:
		return !o.NoSched && !o.NoSchedPreempt
	}
	return true
}

// closeOpen accounts for the calls that are still open.
func (c *collector) closeOpen() {
	for i := range c.list {
		t := &c.list[i]
		last := c.last(t)
		t.over = 0
		for len(t.frames) > 0 {
			f := &t.frames[len(t.frames)-1]
			if f.start > last {
				t.frames = t.frames[:len(t.frames)-1]
				continue
			}
			f.open = true
			f = t.pop(last)
			row := (*row)(nil)
			if f.event { // also one that was hidden
				row = c.book.findEvent(f.addr, scheduleName(f.addr))
				row.size = 1 // so uftrace says
			} else {
				row = c.book.find(f.sym, f.addr)
				if f.sym != nil {
					row.size = f.sym.Size
				}
			}
			row.add(f.total, f.child, f.start, t.recursive(f))
		}
	}
}
