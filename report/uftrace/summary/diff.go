package summary

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/runtime/uftrace"
)

// policy holds the words of --diff-policy.
type policy struct {
	signed  bool // no-abs: sort by signed values
	percent bool
	full    bool // print all three values
}

func parsePolicy(text string) policy {
	var p policy
	for _, word := range strings.Split(text, ",") {
		switch word {
		case "abs":
			p.signed = false
		case "no-abs":
			p.signed = true
		case "percent":
			p.percent = true
		case "no-percent":
			p.percent = false
		case "full":
			p.full = true
		case "compact":
			p.full = false
		}
	}
	return p
}

// pair is a function in both recordings. A missing row has no calls.
type pair struct {
	name       string
	base, diff *row
}

// collectDiff reads the other recording. uftrace applies few options to it. It ignores functions to
// hide and times. If -F or -L is set, no function matches. Events and kernel functions outside of
// functions are shown. Tracing is off if it was off at the end of the first recording.
func collectDiff(ctx context.Context, rec *uftrace.Recording, opts *Options, off bool) (*totals, error) {
	other := Options{Table: Table{Name: opts.Table.Name}, Workers: opts.Workers, inOrder: opts.inOrder}
	play, functions := &other.Play, &opts.Play.Functions
	play.Events.Full, play.Kernel.Full = true, true
	play.Limits.Depth, play.Functions.NoLibcall = opts.Play.Limits.Depth, functions.NoLibcall
	play.Functions.Disable, play.Functions.NoFiles = off, functions.SelectsFiles(rec)
	if functions.Selects(rec) { // hidden calls that are open at the end still count: see closeOpen
		play.Functions.Only = func(*uftrace.Symbol) bool { return false }
	}
	return collect(ctx, opts.Diff.Other, &other)
}

// runDiff prints the differences of two recordings.
func runDiff(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	columns, err := chooseColumns(functionColumns(opts.Table.Like19), opts.Table.Fields, defaultFields(opts))
	if err != nil {
		return err
	}
	opts.inOrder = needOrder(columns, opts.Table.Sort)
	p := parsePolicy(opts.Diff.Policy)
	order, err := diffOrder(opts, p)
	if err != nil {
		return err
	}
	base, err := collect(ctx, rec, opts)
	if err != nil {
		return err
	}
	diff, err := collectDiff(ctx, rec, opts, base.off)
	if err != nil {
		return err
	}
	pairs := sortPairs(join(base.rows(), diff.rows()), order)
	out := []byte("#\n# uftrace diff\n")
	out = appendSide(out, "[0] base", opts.Diff.BaseDir, rec)
	out = appendSide(out, "[1] diff", opts.Diff.Dir, opts.Diff.Other)
	out = append(out, "#\n"...)
	out = appendDiffHeading(out, columns, p, opts.Table.SrcLine)
	for i := range pairs {
		out = appendPair(out, &pairs[i], columns, p, opts)
	}
	_, err = w.Write(out)
	return err
}

// sortPairs sorts pairs as uftrace does. It first adds the pairs of the base by name, then the
// pairs that only the other recording has. An added pair comes after equal ones.
func sortPairs(pairs []pair, order []func(a, b *pair) int) []pair {
	slices.SortFunc(pairs, func(a, b pair) int {
		if onlyA, onlyB := a.base.calls == 0, b.base.calls == 0; onlyA != onlyB {
			if onlyA {
				return 1
			}
			return -1
		}
		return strings.Compare(a.name, b.name)
	})
	s := sorted{before: func(added, there *pair) bool {
		for _, compare := range order {
			if c := compare(added, there); c != 0 {
				return c < 0
			}
		}
		return false
	}}
	for i := range pairs {
		s.add(pairs[i])
	}
	return s.root.list(pairs[:0])
}

func appendSide(dst []byte, side, dir string, rec *uftrace.Recording) []byte {
	dst = append(append(append(dst, "#  "...), side...), ": "...)
	dst = append(append(append(dst, dir...), "\t(from "...), rec.Info().CmdLine...)
	return append(dst, ")\n"...)
}

// join pairs the rows with the same name.
func join(base, diff []*row) []pair {
	places := make(map[string]int, len(base))
	pairs := make([]pair, 0, len(base))
	missing := func(name string) *row { return &row{name: name} }
	for i, r := range base {
		places[r.name] = i
		pairs = append(pairs, pair{r.name, r, missing(r.name)})
	}
	for _, r := range diff {
		if i, ok := places[r.name]; ok {
			pairs[i].diff = r
		} else {
			pairs = append(pairs, pair{r.name, missing(r.name), r})
		}
	}
	return pairs
}

