package babeltrace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// attributes prints the attributes of a class, if it has any.
func (d *detailed) attributes(depth int, list []metadata.Attribute) {
	if len(list) > 0 {
		d.attribute(depth, "User attributes", metadata.Attribute{Kind: '{', Parts: list})
	}
}

// attribute prints an attribute. The members of an object are sorted by name.
func (d *detailed) attribute(depth int, name string, a metadata.Attribute) {
	switch {
	case len(a.Parts) > 0 && a.Kind == '{':
		d.line(depth, "%s:", name)
		for _, p := range slices.SortedFunc(slices.Values(a.Parts),
			func(a, b metadata.Attribute) int { return strings.Compare(a.Name, b.Name) }) {
			d.attribute(depth+2, p.Name, p)
		}
	case len(a.Parts) > 0:
		d.line(depth, "%s: Length %s:", name, grouped(int64(len(a.Parts))))
		for i, p := range a.Parts {
			d.attribute(depth+2, fmt.Sprintf("[%d]", i), p)
		}
	default:
		d.line(depth, "%s: %s", name, single(a))
	}
}

// single returns the text of a value without parts.
func single(a metadata.Attribute) string {
	switch a.Kind {
	case '{', '[':
		return "Empty"
	case 'n':
		return "Null"
	case 't':
		return map[string]string{"true": "Yes", "false": "No"}[a.Text]
	case '0':
		if n, err := strconv.ParseInt(a.Text, 10, 64); err == nil {
			return grouped(n)
		}
		if n, err := strconv.ParseUint(a.Text, 10, 64); err == nil {
			return groups(n)
		}
		if f, err := strconv.ParseFloat(a.Text, 64); err == nil {
			return strconv.FormatFloat(f, 'f', 6, 64)
		}
	}
	return a.Text
}
