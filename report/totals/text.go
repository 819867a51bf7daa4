// Package totals prints sums of derived tables as text, JSON and CSV, and compares recordings.
package totals

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/tables/sums"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/report/table"
)

// Text sets how sums are printed as text.
type Text struct {
	Style style.Style
	Rows  int                 // number of groups; 0 prints all
	Hist  bool                // print a histogram instead of groups
	Time  func(uint64) string // formats a time as reports do

	ticks bool // durations are in ticks of a clock
}

// Append appends sums as text.
func (o *Text) Append(out []byte, t *sums.Totals) []byte {
	o.ticks = t.Ticks
	switch {
	case len(t.Worst) > 0:
		out = o.appendWorst(out, t)
	case o.Hist:
		out = o.appendHist(out, &t.All.Times)
	case len(t.Groups) > 0:
		out = o.appendGroups(out, t)
	}
	if t.Extent.Events > 0 {
		out = append(out, '\n')
	}
	return o.appendSource(out, t)
}

// dur returns a duration for people.
func (o *Text) dur(v uint64) string {
	if o.ticks {
		return strconv.FormatUint(v, 10)
	}
	switch {
	case v < 1000:
		return strconv.FormatUint(v, 10) + " ns"
	case v < 1_000_000:
		return decimal(v, 1000) + " us"
	case v < 1_000_000_000:
		return decimal(v, 1_000_000) + " ms"
	}
	return decimal(v, 1_000_000_000) + "  s"
}

// decimal returns a multiple of a unit with three decimals, truncated.
func decimal(v, unit uint64) string { return fmt.Sprintf("%d.%03d", v/unit, v%unit/(unit/1000)) }

// newTable returns a table with heads. Columns from left on are aligned left.
func (o *Text) newTable(left int, heads []string) *table.Table {
	t := &table.Table{Style: o.Style, Heading: style.Heading}
	for i, head := range heads {
		t.Columns = append(t.Columns, table.Column{Head: head, Left: i >= left})
	}
	return t
}

// appendGroups appends a line for each group.
func (o *Text) appendGroups(out []byte, t *sums.Totals) []byte {
	heads := []string{"COUNT", "TOTAL", "MEAN", "P50", "P95", "P99", "MAX", "AT"}
	if t.Selves {
		heads = append(heads, "SELF")
	}
	if t.All.Errors > 0 {
		heads = append(heads, "ERRORS")
	}
	if t.All.Open > 0 {
		heads = append(heads, "OPEN")
	}
	left := len(heads)
	for _, name := range t.By {
		heads = append(heads, strings.ToUpper(name))
	}
	lines, shown := o.newTable(left, heads), t.Groups[:o.limit(len(t.Groups))]
	for _, g := range shown {
		lines.Add(o.group(t, g, g.Key)...)
	}
	return appendOf(out, lines, len(t.Groups)-len(shown))
}

// limit returns the number of lines printed of n.
func (o *Text) limit(n int) int {
	if o.Rows > 0 {
		return min(n, o.Rows)
	}
	return n
}

// appendOf appends a table and the number of omitted lines.
func appendOf(out []byte, lines *table.Table, more int) []byte {
	out = lines.Append(out)
	if more > 0 {
		out = fmt.Appendf(out, "… %d more (-n 0)\n", more)
	}
	return out
}

// group returns the cells of a group.
func (o *Text) group(t *sums.Totals, g *sums.Group, key []string) []string {
	d := &g.Times
	line := []string{strconv.FormatUint(d.Count, 10), "", "", "", "", "", "", ""}
	if d.Count > 0 {
		line = []string{
			line[0], o.dur(g.Total), o.dur(d.Mean()), o.dur(d.Quantile(0.5)), o.dur(d.Quantile(0.95)),
			o.dur(d.Quantile(0.99)), o.dur(d.Max), o.Time(g.At),
		}
	}
	if t.Selves {
		line = append(line, o.dur(g.Self))
	}
	if t.All.Errors > 0 {
		line = append(line, strconv.FormatInt(g.Errors, 10))
	}
	if t.All.Open > 0 {
		line = append(line, strconv.FormatInt(g.Open, 10))
	}
	return append(line, key...)
}

