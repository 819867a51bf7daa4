package graph

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/runtime/uftrace"
)

// printer prints trees.
type printer struct {
	out    []byte
	fields []field
	name   func(*uftrace.Symbol, uint64) string
	source bool // --srcline
	colors *color.Palette
	prefix []byte // text before a node in its line: the lines from its ancestors
}

func (b *builder) print(w io.Writer) error {
	fields, err := chooseFields(fieldsOf(b.opts.Like19), b.opts.Fields, "total")
	if err != nil {
		return err
	}
	p := &printer{fields: fields, name: b.name, source: b.opts.SrcLine, colors: b.opts.Color}
	slices.SortStableFunc(b.trees, func(x, y *tree) int { return bySession(y.session, x.session) }) // the latest first
	for _, t := range b.trees {
		if !t.shown(b.opts.Func) {
			continue
		}
		p.tree(t, b.opts.Func != "")
		if _, err := w.Write(p.out); err != nil {
			return err
		}
		p.out = p.out[:0]
	}
	return nil
}

// bySession compares sessions by process, and the programs of a process by time. Nil means a thread
// without a session.
func bySession(x, y *uftrace.Session) int {
	switch {
	case x == nil && y == nil:
		return 0
	case x == nil:
		return -1
	case y == nil:
		return 1
	}
	return cmp.Or(cmp.Compare(x.PID, y.PID), cmp.Compare(x.Start, y.Start))
}

func (p *printer) tree(t *tree, traces bool) {
	id := ""
	if t.session != nil {
		id = t.session.ID
	}
	p.out = append(append(append(p.out, "# Function Call Graph for '"...), t.root.Name...), "' (session: "...)
	p.out = append(append(p.out, id...), ")\n"...)
	if traces && len(t.traces) > 0 {
		p.traces(t)
	}
	if len(t.root.Kids) == 0 && t.root.Time == 0 {
		return
	}
	p.out = append(p.out, "========== FUNCTION CALL GRAPH ==========\n"...)
	title := "FUNCTION"
	if p.source {
		title = "FUNCTION [SOURCE]"
	}
	p.out = appendTitles(p.out, p.fields, title)
	p.node(&t.root)
	p.kids(&t.root)
	p.out = append(p.out, '\n')
}

// node prints a node after the prefix of its line.
func (p *printer) node(n *node) {
	p.out = appendFields(p.out, p.fields, n, p.colors)
	p.out = append(append(p.out, p.prefix...), '(')
	p.out = append(append(strconv.AppendUint(p.out, n.Calls, 10), ") "...), n.Name...)
	// Like uftrace, omit the places of weak symbols.
	if p.source && n.Parent != nil && n.Sym != nil && n.Sym.File != "" && n.Sym.Type != 'w' {
		p.out = append(append(append(p.out, " ["...), n.Sym.File...), ':')
		p.out = append(strconv.AppendInt(p.out, int64(n.Sym.Line), 10), ']')
	}
	p.out = append(p.out, '\n')
}

// kids prints the descendants of a node. A single kid is in the column of its parent. The tree is
// as deep as the deepest stack, so kids uses a list instead of recursion.
func (p *printer) kids(root *node) {
	type level struct {
		node *node
		next int
		had  int // length of the prefix of the node
	}
	levels := []level{{node: root, had: len(p.prefix)}}
	for len(levels) > 0 {
		l := &levels[len(levels)-1]
		p.prefix = p.prefix[:l.had]
		if l.next == len(l.node.Kids) {
			levels = levels[:len(levels)-1]
			continue
		}
		kid := l.node.Kids[l.next]
		if many := len(l.node.Kids) > 1; many {
			if l.next > 0 {
				p.out = appendFields(p.out, p.fields, nil, nil)
				p.out = append(append(p.out, p.prefix...), " | \n"...)
			}
			p.prefix = append(p.prefix, " +-"...)
		}
		l.next++
		p.node(kid.Node)
		if len(l.node.Kids) > 1 {
			more := " | "
			if l.next == len(l.node.Kids) {
				more = "   "
			}
			p.prefix = append(p.prefix[:l.had], more...)
		}
		levels = append(levels, level{node: kid.Node, had: len(p.prefix)})
	}
}

// traces prints the paths to the function.
func (p *printer) traces(t *tree) {
	p.out = append(p.out, "=============== BACKTRACE ===============\n"...)
	for i, b := range t.traces {
		p.out = strconv.AppendInt(append(p.out, " backtrace #"...), int64(i), 10)
		p.out = strconv.AppendUint(append(p.out, ": hit "...), b.hits, 10)
		p.out = append(p.colors.AppendDuration(append(p.out, ", time "...), b.time), '\n')
		for k, addr := range b.addrs {
			p.out = strconv.AppendInt(append(p.out, "   ["...), int64(k), 10)
			p.out = append(append(append(p.out, "] "...), p.name(b.syms[k], addr)...), " ("...)
			if addr != 0 {
				p.out = append(p.out, "0x"...)
			}
			p.out = append(strconv.AppendUint(p.out, addr, 16), ")\n"...)
		}
		p.out = append(p.out, '\n')
	}
}
