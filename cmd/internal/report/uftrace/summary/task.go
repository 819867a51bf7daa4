package summary

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
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
	*threads
	opts *play.Options
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
	c := &taskCollector{threads: newThreads(rec), opts: &opts.Play}
	for i := range c.list {
		c.list[i].tally.out = c.list[i].task.Start
	}
	if err := eachRun(ctx, rec, c.threads, c); err != nil {
		return err
	}
	var shown []*thread
	for i := range c.list {
		t := &c.list[i]
		t.closeTally()
		if t.tally.calls > 0 {
			shown = append(shown, t)
		}
	}
	sortTasks(shown, order)
	return printTasks(shown, columns, w)
}

func (c *taskCollector) calls(t *thread, recs []record.Record, ents []uftrace.Entry) {
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
		case uftrace.Leave:
			t.user = max(t.user-1, 0)
			t.tally.end = r.Time
			if f := t.pop(r.Time); f != nil {
				t.tally.add(f.total, f.child)
			} else {
				t.tally.calls++
			}
		case uftrace.Lost:
			t.lost = true
		case uftrace.Event:
			c.event(t, r)
		}
	}
}

// event follows an event. With -F uftrace leaves all of them out.
func (c *taskCollector) event(t *thread, r *record.Record) {
	shown := t.showsEvent(c.opts, r.ID) && len(c.opts.Filters) == 0
	switch r.ID {
	case play.SchedOut, play.SchedOutPreempt:
		if f := t.push(uint64(r.ID), r.Time); f != nil {
			f.event, f.hidden = true, !shown
		}
		if shown && r.ID == play.SchedOut {
			t.tally.out = r.Time
		}
	case play.SchedIn:
		if n := len(t.frames); n > 0 && t.frames[n-1].event && t.over == 0 {
			f := t.pop(r.Time)
			if shown = !f.hidden; shown {
				t.tally.add(f.total, f.child)
			}
		}
		if shown && t.tally.out != 0 {
			t.tally.off += r.Time - t.tally.out
			t.tally.out = 0
		}
	}
	if shown {
		t.tally.end = r.Time
	}
}

// closeTally adds the calls that are still open. Those without an address do not count.
func (t *thread) closeTally() {
	last := t.tally.end
	t.over = 0
	for len(t.frames) > 0 {
		f := &t.frames[len(t.frames)-1]
		if f.start > last || f.addr == 0 {
			t.frames = t.frames[:len(t.frames)-1]
			continue
		}
		f.open = true
		if f = t.pop(last); !f.hidden {
			t.tally.add(f.total, f.child)
		}
	}
}

// taskColumn is one field of the table of threads.
type taskColumn struct {
	field, title string
	width        int
	text         func(dst []byte, t *thread) []byte
}

func taskColumns(opts *Options) ([]taskColumn, error) {
	tidWidth := 6
	if opts.Like19 {
		tidWidth = 7
	}
	all := []taskColumn{
		{"total", "Total time", units.Width, func(dst []byte, t *thread) []byte { return units.AppendDuration(dst, t.tally.total) }},
		{"self", "Self time", units.Width, func(dst []byte, t *thread) []byte { return units.AppendDuration(dst, t.tally.self()) }},
		{"tid", "TID", tidWidth, func(dst []byte, t *thread) []byte { return appendRight(dst, uint64(t.task.TID), tidWidth) }},
		{"func", "Num funcs", units.Width, func(dst []byte, t *thread) []byte { return appendRight(dst, t.tally.calls, units.Width) }},
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

var taskKeys = map[string]func(a, b *thread) int{
	"total": func(a, b *thread) int { return cmp.Compare(b.tally.total, a.tally.total) },
	"self":  func(a, b *thread) int { return cmp.Compare(b.tally.total-b.tally.off, a.tally.total-a.tally.off) },
	"func":  func(a, b *thread) int { return cmp.Compare(b.tally.calls, a.tally.calls) },
	"tid":   func(a, b *thread) int { return cmp.Compare(a.task.TID, b.task.TID) },
}

func taskOrder(list string) ([]func(a, b *thread) int, error) {
	if list == "" {
		list = "total"
	}
	var order []func(a, b *thread) int
	for _, key := range strings.Split(list, ",") {
		compare := taskKeys[key]
		if compare == nil {
			return nil, UsageError("invalid sort key: " + key)
		}
		order = append(order, compare)
	}
	return order, nil
}

func sortTasks(list []*thread, order []func(a, b *thread) int) {
	slices.SortStableFunc(list, func(a, b *thread) int {
		for _, compare := range order {
			if c := compare(a, b); c != 0 {
				return c
			}
		}
		return 0
	})
}

func printTasks(list []*thread, columns []taskColumn, w io.Writer) error {
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
	for _, t := range list {
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
