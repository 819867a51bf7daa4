package totals

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/report/facts"
)

// JSON is the sums of a recording as the option --json prints them.
type JSON struct {
	facts.Recording
	Table   string           `json:"table"`
	By      []string         `json:"by"`
	Events  int64            `json:"events"`
	FirstNS uint64           `json:"first_ns"`
	LastNS  uint64           `json:"last_ns"`
	Rows    int64            `json:"rows"`
	Open    map[string]int64 `json:"open,omitempty"` // rows without a duration, by the reason
	Groups  []JSONGroup      `json:"groups"`
	Worst   []map[string]any `json:"worst,omitempty"`
	Notes   []string         `json:"notes,omitempty"`
}

// JSONGroup is a group. Times are in nanoseconds.
type JSONGroup struct {
	Key    map[string]string `json:"key"`
	Count  uint64            `json:"count"`
	Open   int64             `json:"open,omitempty"`
	Errors int64             `json:"errors,omitempty"`
	Total  uint64            `json:"total_ns"`
	Self   *uint64           `json:"self_ns,omitempty"`
	Mean   uint64            `json:"mean_ns"`
	P50    uint64            `json:"p50_ns"`
	P95    uint64            `json:"p95_ns"`
	P99    uint64            `json:"p99_ns"`
	Max    uint64            `json:"max_ns"`
	At     uint64            `json:"max_at_ns"`
}

// JSON returns the sums for JSON. rows bounds the groups; 0 is all.
func (t *Totals) JSON(file string, rows int) *JSON {
	j := &JSON{
		Recording: facts.Recording{File: file}, Table: t.Table.Name(), By: t.By, Events: t.Extent.Events,
		FirstNS: t.Extent.First, LastNS: t.Extent.Last, Rows: t.All.Count(), Groups: []JSONGroup{}, Notes: t.Notes,
	}
	for _, r := range t.Reasons {
		if j.Open == nil {
			j.Open = map[string]int64{}
		}
		j.Open[r.Text] = r.Count
	}
	for i, g := range t.Groups {
		if rows > 0 && i >= rows {
			break
		}
		d := &g.Times
		key := map[string]string{}
		for k, name := range t.By {
			key[name] = g.Key[k]
		}
		sums := JSONGroup{
			Key: key, Count: d.Count, Open: g.Open, Errors: g.Errors, Total: g.Total, Mean: d.Mean(),
			P50: d.Quantile(0.5), P95: d.Quantile(0.95), P99: d.Quantile(0.99), Max: d.Max, At: g.At,
		}
		if t.Selves {
			sums.Self = &g.Self
		}
		j.Groups = append(j.Groups, sums)
	}
	for _, r := range t.Worst {
		j.Worst = append(j.Worst, rowJSON(t.Table.Columns(), r))
	}
	return j
}

// rowJSON returns the values of a row that are not NULL, by column.
func rowJSON(columns []tables.Column, r Row) map[string]any {
	values := map[string]any{}
	for i, c := range columns {
		switch v := r.Values[i]; {
		case v.Null:
		case c.Kind == tables.Text:
			values[c.Name] = v.Text
		case c.Kind == tables.Bool:
			values[c.Name] = v.Int != 0
		default:
			values[c.Name] = v.Int
		}
	}
	return values
}

// WriteCSV writes the groups of sums as CSV. Times are in nanoseconds. head writes the names of the
// columns first.
func (t *Totals) WriteCSV(w io.Writer, file string, head bool, rows int) error {
	out := csv.NewWriter(w)
	if head {
		_ = out.Write(append(append([]string{"file"}, t.By...), "count", "open", "errors", "total_ns", "self_ns", "mean_ns", "p50_ns", "p95_ns", "p99_ns", "max_ns", "max_at_ns"))
	}
	for i, g := range t.Groups {
		if rows > 0 && i >= rows {
			break
		}
		line := append([]string{file}, g.Key...)
		d := &g.Times
		for _, n := range []uint64{
			d.Count, uint64(g.Open), uint64(g.Errors), g.Total, g.Self, d.Mean(), d.Quantile(0.5), d.Quantile(0.95), d.Quantile(0.99), d.Max, g.At,
		} {
			line = append(line, strconv.FormatUint(n, 10))
		}
		_ = out.Write(line) // Flush keeps the error
	}
	out.Flush()
	return out.Error()
}
