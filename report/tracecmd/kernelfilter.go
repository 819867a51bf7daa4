package tracecmd

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"

	"github.com/tracec/tracec/compiler/filter"
	grammar "github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/runtime/ftrace"
)

// KernelFilter returns a filter for an event in the language of the kernel
// (Documentation/trace/events.rst), for its file filter. All records that pass the filters of list
// also pass the result. Other records may pass it, since it omits conditions that the kernel does
// not support or interprets differently. It is empty if all records may pass.
func KernelFilter(list filter.List, f *ftrace.Format) string {
	var any []string
	for _, one := range list {
		if !one.Matches(f.System, f.Name) {
			continue
		}
		if one.Cond == nil {
			return ""
		}
		c := kernelCond(one.Cond, f)
		if c.text == "" {
			return ""
		}
		any = append(any, c.text)
	}
	text := strings.Join(any, " || ")
	if len(any) > 1 {
		text = "(" + strings.Join(any, ") || (") + ")"
	}
	if len(text) > mostKernelFilter {
		return ""
	}
	return text
}

// mostKernelFilter is the maximum size of one write to a file of tracefs, a page, minus some
// reserve.
const mostKernelFilter = 4000

// kernelCondition is a condition in the kernel's language. If empty, all records pass.
type kernelCondition struct {
	text  string
	exact bool // equivalent to the condition of list, not only necessary
}

func kernelCond(n grammar.Node, f *ftrace.Format) kernelCondition {
	switch n := n.(type) {
	case *grammar.Unary:
		if c := kernelCond(n.X, f); n.Op == "!" && c.exact {
			return kernelCondition{"!(" + c.text + ")", true}
		}
	case *grammar.Binary:
		switch n.Op {
		case "&&", "||":
			return kernelBoth(n.Op, kernelCond(n.X, f), kernelCond(n.Y, f))
		case "==", "!=", "<", "<=", ">", ">=":
			return kernelCompare(n, f)
		}
	case *grammar.Match:
		if field := textField(f, n.X.Name); field != nil && n.Op == "~" && plainGlob().MatchString(n.Text) {
			return kernelCondition{fmt.Sprintf(`%s ~ "%s"`, field.Name, n.Text), true}
		}
	}
	return kernelCondition{}
}

// kernelBoth joins two conditions. A conjunction may omit a condition, since more records then
// pass. A disjunction may not.
func kernelBoth(op string, x, y kernelCondition) kernelCondition {
	switch {
	case x.text != "" && y.text != "":
		return kernelCondition{"(" + x.text + ") " + op + " (" + y.text + ")", x.exact && y.exact}
	case op == "||":
		return kernelCondition{}
	case x.text == "":
		x = y
	}
	x.exact = false
	return x
}

// Texts that mean the same to the kernel and to package filter.
var (
	plainText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./:@+ -]+$`) })
	plainGlob = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./:@+ *-]+$`) })
)

// mirrored holds the operators for exchanged operands.
var mirrored = map[string]string{"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// kernelCompare returns the condition for a comparison of a field with a constant.
func kernelCompare(n *grammar.Binary, f *ftrace.Format) kernelCondition {
	x, op, y := n.X, n.Op, n.Y
	if _, ok := x.(grammar.Field); !ok {
		x, op, y = y, mirrored[op], x
	}
	field, ok := x.(grammar.Field)
	if !ok {
		return kernelCondition{}
	}
	switch y := y.(type) {
	case grammar.Number:
		if in := numberField(f, field.Name); in != nil && holds(in, y.Value) {
			return kernelCondition{fmt.Sprintf("%s %s %d", in.Name, op, y.Value), true}
		}
	case grammar.Text:
		if in := textField(f, field.Name); in != nil && (op == "==" || op == "!=") && plainText().MatchString(y.Value) {
			return kernelCondition{fmt.Sprintf(`%s %s "%s"`, in.Name, op, y.Value), true}
		}
	}
	return kernelCondition{}
}

// numberField returns a field that the kernel compares as a number. It is nil for arrays and
// structs.
func numberField(f *ftrace.Format, name string) *ftrace.Field {
	field := f.Field(name)
	if field == nil || strings.ContainsAny(field.Type, "[(") || strings.Contains(field.Type, "__data_loc") ||
		strings.Contains(field.Type, "__rel_loc") ||
		strings.HasPrefix(field.Type, "struct ") || strings.HasPrefix(field.Type, "char *") ||
		strings.HasPrefix(field.Type, "const char *") {
		return nil
	}
	switch field.Size {
	case 1, 2, 4, 8:
		return field
	}
	return nil
}

// holds reports whether a field can hold values on both sides of a number. Its width and sign then
// do not matter.
func holds(field *ftrace.Field, v int64) bool {
	bits := field.Size * 8
	if !field.Signed {
		return v >= 0 && (bits == 64 || v < 1<<bits)
	}
	return v >= math.MinInt64>>(64-bits) && v <= math.MaxInt64>>(64-bits)
}

// textField returns a field that the kernel compares as a text: an array of char, in place or
// elsewhere in the record.
func textField(f *ftrace.Format, name string) *ftrace.Field {
	field := f.Field(name)
	if field != nil && (strings.HasPrefix(field.Type, "char[") || strings.HasPrefix(field.Type, "__data_loc char[")) {
		return field
	}
	return nil
}
