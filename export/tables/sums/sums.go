// Package sums sums up the rows of derived tables by their columns: counts, durations, and the
// longest rows. Package report/totals prints them.
package sums

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/suggest"
)

// Options select rows and how they are summed up.
type Options struct {
	By    []string // columns whose values form the key
	Where []string // conditions that rows must pass
	Worst int      // number of the longest rows to keep
	Sort  string   // one of Sorts, in descending order; "" means total
	Time  string   // the column with the time to sum up; "" means dur
}

// Totals holds the sums of a table of a recording.
type Totals struct {
	Table   tables.Any
	By      []string
	Selves  bool     // the table has a column self
	Ticks   bool     // times are in ticks of the recording's clock
	Groups  []*Group // sorted by Options.Sort
	All     Group
	Worst   []Row // the longest rows, in descending order
	Reasons []Reason
	Extent  tables.Extent
	// Explained describes all rows, regardless of Where. It is empty for tables without states.
	Explained []tables.Explained
	Notes     []string
}

// A Group holds the sums of the rows with a key.
type Group struct {
	Key    []string // values of the columns By; "" for NULL
	Times  tables.Distribution
	Total  uint64 // the sum of Times; for a function, without recursive calls
	Self   uint64 // the sum of the column self
	Open   int64  // number of rows without a duration
	Errors int64  // number of rows with an error
	At     uint64 // begin of the longest row
}

// Count returns the number of rows.
func (g *Group) Count() int64 { return int64(g.Times.Count) + g.Open }

// Sorts are the numbers that groups can be sorted by.
var Sorts = []string{"total", "count", "mean", "p50", "p95", "p99", "max", "self", "errors"}

// by returns one of Sorts.
func (g *Group) by(name string) uint64 {
	switch d := &g.Times; name {
	case "count":
		return uint64(g.Count())
	case "mean":
		return d.Mean()
	case "p50":
		return d.Quantile(0.5)
	case "p95":
		return d.Quantile(0.95)
	case "p99":
		return d.Quantile(0.99)
	case "max":
		return d.Max
	case "self":
		return g.Self
	case "errors":
		return uint64(g.Errors)
	}
	return g.Total
}

// A Row holds the values of a row's columns.
type Row struct {
	Dur    uint64
	Values []tables.Value
}

// A Reason counts rows without a duration, by the reason.
type Reason struct {
	Text  string
	Count int64
}

// usual holds the columns by which rows are usually summed up, if that is not by thread.
var usual = map[string][]string{
	"syscalls": {"name"}, "interrupts": {"kind", "name"}, "block_io": {"dev", "operation"}, "locks": {"type"},
	"calls":     {"name"},
	"cpu_modes": {"mode"},
}

// By returns the columns by which the rows of a table are usually summed up.
func By(t tables.Any) []string {
	if by, ok := usual[t.Name()]; ok {
		return by
	}
	return []string{"tid", "thread"}
}

// A summer sums up rows.
type summer struct {
	o       Options
	t       *Totals
	by      []int // indexes of the columns of the key
	named   int   // index in by of the thread's name, which may change, in a key by tid; -1 for none
	ts, dur int
	reason  int // index of the column reason; -1 for none
	failed  int // index of the column error; -1 for none
	self    int // index of the column self; -1 for none
	outer   int // index of the column outer; -1 for none
	where   []tables.Condition
	columns []tables.Column
	groups  map[string]*Group
	single  int            // index in by of the only column of the key; -1 if there are several
	recent  [256]lastGroup // groups of recent values of that column
	reasons map[string]int64
	key     []byte
}

// Add adds a table to a walk. After the walk, finish returns the sums.
func Add(w *tables.Walk, t tables.Any, o Options) (finish func() *Totals, err error) {
	s := &summer{
		o: o, t: &Totals{Table: t, By: o.By}, columns: t.Columns(),
		groups: map[string]*Group{}, reasons: map[string]int64{},
	}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	err = t.Each(w, func(get func(int) tables.Value) bool {
		s.row(get)
		return true
	})
	return func() *Totals { return s.finish(w) }, err
}

