package graph

import (
	"slices"
	"strconv"

	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/report/uftrace/internal/line"
)

// taskField is a column before the tree.
type taskField struct {
	name  string // name for -f
	title string
	width int
	text  func(dst []byte, l *life) []byte
}

func chooseTaskFields(opts *Options) ([]taskField, error) {
	tidWidth, tidTitle := 6, "   TID  "
	if opts.Like19 && !opts.NarrowTID {
		tidWidth, tidTitle = 7, "   TID   "
	}
	all := []taskField{
		{"total", "TOTAL TIME", line.Width, func(dst []byte,
			l *life) []byte {
			return opts.Color.AppendDuration(dst, l.total())
		}},
		{"self", " SELF TIME", line.Width, func(dst []byte,
			l *life) []byte {
			return opts.Color.AppendDuration(dst, l.self())
		}},
		{"tid", tidTitle, tidWidth + 2, func(dst []byte, l *life) []byte {
			text := strconv.Itoa(int(l.task.TID))
			return append(append(appendBlanks(append(dst, '['), tidWidth-len(text)), text...), ']')
		}},
	}
	names := []field{{names: []string{"total-time", "total"}}, {names: []string{"self-time", "self"}},
		{names: []string{"tid"}}}
	chosen, err := chooseFields(names, opts.Fields, "total,self,tid")
	if err != nil {
		return nil, err
	}
	var fields []taskField
	for i := range all {
		if slices.ContainsFunc(chosen, func(f field) bool { return f.names[0] == names[i].names[0] }) {
			fields = append(fields, all[i])
		}
	}
	return fields, nil
}

// taskPrinter prints the tree of tasks.
type taskPrinter struct {
	out      []byte
	fields   []taskField
	colors   *color.Palette
	prefix   []byte
	shortest uint64 // threads that lived shorter are hidden
}

func (p *taskPrinter) titles() {
	for i := range p.fields {
		if i == 0 {
			p.out = append(p.out, "# "...)
		} else {
			p.out = append(p.out, "  "...)
		}
		p.out = append(p.out, p.fields[i].title...)
	}
	if len(p.fields) > 0 {
		p.out = append(p.out, "   TASK NAME\n"...)
	}
}

// line prints the fields of a life, or blanks if l is nil, then drawn and name.
func (p *taskPrinter) line(l *life, drawn, name string) {
	p.begin(l)
	p.out = append(append(append(append(p.out, p.prefix...), drawn...), name...), '\n')
}

// thread prints the line of a thread other than the first of its process.
func (p *taskPrinter) thread(l *life, drawn string) {
	p.begin(l)
	p.out = p.colors.AppendTask(append(append(p.out, p.prefix...), drawn...), l.comm)
}

func (p *taskPrinter) begin(l *life) {
	for i := range p.fields {
		p.out = append(p.out, "  "...)
		if l == nil {
			p.out = appendBlanks(p.out, p.fields[i].width)
		} else {
			p.out = p.fields[i].text(p.out, l)
		}
	}
	if len(p.fields) > 0 {
		p.out = append(p.out, " : "...)
	}
}

// tree prints a root and its descendants. A chain of forks may be long, so tree uses a list instead
// of recursion.
func (p *taskPrinter) tree(root *life) {
	if root.total() < p.shortest {
		return
	}
	p.line(root, "", root.comm)
	type level struct {
		kids []*life
		next int
		had  int // length of the prefix
	}
	levels := []level{{kids: p.shown(root)}}
	for len(levels) > 0 {
		l := &levels[len(levels)-1]
		p.prefix = p.prefix[:l.had]
		if l.next == len(l.kids) {
			levels = levels[:len(levels)-1]
			continue
		}
		kid := l.kids[l.next]
		drawn, deeper := " +-", ""
		if kid.isProcess() {
			p.line(nil, " |    ", "")
			drawn, deeper = " +----", "   "
		} else if l.next > 0 && l.kids[l.next-1].isProcess() {
			p.line(nil, " | ", "")
		}
		if kid.isProcess() {
			p.line(kid, drawn, kid.comm)
		} else {
			p.thread(kid, drawn)
		}
		l.next++
		bar := " | "
		if l.next == len(l.kids) {
			bar = "   "
		}
		p.prefix = append(append(p.prefix, bar...), deeper...)
		levels = append(levels, level{kids: p.shown(kid), had: len(p.prefix)})
	}
}

// shown returns the kids that lived long enough.
func (p *taskPrinter) shown(l *life) []*life {
	if p.shortest == 0 {
		return l.kids
	}
	return slices.DeleteFunc(slices.Clone(l.kids), func(k *life) bool { return k.total() < p.shortest })
}
