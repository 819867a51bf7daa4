package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Stat is what tracec stat prints of a recording. It is also the form of its JSON; help of stat documents it.
type Stat struct {
	File    string       `json:"file"`
	System  string       `json:"system"`
	Damage  int64        `json:"damage"` // places that could not be read
	Skipped int64        `json:"skipped"`
	Buffers []StatBuffer `json:"buffers"`
}

// StatBuffer is one buffer of a recording; only ftrace has several, each with a clock of its own.
type StatBuffer struct {
	Name        string    `json:"name"` // empty for the only or the top one
	Count       int64     `json:"count"`
	First       string    `json:"first,omitempty"`
	Last        string    `json:"last,omitempty"`
	Lost        int64     `json:"lost"`
	Gaps        int64     `json:"gaps"`
	LostUnknown bool      `json:"lost_unknown"` // some gaps have no number of events
	Events      []StatRow `json:"events"`
	CPUs        []StatRow `json:"cpus"`
	Tasks       []StatRow `json:"tasks"`
}

// StatRow is a count. Times are as report prints them.
type StatRow struct {
	ID    int64  `json:"id"`             // of the event, processor or thread
	Label string `json:"name,omitempty"` // of the event or thread
	Count int64  `json:"count"`
	First string `json:"first,omitempty"`
	Last  string `json:"last,omitempty"`
}

// Names are what a tally is printed with.
type Names struct {
	Event func(n uint32) (id int64, name string)
	Task  func(id int64) string
	Time  func(ns uint64) string
}

// Buffer makes the rows of a tally: those with a count, the greatest first.
func (t *Tally) Buffer(name string, n Names) StatBuffer {
	all := n.row(0, "", t.All())
	b := StatBuffer{
		Name: name, Count: all.Count, First: all.First, Last: all.Last, Lost: t.Lost, Gaps: t.Gaps, LostUnknown: t.LostUnknown,
		Events: []StatRow{}, CPUs: []StatRow{}, Tasks: []StatRow{},
	}
	for i, c := range t.Events {
		if c.N > 0 {
			id, label := n.Event(uint32(i))
			b.Events = append(b.Events, n.row(id, label, c))
		}
	}
	for cpu, c := range t.CPUs {
		if c.N > 0 {
			b.CPUs = append(b.CPUs, n.row(int64(cpu), "", c))
		}
	}
	for _, s := range t.tasks.slots {
		if s.N > 0 {
			b.Tasks = append(b.Tasks, n.row(s.id, n.Task(s.id), s.Count))
		}
	}
	for _, rows := range [][]StatRow{b.Events, b.CPUs, b.Tasks} {
		slices.SortFunc(rows, func(x, y StatRow) int {
			return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.ID, y.ID), cmp.Compare(x.Label, y.Label))
		})
	}
	if t.tasks.others.N > 0 {
		b.Tasks = append(b.Tasks, n.row(-1, "(other threads)", t.tasks.others))
	}
	return b
}

func (n *Names) row(id int64, label string, c Count) StatRow {
	r := StatRow{ID: id, Label: label, Count: c.N}
	if c.N > 0 {
		r.First, r.Last = strings.TrimSpace(n.Time(c.First)), strings.TrimSpace(n.Time(c.Last))
	}
	return r
}

// Total returns the number of events that were counted.
func (s *Stat) Total() (n int64) {
	for _, b := range s.Buffers {
		n += b.Count
	}
	return n
}

// Write prints the counts as text, or as one JSON object.
func (s *Stat) Write(w io.Writer, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(s)
	}
	var out []byte
	for i, b := range s.Buffers {
		if i > 0 {
			out = append(out, '\n')
		}
		if b.Name != "" {
			out = fmt.Appendf(out, "buffer %s: ", b.Name)
		}
		out = b.appendTo(out)
	}
	_, err := w.Write(out)
	return err
}

func (b *StatBuffer) appendTo(out []byte) []byte {
	out = fmt.Appendf(out, "%d events", b.Count)
	if b.Count > 0 {
		out = fmt.Appendf(out, ", %s .. %s", b.First, b.Last)
	}
	if b.Gaps > 0 || b.Lost > 0 {
		plus := ""
		if b.LostUnknown {
			plus = "+"
		}
		out = fmt.Appendf(out, ", lost %d%s in %d gaps", b.Lost, plus, b.Gaps)
	}
	out = append(out, '\n')
	for _, t := range []struct {
		head string
		rows []StatRow
	}{{"EVENT", b.Events}, {"CPU", b.CPUs}, {"TASK", b.Tasks}} {
		if len(t.rows) > 0 {
			out = appendRows(append(out, '\n'), t.head, t.rows)
		}
	}
	return out
}

// appendRows appends a table.
func appendRows(out []byte, head string, rows []StatRow) []byte {
	count, first, last := len("COUNT"), len("FIRST"), len("LAST")
	for _, r := range rows {
		count, first, last = max(count, len(fmt.Sprint(r.Count))), max(first, len(r.First)), max(last, len(r.Last))
	}
	out = fmt.Appendf(out, "%*s  %*s  %*s  %s\n", count, "COUNT", first, "FIRST", last, "LAST", head)
	for _, r := range rows {
		what := r.Label
		switch {
		case head == "EVENT":
		case what == "" || r.ID < 0:
			what = strings.TrimSpace(fmt.Sprint(r.ID, " ", what))
		default:
			what = fmt.Sprintf("%d %s", r.ID, what)
		}
		out = fmt.Appendf(out, "%*d  %*s  %*s  %s\n", count, r.Count, first, r.First, last, r.Last, what)
	}
	return out
}