// prepare finds the columns.
func (s *summer) prepare() error {
	var names []string
	for _, c := range s.columns {
		names = append(names, c.Name)
	}
	for _, name := range s.o.By {
		i := slices.Index(names, name)
		if i < 0 {
			return fmt.Errorf("--by %s: %s has the columns %s%s", name, s.t.Table.Name(), strings.Join(names, ", "),
				suggest.DidYouMean(name, names))
		}
		s.by = append(s.by, i)
	}
	if s.named = slices.Index(s.o.By, "thread"); !slices.Contains(s.o.By, "tid") {
		s.named = -1
	}
	var key []int
	for k := range s.by {
		if k != s.named {
			key = append(key, k)
		}
	}
	if s.single = -1; len(key) == 1 {
		s.single = key[0]
	}
	s.ts, s.dur = slices.Index(names, "ts"), slices.Index(names, cmp.Or(s.o.Time, "dur"))
	s.reason, s.failed = slices.Index(names, "reason"), slices.Index(names, "error")
	// For a function that calls itself, only the outermost calls count. Sums by caller count all
	// calls.
	if s.outer = slices.Index(names, "outer"); !slices.Contains(s.o.By, "name") || slices.Contains(s.o.By, "caller") {
		s.outer = -1
	}
	s.self = slices.Index(names, "self")
	s.t.Selves = s.self >= 0
	for _, text := range s.o.Where {
		c, err := tables.Where(s.t.Table, text)
		if err != nil {
			return err
		}
		s.where = append(s.where, c)
	}
	return nil
}

// row adds a row.
func (s *summer) row(get func(int) tables.Value) {
	for _, passes := range s.where {
		if !passes(get) {
			return
		}
	}
	g := s.group(get)
	dur := tables.Value{Null: true}
	if s.dur >= 0 {
		dur = get(s.dur)
	}
	if s.failed >= 0 && !get(s.failed).Null {
		g.Errors++
	}
	if dur.Null {
		g.Open++
		if s.reason >= 0 {
			s.reasons[get(s.reason).Text]++
		}
		return
	}
	if g.Times.Count == 0 || uint64(dur.Int) > g.Times.Max {
		g.At = uint64(get(s.ts).Int)
	}
	g.Times.Add(uint64(dur.Int))
	if s.self >= 0 {
		g.Self += uint64(get(s.self).Int)
	}
	if s.outer < 0 || get(s.outer).Int != 0 {
		g.Total += uint64(dur.Int)
	}
	s.keep(uint64(dur.Int), get)
}

// add adds the rows of another group.
func (g *Group) add(o *Group) {
	longer := o.Times.Count > 0 && (g.Times.Count == 0 || o.Times.Max > g.Times.Max)
	if longer || o.Times.Count > 0 && o.Times.Max == g.Times.Max && o.At < g.At {
		g.At = o.At
	}
	g.Times.Merge(&o.Times)
	g.Total, g.Self, g.Open, g.Errors = g.Total+o.Total, g.Self+o.Self, g.Open+o.Open, g.Errors+o.Errors
}

// maxGroups bounds the number of keys. Rows with further keys are summed up as one group.
const maxGroups = 1 << 17

// A lastGroup caches the group of a value, which is a number or the text of the group's key.
type lastGroup struct {
	number int64
	group  *Group
}

// group returns the group of a row.
func (s *summer) group(get func(int) tables.Value) *Group {
	g := s.latest(get)
	if s.named >= 0 && g.Key[s.named] != others {
		if name := get(s.by[s.named]).Text; name != "" && name != g.Key[s.named] {
			g.Key[s.named] = strings.Clone(name)
		}
	}
	return g
}

