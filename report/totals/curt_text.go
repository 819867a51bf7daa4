package totals

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/export/tables/sums"
	"github.com/tracec/tracec/report/style"
)

// AppendCurt appends the summaries as text. modes are sums of the table cpu_modes by mode.
func (o *Text) AppendCurt(out []byte, modes *sums.Totals, c *Curt) []byte {
	o.ticks = modes.Ticks
	out, whole := o.appendModes(out, modes, c)
	for _, part := range []struct {
		head string
		of   *sums.Totals
	}{{"Processors", c.cpus}, {"Processes", c.processes}, {"Threads", c.threads}} {
		out = o.appendPivots(o.heading(out, part.head), part.of, whole)
	}
	out = o.appendHandled(o.heading(out, "System calls"), c.calls.Groups, c.calls.By)
	if len(c.pending.Groups) > 0 {
		out = o.appendHandled(o.heading(out, "Pending system calls"), c.pending.Groups, c.pending.By)
	}
	for _, kind := range []string{"flih", "slih"} {
		of := slices.DeleteFunc(slices.Clone(c.handlers.Groups), func(g *sums.Group) bool { return g.Key[0] != kind })
		if len(of) > 0 {
			out = o.appendHandled(o.heading(out, strings.ToUpper(kind)), of, c.handlers.By[1:])
		}
	}
	if modes.Extent.Events > 0 {
		out = append(out, '\n')
	}
	return o.appendSource(out, modes)
}

func (o *Text) heading(out []byte, text string) []byte {
	return append(append(o.Style.Append(append(out, '\n'), style.Heading, text), ':'), '\n')
}

// modeNames are the modes in the order of curt's summary. The modes before IDLE are busy time.
var modeNames = []string{"APPLICATION", "SYSCALL", "KPROC", "FLIH", "SLIH", "DISPATCH", "IDLE DISPATCH", "IDLE"}

// appendModes appends the summary of the system. It also returns the whole: the time of all
// processors, including time of unknown mode.
func (o *Text) appendModes(out []byte, modes *sums.Totals, c *Curt) (text []byte, whole uint64) {
	times, busy, known := map[string]uint64{}, uint64(0), uint64(0)
	for _, g := range modes.Groups {
		times[g.Key[0]] = g.Total
		if known += g.Total; g.Key[0] != "IDLE" && g.Key[0] != "" {
			busy += g.Total
		}
	}
	cpus := map[string]bool{}
	for _, g := range c.cpus.Groups {
		cpus[g.Key[0]] = true
	}
	whole = max((modes.Extent.Last-modes.Extent.First)*uint64(len(cpus)), known)
	times["DISPATCH"] += times["IDLE DISPATCH"] // curt counts it as DISPATCH
	t := o.newTable(3, []string{"TIME", "% TOTAL", "% BUSY", "MODE"})
	line := func(name string, time uint64, works bool) {
		part := ""
		if works {
			part = hundredths(time, busy)
		}
		t.Add(o.dur(time), hundredths(time, whole), part, name)
	}
	for _, name := range modeNames[:len(modeNames)-1] {
		line(name, times[name], true)
	}
	line("CPU(S) BUSY", busy, true)
	line("IDLE", times["IDLE"], false)
	line("NOT KNOWN", whole-known+times[""], false)
	line("TOTAL", whole, false)
	out = t.Append(out)
	if c.affinity.all > 0 {
		out = fmt.Appendf(out, "\n%s %% of %d dispatches are on the processor where the thread was dispatched last\n",
			hundredths(uint64(c.own), uint64(c.all)), c.all)
	}
	return out, whole
}

// hundredths returns a part in per cent with two decimals, truncated.
func hundredths(part, whole uint64) string {
	if whole == 0 {
		return ""
	}
	n := uint64(float64(part) / float64(whole) * 10_000)
	return fmt.Sprintf("%d.%02d", n/100, n%100)
}

// pivot is the time of a key, by mode.
type pivot struct {
	key   []string
	modes map[string]uint64
	sum   uint64
}

// pivots sums groups by their key without its last part, which is the mode.
func pivots(groups []*sums.Group) (list []*pivot, used map[string]bool) {
	byKey := map[string]*pivot{}
	used = map[string]bool{}
	for _, g := range groups {
		n := len(g.Key) - 1
		key := strings.Join(g.Key[:n], "\x00")
		p := byKey[key]
		if p == nil {
			p = &pivot{key: g.Key[:n], modes: map[string]uint64{}}
			byKey[key], list = p, append(list, p)
		}
		p.modes[g.Key[n]] += g.Total
		p.sum += g.Total
		used[g.Key[n]] = true
	}
	slices.SortStableFunc(list, func(a, b *pivot) int { return cmp.Compare(b.sum, a.sum) })
	return list, used
}

// appendPivots appends times by key, with a column for each mode in use.
func (o *Text) appendPivots(out []byte, t *sums.Totals, whole uint64) []byte {
	list, used := pivots(t.Groups)
	heads := []string{"COMBINED", "% TOTAL"}
	var shown []string
	for _, name := range append(slices.Clone(modeNames), "") {
		if used[name] {
			shown, heads = append(shown, name), append(heads, cmp.Or(name, "NOT KNOWN"))
		}
	}
	left := len(heads)
	for _, name := range t.By[:len(t.By)-1] {
		heads = append(heads, strings.ToUpper(name))
	}
	lines, most := o.newTable(left, heads), o.limit(len(list))
	for _, p := range list[:most] {
		line := []string{o.dur(p.sum), hundredths(p.sum, whole)}
		for _, name := range shown {
			line = append(line, o.dur(p.modes[name]))
		}
		lines.Add(append(line, p.key...)...)
	}
	return appendOf(out, lines, len(list)-most)
}

// appendHandled appends system calls or interrupt handlers by name.
func (o *Text) appendHandled(out []byte, groups []*sums.Group, by []string) []byte {
	heads := []string{"COUNT", "TOTAL", "AVG", "MIN", "MAX"}
	failed := slices.ContainsFunc(groups, func(g *sums.Group) bool { return g.Errors > 0 })
	open := slices.ContainsFunc(groups, func(g *sums.Group) bool { return g.Open > 0 })
	if failed {
		heads = append(heads, "ERRORS")
	}
	if open {
		heads = append(heads, "OPEN")
	}
	left := len(heads)
	for _, name := range by {
		heads = append(heads, strings.ToUpper(name))
	}
	lines, most := o.newTable(left, heads), o.limit(len(groups))
	for _, g := range groups[:most] {
		d := &g.Times
		line := []string{strconv.FormatUint(d.Count, 10), "", "", "", ""}
		if d.Count > 0 {
			line = []string{line[0], o.dur(g.Total), o.dur(d.Mean()), o.dur(d.Min), o.dur(d.Max)}
		}
		if failed {
			line = append(line, strconv.FormatInt(g.Errors, 10))
		}
		if open {
			line = append(line, strconv.FormatInt(g.Open, 10))
		}
		lines.Add(append(line, g.Key[len(g.Key)-len(by):]...)...)
	}
	return appendOf(out, lines, len(groups)-most)
}
