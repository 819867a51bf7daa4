package view

import (
	"context"
	"slices"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/tables/sums"
	"github.com/tracec/tracec/runtime/record"
)

// maxSums is the maximum number of groups in an answer.
const maxSums = 500

// walk returns a walk over the events in a range, of all threads. to is 0 for no end.
func (s *Server) walk(ctx context.Context, from, to uint64) *tables.Walk {
	return tables.WalkOf(func(_ context.Context, more ...tracec.Option) (*tracec.Reader, error) {
		return s.o.Whole(record.Options{Context: ctx, Since: from, Until: to}, more...)
	})
}

// tables answers with the derived tables whose events are in the recording. Each has the columns
// for summing up its rows, the usual ones first.
func (s *Server) tables(q *query) any {
	type table struct {
		Name string   `json:"name"`
		Doc  string   `json:"doc"`
		By   []string `json:"by"`
	}
	list := []table{}
	for _, t := range tables.All() {
		if !has(t, "ts") || !s.offers(q.ctx, t) { // rows of other tables are already sums
			continue
		}
		by := []string{strings.Join(sums.By(t), ",")}
		for _, c := range t.Columns() {
			if c.Kind == tables.Text && c.Name != "reason" && !slices.Contains(by, c.Name) {
				by = append(by, c.Name)
			}
		}
		list = append(list, table{t.Name(), t.Doc(), by})
	}
	return list
}

// has reports whether a table has a column.
func has(t tables.Any, name string) bool {
	return slices.ContainsFunc(t.Columns(), func(c tables.Column) bool { return c.Name == name })
}

// offers reports whether a table can be read: the recording must describe events for it.
func (s *Server) offers(ctx context.Context, t tables.Any) bool {
	return t.Each(s.walk(ctx, 0, 1), func(func(int) tables.Value) bool { return true }) == nil
}

// sumAnswer holds the sums of the rows with a key.
type sumAnswer struct {
	Key    []string `json:"key"`
	Count  int64    `json:"count"`
	Open   int64    `json:"open"`
	Errors int64    `json:"errors"`
	Total  uint64   `json:"total"`
	Self   uint64   `json:"self"`
	Mean   uint64   `json:"mean"`
	P50    uint64   `json:"p50"`
	P95    uint64   `json:"p95"`
	P99    uint64   `json:"p99"`
	Max    uint64   `json:"max"`
	At     int64    `json:"at"` // begin of the longest row
}

func newSumAnswer(g *sums.Group, base uint64) sumAnswer {
	a := sumAnswer{Count: g.Count(), Open: g.Open, Errors: g.Errors, Total: g.Total, Self: g.Self}
	for _, k := range g.Key {
		a.Key = append(a.Key, shown(k))
	}
	if d := &g.Times; d.Count > 0 {
		a.Mean, a.P50, a.P95, a.P99, a.Max = d.Mean(), d.Quantile(0.5), d.Quantile(0.95), d.Quantile(0.99), d.Max
		a.At = int64(g.At - base)
	}
	return a
}

// sums answers with the sums of a derived table in a range, for all threads.
func (s *Server) sums(q *query) any {
	x := s.index
	x.mu.RLock()
	from, to, base := q.time("from", x.base), q.time("to", x.base), x.base
	x.mu.RUnlock()
	t := tables.Named(q.values.Get("table"))
	if t == nil {
		q.fail("unknown table %q", q.values.Get("table"))
	}
	if q.err != nil {
		return nil
	}
	w := s.walk(q.ctx, from, to)
	finish, err := sums.Add(w, t, sums.Options{By: strings.Split(q.values.Get("by"), ",")})
	if err != nil {
		q.fail("%v", err)
		return nil
	}
	a := struct {
		Groups  []sumAnswer `json:"groups"`
		All     sumAnswer   `json:"all"`
		More    int         `json:"more"`  // number of further groups
		Times   bool        `json:"times"` // the rows have durations
		Selves  bool        `json:"selves"`
		Reasons []string    `json:"reasons"` // reasons of rows without a known begin or end
		Notes   []string    `json:"notes"`
		Error   string      `json:"error,omitempty"`
	}{Groups: []sumAnswer{}, Reasons: []string{}, Notes: []string{}}
	if err := w.Run(q.ctx); err != nil {
		a.Error = shown(err.Error())
	}
	sum := finish()
	for _, g := range sum.Groups[:min(len(sum.Groups), maxSums)] {
		a.Groups = append(a.Groups, newSumAnswer(g, base))
	}
	a.All, a.More = newSumAnswer(&sum.All, base), len(sum.Groups)-len(a.Groups)
	a.Selves, a.Times = sum.Selves, has(t, "dur")
	for _, r := range sum.Reasons {
		a.Reasons = append(a.Reasons, shown(r.Text))
	}
	for _, n := range sum.Notes {
		a.Notes = append(a.Notes, shown(n))
	}
	return a
}
