package summary

import (
	"context"
	"io"
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// tally holds the sums of a thread for --task.
type tally struct {
	total uint64
	off   uint64 // part of total that was off the processor
	calls uint64
	end   uint64 // time of the last counted record other than an entry
	// out is the time when the thread left its processor, or 0 while it is known to be on it. Its
	// initial value is the start of the thread. A preemption does not set it. So the first
	// preemption counts from the start of the thread, which is a bug of uftrace.
	out uint64
}

// self returns the sum of self times without the time off the processor. Like uftrace, it returns
// the amount of a negative time.
func (y *tally) self() uint64 {
	if d := int64(y.total - y.off); d < 0 {
		return uint64(-d)
	}
	return y.total - y.off
}

func (y *tally) add(total, child uint64) {
	y.calls++
	if total > child {
		y.total += total - child
	}
}

// taskCollector sums up the calls of threads. Unlike collector, and like uftrace report --task, it
// has no special functions and no filters. With --disable, only functions count that are open after
// the last event.
type taskCollector struct {
	walker   *callstack.Walker
	rows     []taskRow // by thread
	disabled bool
}

func runTasks(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	columns, err := taskColumns(opts)
	if err != nil {
		return err
	}
	order, err := taskOrder(opts.Table.Sort)
	if err != nil {
		return err
	}
	rows := make([]taskRow, len(rec.Tasks()))
	for i, t := range rec.Tasks() {
		rows[i] = taskRow{tally{out: t.Start}, t.TID, t.Comm}
	}
	if opts.looksAhead() {
		err = tallyPlayed(ctx, rec, &opts.Play, rows)
	} else {
		err = tallyAll(ctx, rec, &opts.Play, rows)
	}
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r taskRow) bool { return r.calls == 0 })
	sortTasks(rows, order)
	return printTasks(rows, columns, opts, w)
}

// tallyAll sums up all records.
func tallyAll(ctx context.Context, rec *uftrace.Recording, opts *callstack.Options, rows []taskRow) error {
	raw := rawOptions(rec, opts)
	c := &taskCollector{callstack.NewWalker(rec, &raw), rows, opts.Functions.Disable}
	if err := c.walker.Each(ctx, c); err != nil {
		return err
	}
	for i, t := range c.walker.Tasks() {
		rows[i].close(t)
	}
	return nil
}

// rawOptions returns the options that apply to --task. With a filter that selects functions,
// uftrace skips all events, unless it matches nothing.
func rawOptions(rec *uftrace.Recording, opts *callstack.Options) callstack.Options {
	raw := *opts
	raw.Raw, raw.Functions.NoLibcall = true, false
	raw.Events.None = raw.Events.None || opts.Functions.Selects(rec)
	return raw
}

// Calls implements callstack.Visitor.
func (c *taskCollector) Calls(t *callstack.Task, recs []record.Record, ents []uftrace.Entry) error {
	y := &c.rows[t.Index].tally
	for i := range recs {
		r, e := &recs[i], &ents[i]
		switch e.Kind {
		case uftrace.Enter:
			c.walker.Enter(t, r, e)
		case uftrace.Leave:
			f := c.walker.Leave(t, r, e)
			if !c.disabled {
				y.add(f.Total, f.Child)
				y.end = r.Time
			}
		case uftrace.Lost:
			c.walker.Lose(t)
		case uftrace.Event:
			c.Event(t, r)
		}
	}
	return nil
}

// Event implements callstack.Visitor.
func (c *taskCollector) Event(t *callstack.Task, r *record.Record) error {
	if f, shown := c.walker.Event(t, r); shown {
		c.rows[t.Index].event(r, f)
	}
	return nil
}

// event adds a selected event.
func (y *tally) event(r *record.Record, f *callstack.Frame) {
	switch r.ID {
	case callstack.SchedOut:
		y.out = r.Time
	case callstack.SchedIn:
		if f != nil {
			y.add(f.Total, f.Child)
		} else { // with --event-full, before the first call: uftrace counts it
			y.calls++
		}
		if y.out != 0 {
			y.off += r.Time - y.out
			y.out = 0
		}
	}
	y.end = r.Time
}

// close adds the calls that are still open. Calls without an address do not count.
func (row *taskRow) close(t *callstack.Task) {
	row.comm = t.Comm
	for n := len(t.Stack); n > 0; n-- {
		if t.Stack[n-1].Addr == 0 {
			t.Drop()
		} else if f := t.Close(row.end); f != nil {
			row.add(f.Total, f.Child)
		}
	}
}

// taskRow is a line of the table of threads.
type taskRow struct {
	tally
	tid  int32
	comm string
}
