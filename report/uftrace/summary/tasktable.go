package summary

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/uftrace/internal/line"
)

// taskColumn is one field of the table of threads.
type taskColumn struct {
	field, title string
	width        int
	text         func(dst []byte, t *taskRow) []byte
	value        func(*taskRow) uint64 // value for CSV; nil for a text
}

func taskColumns(opts *Options) ([]taskColumn, error) {
	tidWidth := 6
	if opts.Table.Like19 && !opts.Table.NarrowTID {
		tidWidth = 7
	}
	all := []taskColumn{
		{"total", "Total time", line.Width, func(dst []byte,
			t *taskRow) []byte {
			return opts.Table.Color.AppendDuration(dst, t.total)
		},
			func(t *taskRow) uint64 { return t.total }},
		{"self", "Self time", line.Width, func(dst []byte,
			t *taskRow) []byte {
			return opts.Table.Color.AppendDuration(dst, t.self())
		},
			func(t *taskRow) uint64 { return t.self() }},
		{"tid", "TID", tidWidth, func(dst []byte, t *taskRow) []byte {
			return appendRight(dst, uint64(t.tid),
				tidWidth)
		}, nil},
		{"func", "Num funcs", line.Width, func(dst []byte,
			t *taskRow) []byte {
			return appendRight(dst, t.calls, line.Width)
		},
			func(t *taskRow) uint64 { return t.calls }},
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].field
	}
	wanted, err := chooseFields(names, opts.Table.Fields, "total,self,tid,func")
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
	"name":  func(a, b *taskRow) int { return strings.Compare(a.comm, b.comm) },
}

func taskOrder(list string) ([]func(a, b *taskRow) int, error) {
	if list == "" {
		list = "total"
	}
	var order []func(a, b *taskRow) int
	for _, key := range strings.Split(list, ",") {
		compare := taskKeys[key]
		if compare == nil {
			return nil, report.Usagef("invalid sort key: %s", list)
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

func printTasks(list []taskRow, columns []taskColumn, opts *Options, w io.Writer) error {
	if opts.Table.CSV {
		return printTasksCSV(list, columns, w)
	}
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

// printTasksCSV prints the rows as comma-separated values, as printCSV does.
func printTasksCSV(list []taskRow, columns []taskColumn, w io.Writer) error {
	out := []byte{'#'}
	for _, c := range columns {
		out = append(append(out, c.title...), ',')
	}
	out = append(out, "Task name\n"...)
	for i := range list {
		for _, c := range columns {
			if c.value != nil {
				out = strconv.AppendUint(out, c.value(&list[i]), 10)
			} else {
				out = c.text(out, &list[i])
			}
			out = append(out, ',')
		}
		out = append(appendQuoted(out, list[i].comm), '\n')
	}
	_, err := w.Write(out)
	return err
}
