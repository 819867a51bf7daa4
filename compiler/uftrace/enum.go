package uftrace

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
)

// Enums are the enumerations of a module, or of the recorder, by name: tables with their rows in descending order, as
// UftraceEnum of runtime/render wants them.
type Enums map[string]*ir.Table

// Find returns the first table of that name, nil when no list has one. uftrace asks the module first, then the lists that the
// recorder brought (uftrace.md 2.4).
func Find(name string, lists ...Enums) *ir.Table {
	for _, l := range lists {
		if t := l[name]; t != nil {
			return t
		}
	}
	return nil
}

// ParseEnums reads declarations such as `enum color { RED, GREEN = 2, };enum kind {…}` or, as .dbg files have them,
// `kind {food,tool=5,book}`. Numbers are decimal, hexadecimal behind 0x or octal behind 0; a name without one is the
// one before it plus 1. What it does not understand it leaves out: a value then shows as a number.
func ParseEnums(text string) Enums {
	enums := make(Enums)
	for text != "" {
		var decl string
		decl, text, _ = strings.Cut(text, "}")
		head, body, ok := strings.Cut(decl, "{")
		if !ok {
			continue
		}
		head = strings.TrimLeft(head, "; \t\n")
		name := strings.TrimSpace(strings.TrimPrefix(head, "enum "))
		if _, taken := enums[name]; !taken {
			enums[name] = parseEnum(body)
		}
	}
	return enums
}

// parseEnum reads what stands between the braces.
func parseEnum(body string) *ir.Table {
	t := new(ir.Table)
	next := int64(0)
	for part := range strings.SplitSeq(body, ",") {
		name, number, given := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if given {
			n, err := strconv.ParseInt(strings.TrimSpace(number), 0, 64)
			if err != nil && !errors.Is(err, strconv.ErrRange) { // out of range, n is the last in range
				continue
			}
			next = n
		}
		t.Rows = append(t.Rows, ir.Row{Value: uint64(next), Text: name})
		next++
	}
	slices.Reverse(t.Rows) // of equal numbers the last name counts (observed on 0.13)
	slices.SortStableFunc(t.Rows, func(a, b ir.Row) int { return cmp.Compare(int64(b.Value), int64(a.Value)) })
	return t
}