// appendWorst appends the longest rows with all columns that have a value.
func (o *Text) appendWorst(out []byte, t *sums.Totals) []byte {
	columns := t.Table.Columns()
	var shown []int
	var heads []string
	for i, col := range columns {
		if col.Name == "ts_end" || col.Name == "reason" {
			continue
		}
		for _, r := range t.Worst {
			if v := r.Values[i]; !v.Null && (col.Kind != tables.Bool || v.Int != 0) {
				shown, heads = append(shown, i), append(heads, strings.ToUpper(col.Name))
				break
			}
		}
	}
	lines := o.newTable(2, heads)
	for _, r := range t.Worst {
		var line []string
		for _, i := range shown {
			line = append(line, o.value(columns[i].Kind, r.Values[i]))
		}
		lines.Add(line...)
	}
	return lines.Append(out)
}

// value returns a value for people.
func (o *Text) value(kind tables.Kind, v tables.Value) string {
	switch {
	case v.Null:
		return ""
	case kind == tables.Time:
		return o.Time(uint64(v.Int))
	case kind == tables.Duration:
		return o.dur(uint64(v.Int))
	}
	return string(sums.AppendValue(nil, kind, v))
}

// histWidth is the length of the longest bar.
const histWidth = 50

// appendHist appends a histogram of all rows, by powers of two.
func (o *Text) appendHist(out []byte, d *tables.Distribution) []byte {
	lines := o.newTable(3, []string{"FROM", "TO", "COUNT", ""})
	most := uint64(1)
	d.Each(func(_, n uint64) { most = max(most, n) })
	d.Each(func(low, n uint64) {
		bar := strings.Repeat("#", int((n*histWidth+most-1)/most))
		to := max(2*low, 1)
		if low > math.MaxInt64 {
			to = math.MaxUint64
		}
		lines.Add(o.dur(low), o.dur(to), strconv.FormatUint(n, 10), bar)
	})
	return lines.Append(out)
}

// appendSource appends the number of events behind the sums, the number of rows without a duration,
// and the part of the time that the rows explain.
func (o *Text) appendSource(out []byte, t *sums.Totals) []byte {
	e := &t.Extent
	if e.Events > 0 {
		out = fmt.Appendf(out, "%d rows of %s, from %d events in %s, %s .. %s", t.All.Count(), t.Table.Name(), e.Events,
			strings.Replace(o.dur(e.Last-e.First), "  ", " ", 1), o.Time(e.First), o.Time(e.Last))
		if e.Losses > 0 {
			lost := facts.AppendLost(nil, e.Lost, e.LostUnknown, e.Losses)
			out = append(append(out, ", "...), o.Style.Paint(style.Error, string(lost))...)
		}
		out = append(out, '\n')
	}
	if len(t.Reasons) > 0 {
		var list []string
		for _, r := range t.Reasons {
			list = append(list, fmt.Sprintf("%d %s", r.Count, r.Text))
		}
		share := percent(uint64(t.All.Open), uint64(t.All.Count()))
		out = fmt.Appendf(out, "%d (%s) lack a known begin or end, and are in no sum: %s\n", t.All.Open, share,
			strings.Join(list, ", "))
	}
	return appendExplained(out, t.Explained)
}

// appendExplained appends the part of the time that the rows explain.
func appendExplained(out []byte, list []tables.Explained) []byte {
	for i, e := range list {
		lead := ", "
		if i == 0 {
			lead = "states are known for "
		}
		name := e.What
		if e.Count == 1 {
			name = strings.TrimSuffix(name, "s")
		}
		out = fmt.Appendf(out, "%s%s of the time of %d %s", lead, percent(e.Known, e.Whole), e.Count, name)
	}
	if len(list) > 0 {
		out = append(out, '\n')
	}
	return out
}

// percent returns a part of a whole, truncated: only the whole is 100 %, and only nothing is 0 %.
func percent(part, whole uint64) string {
	tenths := math.Floor(1000 * float64(part) / float64(max(whole, 1)))
	if tenths == 0 && part > 0 {
		return "<0.1 %"
	}
	return fmt.Sprintf("%.1f %%", tenths/10)
}