// latest returns the group of a key. Recent keys are found quickly, since keys often repeat.
func (s *summer) latest(get func(int) tables.Value) *Group {
	if s.single < 0 {
		return s.find(get)
	}
	column := s.by[s.single]
	v := get(column)
	if v.Null {
		return s.find(get)
	}
	last, same := &s.recent[spread(&v)%uint64(len(s.recent))], false
	if g := last.group; g != nil && s.columns[column].Kind == tables.Text {
		same = g.Key[s.single] == v.Text
	} else if g != nil {
		same = last.number == v.Int
	}
	if !same {
		last.number, last.group = v.Int, s.find(get)
	}
	return last.group
}

// spread returns a hash of a value. Few values of a recording have the same hash.
func spread(v *tables.Value) uint64 {
	n := len(v.Text)
	if n == 0 {
		return uint64(v.Int)
	}
	return uint64(n) + 7*uint64(v.Text[n-1]) + 31*uint64(v.Text[n/2]) + 61*uint64(v.Text[0])
}

// find returns the group of a key.
func (s *summer) find(get func(int) tables.Value) *Group {
	s.key = s.key[:0]
	for k, i := range s.by {
		if k != s.named {
			s.key = append(AppendValue(s.key, s.columns[i].Kind, get(i)), 0)
		}
	}
	if g := s.groups[string(s.key)]; g != nil {
		return g
	}
	return s.newGroup(get)
}

// others is the key for rows beyond maxGroups.
const others = "(others)"

// newGroup adds a group for the key of a row.
func (s *summer) newGroup(get func(int) tables.Value) *Group {
	further := len(s.groups) >= maxGroups
	if further {
		if g := s.groups[others]; g != nil {
			return g
		}
		s.key = append(s.key[:0], others...)
	}
	g := &Group{Key: make([]string, len(s.by))}
	for k, i := range s.by {
		switch {
		case further:
			g.Key[k] = others
		case k != s.named:
			g.Key[k] = string(AppendValue(nil, s.columns[i].Kind, get(i)))
		}
	}
	s.groups[string(s.key)] = g
	return g
}

// AppendValue appends a value for people. It is not for times.
func AppendValue(dst []byte, kind tables.Kind, v tables.Value) []byte {
	switch {
	case v.Null:
		return dst
	case kind == tables.Text:
		return append(dst, v.Text...)
	case kind == tables.Address:
		return strconv.AppendUint(append(dst, "0x"...), uint64(v.Int), 16)
	case kind == tables.Bool && v.Int != 0:
		return append(dst, "yes"...)
	case kind == tables.Bool:
		return append(dst, "no"...)
	}
	return strconv.AppendInt(dst, v.Int, 10)
}

// keep keeps a row if it is among the longest.
func (s *summer) keep(dur uint64, get func(int) tables.Value) {
	list := s.t.Worst
	full := len(list) >= s.o.Worst
	if s.o.Worst <= 0 || full && dur <= list[len(list)-1].Dur {
		return
	}
	r := Row{Dur: dur, Values: make([]tables.Value, len(s.columns))}
	for i := range r.Values {
		r.Values[i] = get(i)
		r.Values[i].Text = strings.Clone(r.Values[i].Text)
	}
	if full {
		list = list[:len(list)-1]
	}
	at, _ := slices.BinarySearchFunc(list, r, func(a, b Row) int {
		if a.Dur >= b.Dur {
			return -1
		}
		return 1
	})
	s.t.Worst = slices.Insert(list, at, r)
}

// finish sorts the groups.
func (s *summer) finish(w *tables.Walk) *Totals {
	t := s.t
	for _, g := range s.groups {
		t.Groups = append(t.Groups, g)
		t.All.add(g)
	}
	slices.SortFunc(t.Groups, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(b.by(s.o.Sort), a.by(s.o.Sort)), cmp.Compare(b.Count(), a.Count()),
			slices.Compare(a.Key, b.Key))
	})
	for text, n := range s.reasons {
		t.Reasons = append(t.Reasons, Reason{text, n})
	}
	slices.SortFunc(t.Reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count),
			cmp.Compare(a.Text, b.Text))
	})
	t.Extent, t.Explained, t.Notes = w.Extent(), w.Explained(), w.Notes()
	return t
}
