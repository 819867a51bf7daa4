package irtest

import (
	"sort"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
)

// program draws the locals and the rendering of the event.
func (d *drawer) program() {
	for range d.below(4) {
		d.slots = append(d.slots, one(d, types...))
	}
	for range d.below(3) {
		d.bufs = append(d.bufs, one(d, 1, 1, 2, 4, 8))
	}
	d.ev.Slots, d.ev.Buffers = len(d.slots), len(d.bufs)
	d.fuel = 20 + d.below(300)
	d.ev.Text = d.stmts(1 + d.below(8))
}

// stmts draws n statements, each with its share of the fuel. Otherwise the first would use all of
// it.
func (d *drawer) stmts(n int) []ir.Stmt {
	out, fuel := make([]ir.Stmt, n), d.fuel
	for i := range out {
		d.fuel = fuel / n
		out[i] = d.stmt()
	}
	return out
}

func (d *drawer) stmt() ir.Stmt {
	if !d.spend() {
		return &ir.Lit{S: "."}
	}
	switch d.below(18) {
	case 17:
		if values := d.ev.Values(); len(values) > 0 && d.pure == 0 {
			return d.keep(values)
		}
	case 16:
		if d.apart == 0 {
			return d.ending()
		}
	case 0, 1, 2:
		return &ir.Lit{S: one(d, " ", "x=", " 0x", "", "\"%d\\\n", "`${", "\x00\xff")}
	case 3, 4, 5, 6:
		return &ir.PutInt{V: d.any(), Spec: d.spec(one[byte](d, 'd', 'd', 'd', 'x', 'x', 'X', 'o', 'c'))}
	case 7, 8, 9, 10:
		s := &ir.PutText{Spec: d.spec('s')}
		if s.Spec.Plain() {
			s.T = d.text()
		} else {
			s.T = d.textApart()
		}
		return s
	case 11:
		if len(d.slots) > 0 && d.pure == 0 {
			slot := d.below(len(d.slots))
			return &ir.Let{Slot: slot, V: d.value(d.slots[slot])}
		}
	case 12:
		if len(d.bufs) > 0 && d.pure == 0 {
			slot := d.below(len(d.bufs))
			return &ir.LetBytes{Slot: slot, V: d.region(d.bufs[slot])}
		}
	case 13:
		return d.switchStmt()
	case 14:
		return d.loop()
	}
	return &ir.If{Cond: d.condition(), Then: d.stmts(d.below(3)), Else: d.stmts(d.below(2))}
}

// keep draws a statement that keeps one of fields, followed by its members or elements.
func (d *drawer) keep(fields []*ir.Field) ir.Stmt {
	f := one(d, fields...)
	k := &ir.Keep{Field: f}
	switch {
	case f.Kind == ir.List:
		body := []ir.Stmt{k}
		if f.Name != "" && d.chance(30) { // the first element begins the list
			body = nil
		}
		for range d.below(4) {
			body = append(body, d.keep(f.Fields))
		}
		return block(body)
	case f.Fields != nil:
		body := []ir.Stmt{k}
		for range d.below(5) {
			body = append(body, d.keep(f.Fields))
		}
		return block(body)
	case f.Type() == ir.Type{}:
		k.Of = d.region(1)
	default:
		k.V = d.value(f.Type())
	}
	return k
}

// block returns a statement that runs others.
func block(body []ir.Stmt) ir.Stmt {
	return &ir.If{Cond: &ir.Const{T: ir.I32, V: 1}, Then: body}
}

// ending draws a statement that may end the program, but usually does not.
func (d *drawer) ending() ir.Stmt {
	if d.chance(15) {
		e := &ir.Exit{Reason: one(d, ir.Break, ir.Skip, ir.Stop, ir.Error, ir.Short)}
		if d.chance(50) {
			e.At = d.any()
		}
		return e
	}
	r := &ir.Require{Of: d.region(1), Bytes: d.index()}
	for _, f := range placed(d.ev) {
		if f.Kind == ir.Tail && d.chance(70) {
			r.Of = &ir.FieldBytes{Field: f}
		}
	}
	return r
}

func (d *drawer) switchStmt() ir.Stmt {
	s := &ir.Switch{X: d.any(), Default: d.stmts(d.below(2))}
	for range 1 + d.below(4) {
		var values []uint64
		for range 1 + d.below(4) {
			values = append(values, s.X.Type().Extend(one[uint64](d, 0, 1, 2, 3, 4, 5, 8, 255, ^uint64(0))))
		}
		s.Cases = append(s.Cases, ir.SwitchCase{Values: values, Body: d.stmts(d.below(2))})
	}
	return s
}