// diffOrder returns the comparisons of pairs for -s.
func diffOrder(opts *Options, p policy) ([]func(a, b *pair) int, error) {
	keys, err := sortFields(opts)
	if err != nil {
		return nil, err
	}
	byField := map[string]*column{}
	all := functionColumns(opts.Table.Like19)
	for i := range all {
		byField[strings.ReplaceAll(all[i].field, "-", "_")] = &all[i]
	}
	var order []func(a, b *pair) int
	for _, key := range keys {
		c := byField[key]
		switch {
		case key == "func":
			order = append(order, func(a, b *pair) int { return strings.Compare(a.name, b.name) })
		case c != nil && c.ratio != nil:
			order = append(order, func(a, b *pair) int { return p.compare(c, a, b) })
		case c == nil || c.value == nil:
			return nil, report.Usagef("invalid sort key: %s", opts.Table.Sort)
		case opts.Diff.SortColumn == 0 || opts.Diff.SortColumn == 1: // 0.13 sorts by the base in both cases
			order = append(order, func(a, b *pair) int { return cmp.Compare(c.value(b.base), c.value(a.base)) })
		default:
			order = append(order, func(a, b *pair) int { return p.compare(c, a, b) })
		}
	}
	return order, nil
}

// compare orders by differences, the larger first. If two differ only in the sign, it returns -1,
// so that a is before b in either order (see sorted).
func (p policy) compare(c *column, a, b *pair) int {
	switch {
	case c.ratio != nil:
		return descending(points(c, a), points(c, b), p.signed)
	case p.percent:
		return descending(percentage(c, a), percentage(c, b), p.signed)
	}
	x, y := growth(c, a), growth(c, b)
	if !p.signed && x == -y && x != 0 {
		return -1
	}
	return descending(x, y, p.signed)
}

// descending compares amounts in descending order. Of equal amounts the positive one is first.
func descending[T int64 | float64](x, y T, signed bool) int {
	if !signed {
		if c := cmp.Compare(max(y, -y), max(x, -x)); c != 0 {
			return c
		}
	}
	return cmp.Compare(y, x)
}

// growth returns the difference of the other recording from the base.
func growth(c *column, x *pair) int64 { return int64(c.value(x.diff) - c.value(x.base)) }

// percentage returns the growth in percent of the base, or 0 if the base is 0.
func percentage(c *column, x *pair) float64 {
	base := c.value(x.base)
	if base == 0 {
		return 0
	}
	return 100 * float64(growth(c, x)) / float64(base)
}

// points returns the difference in percentage points.
func points(c *column, x *pair) float64 { return c.ratio(x.diff) - c.ratio(x.base) }

// The widths of a column: one value, three values with times, and three shorter values.
const (
	diffWidth     = 11
	fullTimeWidth = 35
	fullWidth     = 32
)

func (c *column) diffWidth(p policy) int {
	switch {
	case !p.full:
		return diffWidth
	case c.time && !p.percent:
		return fullTimeWidth
	}
	return fullWidth
}

func appendDiffHeading(dst []byte, columns []column, p policy, source bool) []byte {
	if len(columns) == 0 {
		return dst
	}
	for i := range columns {
		c := &columns[i]
		title := c.title
		if p.full {
			if c.field == "self-max" { // uftrace's title
				title = "Self min"
			}
			title += " (diff)"
		}
		dst = append(dst, "   "...)
		dst = alignRight(append(dst, title...), len(dst), c.diffWidth(p))
	}
	dst = append(dst, "   Function"...)
	if source {
		dst = append(dst, " [Source]"...)
	}
	dst = append(dst, '\n')
	for i := range columns {
		dst = append(append(dst, "   "...), bytes.Repeat([]byte{'='}, columns[i].diffWidth(p))...)
	}
	return append(dst, "   "+rule+"\n"...)
}

func appendPair(dst []byte, x *pair, columns []column, p policy, opts *Options) []byte {
	colors := opts.Table.Color
	for i := range columns {
		c := &columns[i]
		dst = append(dst, "   "...)
		if c.ratio != nil {
			dst = appendPoints(dst, c, x, p, colors)
			continue
		}
		if c.value == nil { // a field of 0.19 without differences
			start := len(dst)
			dst = alignRight(append(dst, '-'), start, c.diffWidth(p))
			continue
		}
		if p.full && c.time {
			dst = append(appendSideTime(dst, c.value(x.base), colors), "  "...)
			dst = append(appendSideTime(dst, c.value(x.diff), colors), "  "...)
		} else if p.full {
			dst = append(appendRight(dst, c.value(x.base), line.Width), ' ')
			dst = append(appendRight(dst, c.value(x.diff), line.Width), ' ')
		}
		dst = appendDifference(dst, c, x, p, colors)
	}
	dst = append(append(dst, "   "...), x.name...)
	if opts.Table.SrcLine && x.base.calls > 0 {
		dst = appendSource(dst, x.base)
	} else if opts.Table.SrcLine {
		dst = appendSource(dst, x.diff)
	}
	return append(dst, '\n')
}
