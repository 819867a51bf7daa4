package graph

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/report/uftrace/units"
)

// field is a column in front of the tree.
type field struct {
	names []string // as -f may name it
	title string
	width int
	text  func(dst []byte, n *node, p *color.Palette) []byte
}

const addrWidth = 12

var functionFields = []field{
	{[]string{"total-time", "total"}, "TOTAL TIME", units.Width,
		func(dst []byte, n *node, p *color.Palette) []byte { return p.AppendDuration(dst, n.shownTime()) }},
	{[]string{"self-time", "self"}, " SELF TIME", units.Width,
		func(dst []byte, n *node, p *color.Palette) []byte { return p.AppendDuration(dst, n.self()) }},
	{[]string{"address", "addr"}, "   ADDRESS  ", addrWidth,
		func(dst []byte, n *node, _ *color.Palette) []byte {
			text := strconv.FormatUint(n.addr, 16)
			return append(appendBlanks(dst, addrWidth-len(text)), text...)
		}},
}

// extremeFields are those of 0.18 and later. The root has an average over its threads, and no extremes of its own.
var extremeFields = []field{
	perCall("total-avg", " TOTAL AVG", func(n *node) uint64 { return n.mean(n.shownTime()) }),
	perCall("total-max", " TOTAL MAX", func(n *node) uint64 { return n.extreme(n.total.max) }),
	perCall("total-min", " TOTAL MIN", func(n *node) uint64 { return n.extreme(n.total.min) }),
	perCall("self-avg", "  SELF AVG", func(n *node) uint64 { return n.mean(n.self()) }),
	perCall("self-max", "  SELF MAX", func(n *node) uint64 { return n.own.max }),
	perCall("self-min", "  SELF MIN", func(n *node) uint64 { return n.own.min }),
}

func perCall(name, title string, value func(*node) uint64) field {
	return field{[]string{name}, title, units.Width, func(dst []byte, n *node, p *color.Palette) []byte { return p.AppendDuration(dst, value(n)) }}
}

// fieldsOf are the columns that a version of uftrace has.
func fieldsOf(like19 bool) []field {
	if like19 {
		return slices.Concat(functionFields, extremeFields)
	}
	return functionFields
}

// isProgram reports whether a node is the root of a whole program, which is no function.
func (n *node) isProgram() bool { return n.parent == nil && n.sym == nil }

// mean is the part of a time that one call has, or of the whole program one thread.
func (n *node) mean(ns uint64) uint64 {
	count := n.calls
	if n.isProgram() {
		count = n.threads
	}
	if count == 0 {
		return 0
	}
	return ns / count
}

// extreme is one of the extremes of the calls; of a whole program it is the time.
func (n *node) extreme(ns uint64) uint64 {
	if n.isProgram() {
		return n.shownTime()
	}
	return ns
}

// shownTime is the time of a node. The root, which is no function, has what its kids have as well; not so one that only
// stands for a function that called exec.
func (n *node) shownTime() uint64 {
	t := n.time
	if n.parent == nil && n.sym == nil && n.calls > 0 {
		for _, k := range n.kids {
			t += k.time
		}
	}
	return t
}

// self is the time without that of the calls below. Of a negative one uftrace shows the amount.
func (n *node) self() uint64 {
	if n.time < n.child {
		return n.child - n.time
	}
	return n.time - n.child
}

// chooseFields picks the fields that -f names; a list that starts with + adds to the normal one.
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
			return nil, report.Usagef("Unknown field name '%s'\n  Possible fields are: %s", name, strings.Join(possible, " "))
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

// appendTitles writes the line above the tree; nothing without fields.
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

// appendFields writes what comes before a node, or as many blanks when there is none.
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
