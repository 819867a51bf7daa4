package trcfmt

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/runtime/render"
)

// nameValue gives names to the last value that was handed out, if one was handed out since the
// count was since. If several places have names for it, the first place counts.
func (l *lowerer) nameValue(since int, e ir.Enum) {
	if l.fields == nil || l.fields.hands == since || len(e.Table.Rows) == 0 {
		return
	}
	if g := l.fields.handed; g.enum == nil && !g.isBytes() && !g.float {
		if e.Func == "ValueName" && g.typ.Signed {
			e.Func = "SignedName"
		}
		g.enum = &e
	}
}

// errno names the last value that was handed out, if one was handed out since the count was before
// and its code prints error numbers.
func (l *lowerer) errno(before int, c *grammar.Code) {
	if c != nil && c.Letter == 'E' {
		l.nameValue(before, ir.Enum{Name: "errno", Func: "ValueName", Table: &ir.Table{Rows: errnoNames()},
			Type: errnoType})
	}
}

const errnoType = "github.com/tracec/tracec/runtime/aix/errno.Number"

// handed returns the number of values handed out so far.
func (l *lowerer) handed() int {
	if l.fields == nil {
		return 0
	}
	return l.fields.hands
}

// caseNames are the texts of the cases of a switch, each up to the first value that the case
// prints.
func (l *lowerer) caseNames(n *grammar.Switch, matches []match) (rows []ir.Row) {
	for i, c := range n.Cases {
		if text := l.leadingText(c.Body); text != "" && !c.Any && matches[i].ok {
			rows = append(rows, ir.Row{Value: matches[i].number, Text: text})
		}
	}
	return rows
}

// leadingText returns the constant text that nodes print before a value, or their whole output, if
// the text is on one line. It trims blanks around the text. It omits text that only names the value
// after it, as in "pid=".
func (l *lowerer) leadingText(nodes []grammar.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		text, ok := l.constantText(n)
		if !ok {
			if !isValue(n) || strings.HasSuffix(b.String(), "=") || strings.HasSuffix(b.String(), ":") {
				return ""
			}
			break
		}
		b.WriteString(text)
	}
	text := strings.TrimSpace(b.String())
	if strings.ContainsAny(text, "\n\t") {
		return ""
	}
	return text
}

func isValue(n grammar.Node) bool {
	switch n.(type) {
	case *grammar.Code, *grammar.Macro:
		return true
	}
	return false
}

// constantText returns the output of a node that prints the same for all records.
func (l *lowerer) constantText(n grammar.Node) (string, bool) {
	switch n := n.(type) {
	case *grammar.String:
		return l.c.opts.unquote(n.Value), true
	case *grammar.Word:
		if n.Blank {
			return n.Value + " ", true
		}
		return n.Value, true
	}
	return "", false
}

// flagNames are the texts of flags in the form that FlagNames expects. If a flag's value is not its
// whole mask, a row with the mask precedes the flag.
func (l *lowerer) flagNames(n *grammar.BitFlags) (rows []ir.Row) {
	for _, f := range n.Flags {
		value, ok := number(f.Value.Text, 16)
		text := strings.TrimSpace(l.flagText(f.Set, f.SetBack))
		if !ok || text == "" || strings.ContainsAny(text, "\n\t") {
			continue
		}
		mask := value
		if f.Mask != nil {
			mask, _ = number(f.Mask.Text, 16)
		} else if value == 0 { // no flag is set
			mask = math.MaxUint64
		}
		if mask != value {
			rows = append(rows, ir.Row{Value: mask})
		}
		rows = append(rows, ir.Row{Value: value, Text: text})
	}
	return rows
}

// errnoNames are the names of AIX error numbers.
var errnoNames = sync.OnceValue(func() (rows []ir.Row) {
	for v := range uint64(256) {
		if text := string(render.AIXErrno(nil, nil, v)); text != strconv.FormatUint(v, 10) {
			rows = append(rows, ir.Row{Value: v, Text: text})
		}
	}
	return rows
})
