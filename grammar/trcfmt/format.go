package trcfmt

import (
	"fmt"
	"io"
	"strings"
)

// Format writes a file in the canonical layout. There is one blank between tokens, and lines have
// at most 96 columns before the backslash. Cases and flags that do not fit on a line get a line
// each. Every statement and \n ends a line. The backslashes of a stanza are in one column. Outside
// braces, the author's line breaks are kept. Comments stay in their place. Several blank lines
// become one. Stanzas with errors and lines outside of any item are written unchanged.
//
// Parse of the result gives f again, except for positions. Format of that file gives the same text.
// The positions of f determine the author's line breaks and the places of comments. A file made by
// a program does not need positions.
func Format(w io.Writer, f *File) error {
	var b strings.Builder
	after := 0 // line on which the last item ended; 0 if unknown
	if first, ok := firstComment(f); f.IsUpdate && (!ok || !isUpdate(first.Text)) {
		b.WriteString("* /etc/trcfmt\n")
	}
	for i, item := range f.Items {
		at := item.Position().Line
		if i > 0 && after > 0 && at > after+1 {
			b.WriteByte('\n')
		}
		after = at
		switch x := item.(type) {
		case *Comment:
			b.WriteString(x.Text + "\n")
		case *Delete:
			b.WriteString(strings.TrimRight("- "+x.Hook.Text+" "+x.Rest, " ") + "\n")
		case *Junk:
			b.WriteString(x.Text + "\n")
			after += strings.Count(x.Text, "\n")
		case *Stanza:
			formatStanza(&b, x)
			after = x.End.Line
		default:
			return fmt.Errorf("trcfmt: cannot format a %T", item)
		}
		if b.Len() > 1<<16 {
			if _, err := io.WriteString(w, b.String()); err != nil {
				return err
			}
			b.Reset()
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func firstComment(f *File) (*Comment, bool) {
	if len(f.Items) == 0 {
		return nil, false
	}
	c, ok := f.Items[0].(*Comment)
	return c, ok
}

// formatStanza appends one stanza in the canonical layout.
func formatStanza(b *strings.Builder, s *Stanza) {
	if s.Broken {
		b.WriteString(s.Source + "\n")
		return
	}
	f := formatter{before: placeComments(s)}
	var l layouter
	l.emit(f.stanza(s), 0, false)
	l.finish()
	l.continued(b)
}

// A formatter makes documents of nodes.
type formatter struct {
	// before holds the comments before a node, a *Case or a *Flag. The key nil is the label.
	before map[any][]*Comment
}

func (f *formatter) stanza(s *Stanza) *doc {
	var head strings.Builder
	if s.Add {
		head.WriteString("+ ")
	}
	fmt.Fprintf(&head, "%s %d.%d", s.Hook.Text, s.Version, s.Release)
	if s.HasLevel {
		head.WriteString(" L=" + levelNames[s.Level])
	}
	label := s.Label
	if s.LabelQuoted {
		label = quoteText(label)
	}
	out := []*doc{text(head.String()), nest(f.separator(nil, text(" ")), text(label))}
	if len(s.Nodes) > 0 {
		first := f.node(s.Nodes[0])
		sep := &doc{kind: docFill, kids: []*doc{first}}
		if s.Nodes[0].Position().Line > s.Pos.Line {
			sep = hard()
		}
		out = append(out, nest(append([]*doc{f.separator(s.Nodes[0], sep), first}, f.following(s.Nodes, topGap)...)...))
	}
	return concat(out...)
}

var levelNames = [...]string{Kern: "KERN", Appl: "APPL", SVC: "SVC", Int: "INT", Zero: "0"}

// separator returns sep, or the comments before x.
func (f *formatter) separator(x any, sep *doc) *doc {
	comments := f.before[x]
	if len(comments) == 0 {
		return sep
	}
	var out []*doc
	for _, c := range comments {
		out = append(out, &doc{kind: docComment, text: c.Text})
	}
	return concat(out...)
}

// following makes documents of all nodes but the first. gap returns the separator between two
// nodes.
func (f *formatter) following(nodes []Node, gap func(prev, next Node, d *doc) *doc) []*doc {
	var out []*doc
	for i := 1; i < len(nodes); i++ {
		prev, n := nodes[i-1], nodes[i]
		d := f.node(n)
		if blankBehind(prev) {
			out = append(out, f.separator(n, gap(prev, n, d)))
		}
		out = append(out, d)
	}
	return out
}

// topGap breaks the lines of a stanza outside braces: after statements, and at the author's line
// breaks, which group related elements.
func topGap(prev, next Node, d *doc) *doc {
	if _, ok := next.(*FuncDef); ok {
		return hard()
	}
	if next.Position().Line > prev.Position().Line || isStatement(prev) {
		return hard()
	}
	return innerGap(prev, next, d)
}

// innerGap breaks the lines within braces.
func innerGap(prev, next Node, d *doc) *doc {
	if _, ok := next.(*Newline); ok {
		return &doc{kind: docFill, kids: []*doc{d}}
	}
	if _, ok := prev.(*Newline); ok || isStatement(prev) {
		return line()
	}
	return &doc{kind: docFill, kids: []*doc{d}}
}

func isStatement(n Node) bool {
	switch n.(type) {
	case *Switch, *Loop, *BitFlags, *FuncDef:
		return true
	}
	return false
}

// blankBehind returns Base.Blank.
func blankBehind(n Node) bool { return n.(interface{ blank() bool }).blank() }

func (b *Base) blank() bool { return b.Blank }

// body makes `{ nodes }` with the given brackets. A word at the end must not get a blank after it,
// because the blank would be output.
func (f *formatter) body(open string, nodes []Node, shut string) *doc {
	if len(nodes) == 0 {
		return text(open + " " + shut)
	}
	kids := []*doc{f.separator(nodes[0], line()), f.node(nodes[0])}
	kids = append(kids, f.following(nodes, innerGap)...)
	end := line()
	if w := lastWord(nodes[len(nodes)-1]); w != nil && !w.Blank {
		end = text("")
	}
	return group(text(open), nest(kids...), end, text(shut))
}

// lastWord returns the bare word at the end of a node.
func lastWord(n Node) *Word {
	for {
		switch x := n.(type) {
		case *Word:
			return x
		case *Switch:
			n = onlyNode(x.Cases[len(x.Cases)-1])
		default:
			return nil
		}
	}
}

func (f *formatter) node(n Node) *doc {
	switch x := n.(type) {
	case *Code:
		return text(codeText(x))
	case *Macro:
		return text(macroText(x))
	case *String:
		return text(quoteText(x.Value))
	case *BackQuote:
		return text(backQuoteText(x))
	case *Word:
		return text(x.Value)
	case *Newline:
		return text(`\n`)
	case *Tab:
		return text(`\t`)
	case *Sub:
		return text("$" + x.Hook.Text)
	case *Switch:
		return f.switchDoc(x)
	case *Loop:
		return concat(text("LOOP "), f.node(x.Subject), f.body(" {", x.Body, "}"))
	case *BitFlags:
		return f.bitFlags(x)
	case *Assign:
		s := "{{ " + macroText(x.Macro)
		if x.Value != nil {
			s += " = " + exprText(x.Value)
		}
		return text(s + " }}")
	case *FuncDef:
		var params []string
		for i, p := range x.Params {
			if i < len(x.Dollar) && x.Dollar[i] {
				p = "$" + p
			}
			params = append(params, p)
		}
		return f.body("{{ "+x.Name+"("+strings.Join(params, ", ")+")", x.Body, "}}")
	case *Call:
		return text(callText(x))
	case *Bad:
		return text(x.Text)
	}
	return text("")
}

func (f *formatter) switchDoc(x *Switch) *doc {
	head := []*doc{f.node(x.Subject)}
	if x.Mask != nil {
		head = append(head, text(" & "+x.Mask.Text))
	}
	var cases []*doc
	for i, c := range x.Cases {
		cases = append(cases, f.separator(c, line()), f.caseDoc(c))
		if i == len(x.Cases)-1 {
			break
		}
		comma := ","
		if w, ok := onlyNode(c).(*Word); ok && w.Blank {
			comma = " ,"
		}
		cases = append(cases, text(comma))
	}
	return group(append(head, text(","), nest(cases...))...)
}

func (f *formatter) caseDoc(c *Case) *doc {
	match := c.Match
	switch {
	case c.Any:
		match = `\*`
	case c.Quoted:
		match = quoteText(match)
	}
	if c.Braces {
		return f.body(match+" {", c.Body, "}")
	}
	if len(c.Body) == 0 {
		return text(match)
	}
	return concat(text(match+" "), f.node(c.Body[0]))
}

// onlyNode returns the result of a case without braces, or nil.
func onlyNode(c *Case) Node {
	if c.Braces || len(c.Body) == 0 {
		return nil
	}
	return c.Body[0]
}

func (f *formatter) bitFlags(x *BitFlags) *doc {
	var flags []*doc
	for i, g := range x.Flags {
		var s string
		if g.Mask != nil {
			s = "& " + g.Mask.Text + " "
		}
		s += g.Value.Text + " " + flagText(g.Set, g.SetBack)
		if g.HasClear {
			s += " " + flagText(g.Clear, g.ClearBack)
		}
		if i < len(x.Flags)-1 {
			s += ","
		}
		flags = append(flags, f.separator(g, line()), text(s))
	}
	return group(text("BITFLAGS "), f.node(x.Subject), text(","), nest(flags...))
}
