package trcfmt

import "strings"

// macroText writes $name or $name%cast.
func macroText(m *Macro) string {
	if m.Cast == nil {
		return "$" + m.Name
	}
	return "$" + m.Name + "%" + codeText(m.Cast)
}

// exprText writes an expression.
func exprText(x *Expr) string {
	var b strings.Builder
	b.WriteString(operandText(x.First))
	for _, o := range x.Rest {
		b.WriteString(" " + string(o.Op) + " ")
		b.WriteString(operandText(o.X))
	}
	return b.String()
}

func operandText(n Node) string {
	switch x := n.(type) {
	case *Code:
		return codeText(x)
	case *Macro:
		return macroText(x)
	case *Number:
		return x.Text
	case *Call:
		return callText(x)
	}
	return ""
}

func callText(c *Call) string {
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = exprText(a)
	}
	return c.Name + "(" + strings.Join(args, ", ") + ")"
}

// quoteText writes a string in quotes; see parser.quoted.
func quoteText(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

// flagText writes the text of a flag.
func flagText(s string, back bool) string {
	if !back {
		return quoteText(s)
	}
	var b strings.Builder
	b.WriteByte('`')
	writeText(&b, s)
	b.WriteByte('`')
	return b.String()
}

// writeText writes text between back quotes.
func writeText(b *strings.Builder, s string) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		case '\\', '`':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
}

func backQuoteText(q *BackQuote) string {
	var b strings.Builder
	b.WriteByte('`')
	for _, n := range q.Nodes {
		switch x := n.(type) {
		case *String:
			writeText(&b, x.Value)
		case *Code:
			b.WriteString(codeText(x))
		case *Macro:
			b.WriteString(macroText(x))
		}
	}
	b.WriteByte('`')
	return b.String()
}

// placeComments finds for every comment within a stanza the place in front of which Format writes
// it. This is the next place where a line may break, or the last one. The key nil is the place in
// front of the label.
func placeComments(s *Stanza) map[any][]*Comment {
	if len(s.Comments) == 0 {
		return nil
	}
	var places []commentPlace
	collectPlaces(&places, s.Nodes)
	out := make(map[any][]*Comment)
	at := 0
	for _, c := range s.Comments {
		for at < len(places) && places[at].offset <= c.Pos.Offset {
			at++
		}
		switch {
		case at < len(places):
			out[places[at].key] = append(out[places[at].key], c)
		case at > 0:
			out[places[at-1].key] = append(out[places[at-1].key], c)
		default:
			out[nil] = append(out[nil], c)
		}
	}
	return out
}

// commentPlace is a node, *Case or *Flag that a line may start with.
type commentPlace struct {
	key    any
	offset int
}

func collectPlaces(out *[]commentPlace, nodes []Node) {
	for i, n := range nodes {
		if i == 0 || blankBehind(nodes[i-1]) {
			*out = append(*out, commentPlace{n, n.Position().Offset})
		}
		collectInner(out, n)
	}
}

func collectInner(out *[]commentPlace, n Node) {
	switch x := n.(type) {
	case *Loop:
		collectPlaces(out, x.Body)
	case *FuncDef:
		collectPlaces(out, x.Body)
	case *BitFlags:
		for _, g := range x.Flags {
			*out = append(*out, commentPlace{g, g.Pos.Offset})
		}
	case *Switch:
		for _, c := range x.Cases {
			*out = append(*out, commentPlace{c, c.Pos.Offset})
			switch {
			case c.Braces:
				collectPlaces(out, c.Body)
			case len(c.Body) > 0:
				collectInner(out, c.Body[0])
			}
		}
	}
}
