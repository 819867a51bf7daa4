package graph

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/report/uftrace/internal/line"
)

// field is a column before the tree.
type field struct {
	names []string // names for -f
	title string
	width int
	text  func(dst []byte, n *node, p *color.Palette) []byte
}

const addrWidth = 12

var functionFields = []field{
	{[]string{"total-time", "total"}, "TOTAL TIME", line.Width,
		func(dst []byte, n *node, p *color.Palette) []byte { return p.AppendDuration(dst, shownTime(n)) }},
	{[]string{"self-time", "self"}, " SELF TIME", line.Width,
		func(dst []byte, n *node, p *color.Palette) []byte { return p.AppendDuration(dst, self(n)) }},
	{[]string{"address", "addr"}, "   ADDRESS  ", addrWidth,
		func(dst []byte, n *node, _ *color.Palette) []byte {
			text := strconv.FormatUint(n.Addr&line.AddrMask, 16)
			return append(appendBlanks(dst, addrWidth-len(text)), text...)
		}},
}

// extremeFields are the fields since 0.18. The root has an average over its threads, but no
// extremes of its own.
var extremeFields = []field{
	perCall("total-avg", " TOTAL AVG", func(n *node) uint64 { return mean(n, shownTime(n)) }),
	perCall("total-max", " TOTAL MAX", func(n *node) uint64 { total, _ := n.Bounds(); return extreme(n, total.Max) }),
	perCall("total-min", " TOTAL MIN", func(n *node) uint64 { total, _ := n.Bounds(); return extreme(n, total.Min) }),
	perCall("self-avg", "  SELF AVG", func(n *node) uint64 { return mean(n, self(n)) }),
	perCall("self-max", "  SELF MAX", func(n *node) uint64 { _, own := n.Bounds(); return own.Max }),
	perCall("self-min", "  SELF MIN", func(n *node) uint64 { _, own := n.Bounds(); return own.Min }),
}

func perCall(name, title string, value func(*node) uint64) field {
	return field{[]string{name}, title, line.Width,
		func(dst []byte, n *node, p *color.Palette) []byte { return p.AppendDuration(dst, value(n)) }}
}

// fieldsOf returns the fields of a version of uftrace.
func fieldsOf(like19 bool) []field {
	if like19 {
		return slices.Concat(functionFields, extremeFields)
	}
	return functionFields
}

// isProgram reports whether a node is the root of a whole program instead of a function.
func isProgram(n *node) bool { return n.Parent == nil && n.Sym == nil }

// mean returns the average of a time per call. For the whole program it is per thread.
func mean(n *node, ns uint64) uint64 {
	count := n.Calls
	if isProgram(n) {
		count = n.Threads()
	}
	if count == 0 {
		return 0
	}
	return ns / count
}

// extreme returns an extreme of the calls. For a whole program it is the time of the program.
func extreme(n *node, ns uint64) uint64 {
	if isProgram(n) {
		return shownTime(n)
	}
	return ns
}

// shownTime returns the time of a node. For the root of a program it includes the time of its kids.
// It does not for a root that only represents a function that called exec.
func shownTime(n *node) uint64 {
	t := n.Time
	if isProgram(n) && n.Calls > 0 {
		for _, k := range n.Kids {
			t += k.Time
		}
	}
	return t
}

// self returns the time without the calls below. Like uftrace, it returns the amount of a negative
// time.
func self(n *node) uint64 {
	if n.Time < n.Child {
		return n.Child - n.Time
	}
	return n.Time - n.Child
}

// chooseFields selects the fields that -f names. A list that starts with + extends the normal list.
func chooseFields(all []field, list, normal string) ([]field, error) {
	switch {
	case list == "":
		list = normal
	case list == "none":
		return nil, nil
	case list == "all":
		return all, nil
	case list[0] == '+':
		list = normal + "," + list[1:]
	}
	wanted := make([]bool, len(all))
	for _, name := range strings.Split(list, ",") {
		i := slices.IndexFunc(all, func(f field) bool { return slices.Contains(f.names, name) })
		if i < 0 {
			possible := make([]string, len(all))
			for j := range all {
				possible[j] = all[j].names[0]
			}
			return nil, report.Usagef("Unknown field name '%s'\n  Possible fields are: %s", name,
				strings.Join(possible, " "))
		}
		wanted[i] = true
	}
	var chosen []field
	for i := range all {
		if wanted[i] {
			chosen = append(chosen, all[i])
		}
	}
	return chosen, nil
}

func appendBlanks(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}

// appendTitles appends the line above the tree. Without fields it appends nothing.
func appendTitles(dst []byte, fields []field, name string) []byte {
	if len(fields) == 0 {
		return dst
	}
	for i := range fields {
		if i == 0 {
			dst = append(dst, "# "...)
		} else {
			dst = append(dst, "  "...)
		}
		dst = append(dst, fields[i].title...)
	}
	return append(append(append(dst, "   "...), name...), '\n')
}

// appendFields appends the fields of a node, or as many blanks if n is nil.
func appendFields(dst []byte, fields []field, n *node, colors *color.Palette) []byte {
	if len(fields) == 0 {
		return dst
	}
	for i := range fields {
		dst = append(dst, "  "...)
		if n == nil {
			dst = appendBlanks(dst, fields[i].width)
		} else {
			dst = fields[i].text(dst, n, colors)
		}
	}
	return append(dst, " : "...)
}
