package ir

// The expressions of a dump. Constants have their type unless it is i32. Nodes that take a type
// from elsewhere print it as well: a dump must show a wrong type.

func (d *dumper) constant(t Type, v uint64) {
	if t.Signed {
		d.printf("%d", int64(v))
	} else {
		d.printf("%#x", v)
	}
	if t != I32 {
		d.printf(":%s", t)
	}
}

func (d *dumper) value(v Value, depth int) {
	switch v := v.(type) {
	case nil:
		d.b.WriteString("<nil>")
	case *Const:
		d.constant(v.T, v.V)
	case *Load:
		d.printf("%s(", v.T)
		d.region(v.From, depth)
		if v.At != nil {
			d.b.WriteString(" @ ")
			d.value(v.At, depth)
		}
		d.b.WriteByte(')')
	case *Local:
		d.printf("$%d:%s", v.Slot, v.T)
	case *Unary:
		op := v.Op
		if op == OpNeg {
			op = "-"
		}
		d.printf("%s(", op)
		d.value(v.X, depth)
		d.b.WriteByte(')')
	case *Binary:
		d.b.WriteByte('(')
		d.value(v.X, depth)
		d.printf(" %s ", v.Op)
		d.value(v.Y, depth)
		d.b.WriteByte(')')
	case *Cond:
		cond(d, depth, v.If, v.Then, v.Else, d.value)
	case *Convert:
		d.printf("(%s)", v.T)
		d.value(v.X, depth)
	case *Len:
		d.b.WriteString("len(")
		d.region(v.Of, depth)
		d.b.WriteByte(')')
	case *ToNUL:
		d.b.WriteString("tonul(")
		d.region(v.Of, depth)
		d.b.WriteByte(')')
	case *Func:
		d.printf("%s:%s(", word(v.Name), v.T)
		for i, a := range v.Args {
			d.comma(i)
			d.value(a, depth)
		}
		d.b.WriteByte(')')
	case *Fact:
		d.printf("fact(%s):%s", v.ID, v.T)
	case *Bits:
		d.b.WriteString("bits(")
		d.region(v.From, depth)
		d.b.WriteString(" @ ")
		d.value(v.At, depth)
		d.b.WriteString(" + ")
		d.value(v.Count, depth)
		d.b.WriteByte(')')
	case *TextIs:
		d.b.WriteString("is(")
		d.text(v.T, depth)
		d.printf(", %q)", v.S)
	default:
		d.printf("<%T>", v)
	}
}

// cond prints the three nodes that choose between two others.
func cond[T any](d *dumper, depth int, c Value, then, els T, arm func(T, int)) {
	d.b.WriteByte('(')
	d.value(c, depth)
	d.b.WriteString(" ? ")
	arm(then, depth)
	d.b.WriteString(" : ")
	arm(els, depth)
	d.b.WriteByte(')')
}

func (d *dumper) region(r Region, depth int) {
	switch r := r.(type) {
	case nil:
		d.b.WriteString("<nil>")
	case *FieldBytes:
		if r.Field == nil {
			d.b.WriteString("<nil field>")
			return
		}
		d.b.WriteString(word(r.Field.Name))
	case *Str:
		d.printf("str %q", r.S)
	case *Slice:
		d.region(r.Of, depth)
		d.b.WriteByte('[')
		if r.At != nil {
			d.value(r.At, depth)
		}
		d.b.WriteByte(':')
		if r.Len != nil {
			d.b.WriteByte('+')
			d.value(r.Len, depth)
		}
		d.b.WriteByte(']')
	case *CondBytes:
		cond(d, depth, r.If, r.Then, r.Else, d.region)
	case *LocalBytes:
		d.printf("%%%d", r.Slot)
	default:
		d.printf("<%T>", r)
	}
}

func (d *dumper) text(t Text, depth int) {
	switch t := t.(type) {
	case nil:
		d.b.WriteString("<nil>")
	case *CString:
		d.b.WriteString("cstr(")
		d.region(t.Of, depth)
		d.b.WriteByte(')')
	case *CondText:
		cond(d, depth, t.If, t.Then, t.Else, d.text)
	case *Call:
		d.printf("%s(", word(t.Name))
		for i, a := range t.Args {
			d.comma(i)
			d.arg(a, depth)
		}
		d.b.WriteByte(')')
	case *Program:
		d.braces(t.Body, depth)
	case *FactText:
		d.printf("fact(%s)", t.ID)
	default:
		d.printf("<%T>", t)
	}
}

func (d *dumper) arg(a Arg, depth int) {
	switch a := a.(type) {
	case Value:
		d.value(a, depth)
	case Region:
		d.region(a, depth)
	case Text:
		d.b.WriteString("text ")
		d.text(a, depth)
	case *Table:
		n, ok := d.tables[a]
		if !ok {
			n = len(d.order)
			d.tables[a] = n
			d.order = append(d.order, a)
		}
		d.printf("T%d", n)
	case StrArg:
		d.printf("%q", string(a))
	default:
		d.printf("<%T>", a)
	}
}

func (d *dumper) comma(i int) {
	if i > 0 {
		d.b.WriteString(", ")
	}
}
