package summary

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/stacks"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/units"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// tally is what --task shows of a thread: the sum of the self times of its calls.
type tally struct {
	total uint64
	off   uint64 // of total, off the processor
	calls uint64
	end   uint64 // time of the last record that counts and is no entry
	// out is when the thread left its processor. It is the start of the thread at first, 0 when it is known to be on
	// it, and a pre-emption does not set it, so that the first pre-emption counts from the start: a bug of uftrace.
	out uint64
}

// self is what is left without the time off the processor. uftrace shows the amount of a negative one.
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

// taskCollector adds up the calls of threads. Unlike collector it knows no special functions and no filters: so does
// uftrace report --task.
type taskCollector struct {
	opts    *play.Options
	tallies []tally // by thread
}

func runTasks(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	columns, err := taskColumns(opts)
	if err != nil {
		return err
	}
	order, err := taskOrder(opts.Sort)
	if err != nil {
		return err
	}
	ts := stacks.New(rec)
	c := &taskCollector{opts: &opts.Play, tallies: make([]tally, len(ts.List))}
	for i := range ts.List {
		c.tallies[i].out = ts.List[i].Task.Start
	}
	if err := ts.Each(ctx, rec, c); err != nil {
		return err
	}
	var rows []taskRow
	for i := range ts.List {
		t, y := &ts.List[i], &c.tallies[i]
		c.closeOpen(t, y)
		if y.calls > 0 {
			rows = append(rows, taskRow{*y, t.Task.TID, t.Comm})
		}
	}
	sortTasks(rows, order)
	return printTasks(rows, columns, w)
}

// Calls implements stacks.Visitor.
func (c *taskCollector) Calls(t *stacks.Thread, recs []record.Record, ents []uftrace.Entry) {
	y := &c.tallies[t.Index]
	for i := range recs {
		r, e := &recs[i], &ents[i]
		if t.Unsettled {
			t.Settle(r, e)
		}
		switch e.Kind {
		case uftrace.Enter:
			t.Push(e.Addr, r.Time, e.Sym)
		case uftrace.Leave:
			f := t.Pop(r.Time)
			y.add(f.Total, f.Child)
			y.end = r.Time
		case uftrace.Lost:
			t.Lose()
		case uftrace.Event:
			c.Event(t, r)
		}
	}
}

// Event implements stacks.Visitor. With -F uftrace leaves all events out.
func (c *taskCollector) Event(t *stacks.Thread, r *record.Record) {
	y := &c.tallies[t.Index]
	shown := t.ShowsEvent(c.opts, r.ID) && len(c.opts.Filters) == 0
	switch r.ID {
	case play.SchedOut, play.SchedOutPreempt:
		t.Off(r, shown)
		if shown && r.ID == play.SchedOut {
			y.out = r.Time
		}
	case play.SchedIn:
		if f := t.On(r); f != nil {
			if shown = !f.Hidden; shown {
				y.add(f.Total, f.Child)
			}
		}
		if shown && y.out != 0 {
			y.off += r.Time - y.out
			y.out = 0
		}
	}
	if shown {
		y.end = r.Time
	}
}

// closeOpen adds the calls that are still open. Those without an address do not count.
func (c *taskCollector) closeOpen(t *stacks.Thread, y *tally) {
	for n := len(t.Frames); n > 0; n-- {
		if t.Frames[n-1].Addr == 0 {
			t.Drop()
		} else if f := t.Close(y.end); f != nil && !f.Hidden {
			y.add(f.Total, f.Child)
		}
	}
}

// taskRow is a line of the table of threads.
type taskRow struct {
	tally
	tid  int32
	comm string
}

// taskColumn is one field of the table of threads.
type taskColumn struct {
	field, title string
	width        int
	text         func(dst []byte, t *taskRow) []byte
}

func taskColumns(opts *Options) ([]taskColumn, error) {
	tidWidth := 6
	if opts.Like19 {
		tidWidth = 7
	}
	all := []taskColumn{
		{"total", "Total time", units.Width, func(dst []byte, t *taskRow) []byte { return units.AppendDuration(dst, t.total) }},
		{"self", "Self time", units.Width, func(dst []byte, t *taskRow) []byte { return units.AppendDuration(dst, t.self()) }},
		{"tid", "TID", tidWidth, func(dst []byte, t *taskRow) []byte { return appendRight(dst, uint64(t.tid), tidWidth) }},
		{"func", "Num funcs", units.Width, func(dst []byte, t *taskRow) []byte { return appendRight(dst, t.calls, units.Width) }},
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].field
	}
	wanted, err := chooseFields(names, opts.Fields, "total,self,tid,func")
	var chosen []taskColumn
	for i := range all {
		if err == nil && wanted[i] {
			chosen = append(chosen, all[i])
		}
	}
	return chosen, err
}

var taskKeys = map[string]func(a, b *taskRow) int{
	"total": func(a, b *taskRow) int { return cmp.Compare(b.total, a.total) },
	"self":  func(a, b *taskRow) int { return cmp.Compare(b.total-b.off, a.total-a.off) },
	"func":  func(a, b *taskRow) int { return cmp.Compare(b.calls, a.calls) },
	"tid":   func(a, b *taskRow) int { return cmp.Compare(a.tid, b.tid) },
}

func taskOrder(list string) ([]func(a, b *taskRow) int, error) {
	if list == "" {
		list = "total"
	}
	var order []func(a, b *taskRow) int
	for _, key := range strings.Split(list, ",") {
		compare := taskKeys[key]
		if compare == nil {
			return nil, UsageError("invalid sort key: " + key)
		}
		order = append(order, compare)
	}
	return order, nil
}

func sortTasks(list []taskRow, order []func(a, b *taskRow) int) {
	slices.SortStableFunc(list, func(a, b taskRow) int {
		for _, compare := range order {
			if c := compare(&a, &b); c != 0 {
				return c
			}
		}
		return 0
	})
}

func printTasks(list []taskRow, columns []taskColumn, w io.Writer) error {
	var out []byte
	for pass := range 2 {
		for _, c := range columns {
			out = append(out, "  "...)
			if pass == 0 {
				out = alignRight(append(out, c.title...), len(out), c.width)
			} else {
				out = append(out, rule[:c.width]...)
			}
		}
		switch {
		case len(columns) == 0:
		case pass == 0:
			out = append(out, "  Task name\n"...)
		default:
			out = append(out, "  "+rule+"\n"...)
		}
	}
	for i := range list {
		t := &list[i]
		for _, c := range columns {
			out = append(out, "  "...)
			out = c.text(out, t)
		}
		out = append(append(out, "  "...), t.comm...)
		for n := len(t.comm); n < 16; n++ {
			out = append(out, ' ')
		}
		out = append(out, '\n')
	}
	_, err := w.Write(out)
	return err
}