// loop draws a loop over any condition, or one that counts a slot.
func (d *drawer) loop() ir.Stmt {
	l := &ir.Loop{Cond: d.condition(), Body: d.stmts(1 + d.below(2)), Limit: 1 + d.below(6)}
	if len(d.slots) > 0 && d.pure == 0 && d.chance(60) {
		i := d.below(len(d.slots))
		slot := &ir.Local{T: d.slots[i], Slot: i}
		l.Cond = &ir.Binary{Op: ir.OpLt, X: slot, Y: d.value(slot.T)}
		step := &ir.Binary{Op: ir.OpAdd, X: slot, Y: &ir.Const{T: slot.T, V: 1}}
		l.Body = append(l.Body, &ir.Let{Slot: i, V: step})
	}
	return l
}

func (d *drawer) spec(verb byte) ir.Spec {
	s := ir.Spec{Verb: verb, Prec: -1}
	if d.chance(60) {
		return s
	}
	s.Minus, s.Plus, s.Space = d.chance(30), d.chance(20), d.chance(20)
	s.Sharp, s.Zero = d.chance(30), d.chance(40)
	if d.chance(50) {
		s.Width = d.below(24)
	} else if d.chance(30) {
		s.WidthArg = d.count()
	}
	if d.chance(20) {
		s.Prec = d.below(20)
	} else if d.chance(15) {
		s.PrecArg = d.count()
	}
	return s
}

// count draws a number between -31 and 31, and occasionally any number.
func (d *drawer) count() ir.Value {
	t := one(d, types...)
	if d.chance(5) {
		return d.value(t)
	}
	return &ir.Binary{Op: ir.OpRem, X: d.value(t), Y: &ir.Const{T: t, V: 32}}
}

func (d *drawer) text() ir.Text {
	if !d.spend() {
		return &ir.CString{Of: d.fieldBytes(1, nil)}
	}
	switch d.below(9) {
	case 8:
		return &ir.FactText{ID: d.fact()}
	case 0, 1:
		return &ir.CString{Of: d.region(1)}
	case 2:
		return &ir.CondText{If: d.condition(), Then: d.text(), Else: d.text()}
	case 3:
		return &ir.Program{Body: d.stmts(d.below(4))}
	}
	return d.call()
}

// textApart draws a text that is padded, compared or an argument of a function.
func (d *drawer) textApart() ir.Text {
	d.apart++
	defer func() { d.apart-- }()
	return d.text()
}

func (d *drawer) fact() ir.FactID { return ir.FactID(1 + d.below(ir.Facts-1)) }

// textNames are the functions of render, sorted like valueNames.
var textNames = func() (names []string) {
	for name := range ir.TextFuncs {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}()

func (d *drawer) call() ir.Text {
	c := &ir.Call{Name: one(d, textNames...)}
	if d.chance(20) { // the two most frequent functions in formats
		c.Name = one(d, "Symbolic", "Flags")
	}
	if d.pure > 0 && ir.EffectFuncs[c.Name] {
		c.Name = "MacroHex"
		return &ir.Call{Name: c.Name, Args: []ir.Arg{d.number()}}
	}
	params := ir.TextFuncs[c.Name].Params
	for i, p := range params {
		switch p {
		case 'v':
			c.Args = append(c.Args, d.number())
		case 'r':
			if ordered := strings.HasPrefix(params[i+1:], "o"); ordered {
				c.Args = append(c.Args, d.elements(c.Name)...)
				if c.Name == "Array" {
					return c
				}
			} else if d.chance(30) {
				c.Args = append(c.Args, d.textApart())
			} else {
				c.Args = append(c.Args, d.region(1))
			}
		case 's':
			c.Args = append(c.Args, ir.StrArg(one(d, "", "|", ", ", "I4", "6c", "m", "FR", "pfsc", "b", "L")))
		case 't':
			c.Args = append(c.Args, d.table())
		}
	}
	return c
}

// number draws an argument: a size, a count, a flag or any number.
func (d *drawer) number() ir.Value {
	if d.chance(50) {
		return &ir.Const{T: ir.I32, V: uint64(one(d, 0, 1, 2, 4, 8, 16, 32, 64))}
	}
	return d.any()
}

// elements draws the region of a function that takes a byte order. For Array it also draws the
// count, and the element size, which must be the element size of the region.
func (d *drawer) elements(name string) []ir.Arg {
	elem := one(d, 1, d.target.WordSize)
	if name == "Array" {
		elem = one(d, 1, 2, 4, 8)
	}
	var r ir.Region
	if elem == 1 {
		r = d.region(1)
	} else {
		// Array omits an incomplete element at the end, other functions read it.
		r = d.fieldBytes(elem, func(f *ir.Field) bool { return f.Kind == ir.Array || name == "Array" })
	}
	if name != "Array" {
		return []ir.Arg{r}
	}
	return []ir.Arg{r, d.number(), &ir.Const{T: ir.I32, V: uint64(elem)}}
}

func (d *drawer) table() *ir.Table {
	t := &ir.Table{}
	for range d.below(8) {
		t.Rows = append(t.Rows, ir.Row{
			Value: one[uint64](d, 0, 1, 2, 3, 4, 8, 16, 3, 0x80000000, ^uint64(0), 300),
			Text:  one(d, "A", "B", "RUNNING", "", "x y", "\"q\"", "`"),
		})
	}
	return t
}
