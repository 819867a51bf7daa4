package totals

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tracec/tracec/export/tables/sums"
)

// AppendDiff appends the groups of two recordings side by side, as text. It prints the old value,
// the new value, and the increase of the mean.
func (o *Text) AppendDiff(out []byte, old, new *sums.Totals) []byte {
	o.ticks = new.Ticks
	heads := []string{"COUNT", "NEW", "MEAN", "NEW", "P99", "NEW", "MAX", "NEW", "CHANGE"}
	left := len(heads)
	for _, name := range new.By {
		heads = append(heads, strings.ToUpper(name))
	}
	lines, list := o.newTable(left, heads), pairs(old, new)
	shown := list[:o.limit(len(list))]
	for _, p := range shown {
		lines.Add(o.pair(p)...)
	}
	out = appendOf(out, lines, len(list)-len(shown))
	for _, side := range []struct {
		name string
		*sums.Totals
	}{{"old", old}, {"new", new}} {
		if side.Extent.Events > 0 {
			out = o.appendSource(append(out, "\n"+side.name+": "...), side.Totals)
		}
	}
	return out
}

// pair is a group of two recordings. One of them may be nil.
type pair struct{ old, new *sums.Group }

func (p pair) key() []string {
	if p.new != nil {
		return p.new.Key
	}
	return p.old.Key
}

// pairs returns the groups of both recordings, in the order of the new one.
func pairs(old, new *sums.Totals) []pair {
	byKey := map[string]*sums.Group{}
	for _, g := range old.Groups {
		byKey[strings.Join(g.Key, "\x00")] = g
	}
	var list []pair
	for _, g := range new.Groups {
		key := strings.Join(g.Key, "\x00")
		list = append(list, pair{byKey[key], g})
		delete(byKey, key)
	}
	for _, g := range old.Groups {
		if byKey[strings.Join(g.Key, "\x00")] == g {
			list = append(list, pair{g, nil})
		}
	}
	return list
}

// pair returns the cells of a pair: the old value, then the new one.
func (o *Text) pair(p pair) []string {
	a, b := o.cells(p.old), o.cells(p.new)
	var line []string
	for i := range a {
		line = append(line, a[i], b[i])
	}
	change := ""
	if p.old != nil && p.new != nil && p.old.Times.Mean() > 0 && p.new.Times.Count > 0 {
		before, after := float64(p.old.Times.Mean()), float64(p.new.Times.Mean())
		change = fmt.Sprintf("%+.1f %%", 100*(after-before)/before)
	}
	return append(append(line, change), p.key()...)
}

func (o *Text) cells(g *sums.Group) []string {
	if g == nil || g.Times.Count == 0 {
		return []string{"-", "", "", ""}
	}
	d := &g.Times
	return []string{strconv.FormatUint(d.Count, 10), o.dur(d.Mean()), o.dur(d.Quantile(0.99)), o.dur(d.Max)}
}
