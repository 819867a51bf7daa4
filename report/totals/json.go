package totals

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/tables/sums"
	"github.com/tracec/tracec/report/facts"
)

// JSON holds the sums of a recording for the option --json.
type JSON struct {
	facts.Recording
	facts.Counts                  // counts of the events that were read
	Table        string           `json:"table"`
	By           []string         `json:"by"`
	Rows         int64            `json:"rows"`
	Open         map[string]int64 `json:"open,omitempty"` // number of rows without a duration, by reason
	Explained    []JSONExplained  `json:"explained,omitempty"`
	Groups       []JSONGroup      `json:"groups"`
	Worst        []map[string]any `json:"worst,omitempty"`
	Notes        []string         `json:"notes,omitempty"`
}

// JSONExplained is the part of the time of processors or threads that rows explain.
type JSONExplained struct {
	Of         string  `json:"of"` // processors or threads
	Count      int64   `json:"count"`
	KnownNS    *uint64 `json:"known_ns,omitempty"`
	WholeNS    *uint64 `json:"whole_ns,omitempty"`
	KnownTicks *uint64 `json:"known_ticks,omitempty"`
	WholeTicks *uint64 `json:"whole_ticks,omitempty"`
}

// JSONGroup is a group of sums.
type JSONGroup struct {
	Key    map[string]string `json:"key"`
	Count  uint64            `json:"count"`
	Open   int64             `json:"open,omitempty"`
	Errors int64             `json:"errors,omitempty"`
	*jsonNS
	*jsonTicks
}

// jsonNS holds the times of a group in nanoseconds.
type jsonNS struct {
	Total uint64  `json:"total_ns"`
	Self  *uint64 `json:"self_ns,omitempty"`
	Mean  uint64  `json:"mean_ns"`
	P50   uint64  `json:"p50_ns"`
	P95   uint64  `json:"p95_ns"`
	P99   uint64  `json:"p99_ns"`
	Max   uint64  `json:"max_ns"`
	At    uint64  `json:"max_at_ns"`
}

// jsonTicks is jsonNS for clocks without a unit of time.
type jsonTicks struct {
	Total uint64  `json:"total_ticks"`
	Self  *uint64 `json:"self_ticks,omitempty"`
	Mean  uint64  `json:"mean_ticks"`
	P50   uint64  `json:"p50_ticks"`
	P95   uint64  `json:"p95_ticks"`
	P99   uint64  `json:"p99_ticks"`
	Max   uint64  `json:"max_ticks"`
	At    uint64  `json:"max_at_ticks"`
}

// JSONOf returns the sums for JSON. rows limits the number of groups; 0 means all.
func JSONOf(t *sums.Totals, rec facts.Recording, rows int) *JSON {
	e := t.Extent
	j := &JSON{
		Recording: rec, Table: t.Table.Name(), By: t.By, Rows: t.All.Count(), Groups: []JSONGroup{}, Notes: t.Notes,
		Counts: facts.Counts{Count: e.Events, Lost: e.Lost, LostUnknown: e.LostUnknown, Gaps: e.Losses},
	}
	if e.Events > 0 {
		j.Span = facts.SpanOf(e.First, e.Last, t.Ticks)
	}
	for _, r := range t.Reasons {
		if j.Open == nil {
			j.Open = map[string]int64{}
		}
		j.Open[r.Text] = r.Count
	}
	for _, e := range t.Explained {
		x := JSONExplained{Of: e.What, Count: e.Count, KnownNS: &e.Known, WholeNS: &e.Whole}
		if t.Ticks {
			x.KnownTicks, x.WholeTicks, x.KnownNS, x.WholeNS = x.KnownNS, x.WholeNS, nil, nil
		}
		j.Explained = append(j.Explained, x)
	}
	for i, g := range t.Groups {
		if rows > 0 && i >= rows {
			break
		}
		j.Groups = append(j.Groups, groupJSON(t, g))
	}
	for _, r := range t.Worst {
		j.Worst = append(j.Worst, rowJSON(t.Table.Columns(), r))
	}
	return j
}

func groupJSON(t *sums.Totals, g *sums.Group) JSONGroup {
	key := map[string]string{}
	for k, name := range t.By {
		key[name] = g.Key[k]
	}
	j := JSONGroup{Key: key, Count: g.Times.Count, Open: g.Open, Errors: g.Errors}
	if g.Times.Count == 0 {
		return j
	}
	d := &g.Times
	times := &jsonNS{
		Total: g.Total, Mean: d.Mean(), P50: d.Quantile(0.5), P95: d.Quantile(0.95), P99: d.Quantile(0.99), Max: d.Max,
		At: g.At,
	}
	if t.Selves {
		times.Self = &g.Self
	}
	if t.Ticks {
		j.jsonTicks = (*jsonTicks)(times)
	} else {
		j.jsonNS = times
	}
	return j
}

// rowJSON returns the values of a row that are not NULL, by column.
func rowJSON(columns []tables.Column, r sums.Row) map[string]any {
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

// WriteCSV writes the groups of sums as CSV. head writes the names of the columns first.
func WriteCSV(t *sums.Totals, w io.Writer, file string, head bool, rows int) error {
	out := csv.NewWriter(w)
	if head {
		unit := "_ns"
		if t.Ticks {
			unit = "_ticks"
		}
		names := append(append([]string{"file"}, t.By...), "count", "open", "errors")
		for _, name := range []string{"total", "self", "mean", "p50", "p95", "p99", "max", "max_at"} {
			names = append(names, name+unit)
		}
		_ = out.Write(names) // Flush keeps the error
	}
	for i, g := range t.Groups {
		if rows > 0 && i >= rows {
			break
		}
		line := append([]string{file}, g.Key...)
		d := &g.Times
		for _, n := range []uint64{d.Count, uint64(g.Open), uint64(g.Errors)} {
			line = append(line, strconv.FormatUint(n, 10))
		}
		for i, n := range []uint64{g.Total, g.Self, d.Mean(), d.Quantile(0.5), d.Quantile(0.95), d.Quantile(0.99),
			d.Max, g.At} {
			if d.Count == 0 || i == 1 && !t.Selves {
				line = append(line, "")
				continue
			}
			line = append(line, strconv.FormatUint(n, 10))
		}
		_ = out.Write(line)
	}
	out.Flush()
	return out.Error()
}
