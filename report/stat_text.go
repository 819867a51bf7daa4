package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/report/table"
)

// By are the keys of the tables of a Stat.
var By = []string{"event", "cpu", "thread", "process"}

// counts is one of the tables of a buffer.
type counts struct {
	key, head string
	rows      *[]StatRow
	meaning   style.Meaning
}

func (b *StatBuffer) tables() []counts {
	return []counts{
		{"event", "EVENT", &b.ByEvent, style.Event}, {"cpu", "CPU", &b.ByCPU, style.Faint},
		{"thread", "THREAD", &b.ByThread, style.Thread}, {"process", "PROCESS", &b.ByProcess, style.Thread},
	}
}

// wanted reports whether a table is printed. Without a key all tables are printed except processes,
// which add little to the table of threads.
func (t *counts) wanted(by string) bool {
	return by == t.key || by == "" && t.key != "process"
}

// StatText sets how a Stat is printed as text.
type StatText struct {
	By    string // one of By; if empty, several tables
	Rows  int64  // rows of each table; 0 prints all
	Tell  bool   // print how many more rows there are
	Width int    // width of lines; 0 means unlimited
	Style style.Style
}

// Append appends the counts as text.
func (o *StatText) Append(out []byte, s *Stat) []byte {
	for i := range s.Buffers {
		b := &s.Buffers[i]
		if i > 0 {
			out = append(out, '\n')
		}
		if b.Name != "" {
			out = fmt.Appendf(out, "buffer %s: ", b.Name)
		}
		out = o.appendBuffer(out, b)
	}
	return out
}

func (o *StatText) appendBuffer(out []byte, b *StatBuffer) []byte {
	noun := "events"
	if b.Count == 1 {
		noun = "event"
	}
	out = fmt.Appendf(out, "%d %s", b.Count, noun)
	if b.Count > 0 {
		out = fmt.Appendf(out, ", %s .. %s", b.first, b.last)
	}
	if b.Gaps > 0 || b.Lost > 0 {
		lost := facts.AppendLost(nil, b.Lost, b.LostUnknown, b.Gaps)
		out = append(append(out, ", "...), o.Style.Paint(style.Error, string(lost))...)
	}
	out = append(out, '\n')
	for _, t := range b.tables() {
		if t.wanted(o.By) && len(*t.rows) > 0 {
			out = o.appendTable(append(out, '\n'), &t, b.Count)
		}
	}
	return out
}

// appendTable appends a table. Shares are relative to all events.
func (o *StatText) appendTable(out []byte, t *counts, all int64) []byte {
	rows := *t.rows
	more := 0
	if o.Rows > 0 && int64(len(rows)) > o.Rows {
		rows, more = rows[:o.Rows], len(rows)-int(o.Rows)
	}
	lines := table.Table{Style: o.Style, Heading: style.Heading, Width: o.Width, Columns: []table.Column{
		{Head: "COUNT"}, {Head: "FIRST", Meaning: style.Faint}, {Head: "LAST", Meaning: style.Faint}, {Head: "%"},
		{Head: t.head, Left: true, Meaning: t.meaning},
	}}
	for i := range rows {
		r := &rows[i]
		share := 100 * float64(r.Count) / float64(max(all, 1))
		lines.Add(strconv.FormatInt(r.Count, 10), r.first, r.last, fmt.Sprintf("%5.1f", share), r.label())
	}
	out = lines.Append(out)
	if more > 0 && o.Tell {
		out = fmt.Appendf(out, "… %d more (-n 0)\n", more)
	}
	return out
}

// label returns the last column of a row.
func (r *StatRow) label() string {
	for _, n := range []*int64{r.CPU, r.TID, r.PID} {
		if n != nil {
			return strings.TrimSpace(fmt.Sprint(*n, " ", r.Comm))
		}
	}
	return r.text
}
