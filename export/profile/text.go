package profile

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/export/columns"
)

// weight returns the value of a stack for Options.Value. kind is the kind of its root.
func (p *Profile) weight(n *node, kind int) int64 {
	switch p.shown {
	case 0:
		return n.count
	case kind:
		return n.value
	}
	return 0
}

// byRoot returns the indexes of threads in p.threads, by their roots.
func (p *Profile) byRoot() map[int32]int {
	places := make(map[int32]int, len(p.threads))
	for i := range p.threads {
		places[p.threads[i].root] = i
	}
	return places
}

// roots returns the root of every stack.
func (t *tree) roots() []int32 {
	roots := make([]int32, len(t.nodes))
	for i := range t.nodes {
		roots[i] = int32(i)
		if up := t.nodes[i].parent; up >= 0 {
			roots[i] = roots[up] // a parent precedes its stacks
		}
	}
	return roots
}

// path appends the frames of a stack from its thread inwards.
func (t *tree) path(dst []int32, n int32) []int32 {
	for at := n; at >= 0; at = t.nodes[at].parent {
		dst = append(dst, t.nodes[at].frame)
	}
	slices.Reverse(dst)
	return dst
}

// positive reports whether text formats can show the weight of a stack. It counts stacks with
// negative weights.
func (p *Profile) positive(n *node, kind int, negative *int) bool {
	w := p.weight(n, kind)
	if w < 0 {
		*negative++
	}
	return w > 0 && n.parent >= 0
}

func (p *Profile) warnNegative(n int) {
	if n > 0 {
		p.warn("%d stacks with a negative sum of %s are left out: only pprof can show them", n, p.value)
	}
}

// writeFolded writes a line for each stack, such as `shell-1234;main;read 500`.
func (p *Profile) writeFolded(w io.Writer) error {
	names := make([]string, len(p.tree.frames))
	for i, f := range p.tree.frames {
		names[i] = foldedName(f.name)
	}
	var out []byte
	var path []int32
	negative := 0
	threads, roots := p.byRoot(), p.tree.roots()
	for i := range p.tree.nodes {
		n, kind := &p.tree.nodes[i], p.threads[threads[roots[i]]].kind
		if !p.positive(n, kind, &negative) {
			continue
		}
		path = p.tree.path(path[:0], int32(i))
		for k, f := range path {
			if k > 0 {
				out = append(out, ';')
			}
			out = append(out, names[f]...)
		}
		out = append(strconv.AppendInt(append(out, ' '), p.weight(n, kind), 10), '\n')
		if len(out) >= flushSize {
			if _, err := w.Write(out); err != nil {
				return err
			}
			out = out[:0]
		}
	}
	p.warnNegative(negative)
	_, err := w.Write(out)
	return err
}

// foldedName replaces characters with a meaning in folded stacks. An empty name would make a line
// that readers reject.
func foldedName(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == ';':
			return ':'
		// Readers treat some of these as the end of a line.
		case r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029:
			return ' '
		}
		return r
	}, string(columns.AppendValid(nil, s)))
	if strings.TrimSpace(s) == "" {
		return "[unnamed]"
	}
	return s
}

// speedscopeUnits maps our units to speedscope's. Other values are plain numbers.
var speedscopeUnits = map[string]string{"nanoseconds": "nanoseconds", "bytes": "bytes"}

// speedscopeWriter writes JSON piece by piece.
type speedscopeWriter struct {
	*Profile
	w    io.Writer
	out  []byte
	err  error
	path []int32
}

func (p *speedscopeWriter) flush(least int) {
	if len(p.out) >= least && p.err == nil {
		_, p.err = p.w.Write(p.out)
		p.out = p.out[:0]
	}
}

func (p *speedscopeWriter) text(s string) { p.out = columns.AppendJSON(p.out, s) }

// writeSpeedscope writes speedscope's format: a sampled profile for each thread.
func (p *Profile) writeSpeedscope(w io.Writer) error {
	x := &speedscopeWriter{Profile: p, w: w}
	x.out = append(x.out, `{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"tracec","name":`...)
	x.text(p.opts.Name)
	x.out = append(x.out, `,"shared":{"frames":[`...)
	for i, f := range p.tree.frames {
		if i > 0 {
			x.out = append(x.out, ",\n"...)
		}
		x.out = append(x.out, `{"name":`...)
		x.text(f.name)
		if f.module != "" {
			x.out = append(x.out, `,"file":`...)
			x.text(f.module)
		}
		x.out = append(x.out, '}')
		x.flush(flushSize)
	}
	x.out = append(x.out, `]},"profiles":[`...)
	x.profiles()
	x.out = append(x.out, "}\n"...)
	x.flush(0)
	return x.err
}

// profiles writes the profiles of the threads, and the index of the largest.
func (p *speedscopeWriter) profiles() {
	negative, written := 0, 0
	most, active := int64(0), 0
	for i, stacks := range p.byThread(&negative) {
		if len(stacks) == 0 {
			continue
		}
		sum := int64(0)
		for _, s := range stacks {
			sum += p.weight(&p.tree.nodes[s], p.threads[i].kind)
		}
		if sum > most {
			most, active = sum, written
		}
		if written++; written > 1 {
			p.out = append(p.out, ",\n"...)
		}
		p.thread(&p.threads[i], stacks, sum)
	}
	p.out = strconv.AppendInt(append(p.out, `],"activeProfileIndex":`...), int64(active), 10)
	p.warnNegative(negative)
}

// byThread returns the stacks of each thread.
func (p *speedscopeWriter) byThread(negative *int) [][]int32 {
	nodes, roots, threads := p.tree.nodes, p.tree.roots(), p.byRoot()
	lists := make([][]int32, len(p.threads))
	for i := range nodes {
		if at := threads[roots[i]]; p.positive(&nodes[i], p.threads[at].kind, negative) {
			lists[at] = append(lists[at], int32(i))
		}
	}
	return lists
}

func (p *speedscopeWriter) thread(th *thread, stacks []int32, sum int64) {
	unit := speedscopeUnits[p.kinds[p.shown].unit]
	if unit == "" {
		unit = "none"
	}
	p.out = append(p.out, `{"type":"sampled","name":`...)
	p.text(th.name)
	p.out = append(append(append(p.out, `,"unit":"`...), unit...), `","startValue":0,"endValue":`...)
	p.out = append(strconv.AppendInt(p.out, sum, 10), `,"samples":[`...)
	for i, s := range stacks {
		p.path = p.tree.path(p.path[:0], s)[1:]
		for k, f := range p.path {
			c := byte(',')
			if k == 0 {
				c = '['
				if i > 0 {
					p.out = append(p.out, ',')
				}
			}
			p.out = strconv.AppendInt(append(p.out, c), int64(f), 10)
		}
		p.out = append(p.out, ']')
		p.flush(flushSize)
	}
	p.out = append(p.out, `],"weights":[`...)
	for i, s := range stacks {
		if i > 0 {
			p.out = append(p.out, ',')
		}
		p.out = strconv.AppendInt(p.out, p.weight(&p.tree.nodes[s], th.kind), 10)
		p.flush(flushSize)
	}
	p.out = append(p.out, "]}"...)
}
