package ir

import "reflect"

// value checks v and returns its type. ok is false if v is too broken to have a type.
func (c *checker) value(v Value) (t Type, ok bool) {
	if isNil(v) {
		c.fail("nil value")
		return Type{}, false
	}
	if !c.enter() {
		return Type{}, false
	}
	defer c.leave()
	switch v := v.(type) {
	case *Const:
		if v.T.Valid() && v.T.Extend(v.V) != v.V {
			c.fail("constant %#x is not a %s", v.V, v.T)
		}
	case *Load:
		c.region(v.From)
		if v.At != nil {
			c.value(v.At)
		}
	case *Local:
		c.slot(v.Slot, v.T)
	case *Unary:
		c.value(v.X)
		if v.Op != OpNeg && v.Op != OpNot && v.Op != OpCompl {
			c.fail("unary operator %q", v.Op)
		}
	case *Binary:
		c.binary(v)
	case *Cond:
		c.value(v.If)
		then, ok1 := c.value(v.Then)
		els, ok2 := c.value(v.Else)
		if ok1 && ok2 && then != els {
			c.fail("?: of %s and %s", then, els)
		}
	case *Convert:
		c.value(v.X)
	case *Len:
		c.region(v.Of)
	case *ToNUL:
		c.region(v.Of)
	case *Func:
		if n, known := ValueFuncs[v.Name]; !known || n != len(v.Args) {
			c.fail("function %q with %d arguments", v.Name, len(v.Args))
		}
		for _, a := range v.Args {
			c.value(a)
		}
	case *Fact:
		c.fact(v.ID)
	case *Bits:
		c.region(v.From)
		c.value(v.At)
		c.value(v.Count)
	case *TextIs:
		c.pure++
		c.textApart(v.T)
		c.pure--
	default:
		c.fail("unknown value %T", v)
	}
	if c.err != nil {
		return Type{}, false // Type of a broken node may panic
	}
	t = v.Type()
	if !t.Valid() {
		c.fail("%T of type %s", v, t)
		return Type{}, false
	}
	return t, true
}

func (c *checker) fact(id FactID) {
	if id == FactNone || int(id) >= Facts {
		c.fail("fact %d", id)
	}
}

func (c *checker) binary(v *Binary) {
	x, ok1 := c.value(v.X)
	y, ok2 := c.value(v.Y)
	switch v.Op {
	case OpShl, OpShr, OpLogAnd, OpLogOr:
	case OpAdd, OpSub, OpMul, OpDiv, OpRem, OpAnd, OpOr, OpXor, OpEq, OpNe, OpLt, OpLe, OpGt, OpGe:
		if ok1 && ok2 && x != y {
			c.fail("%s of %s and %s", v.Op, x, y)
		}
	default:
		c.fail("binary operator %q", v.Op)
	}
}

func (c *checker) region(r Region) {
	if isNil(r) {
		c.fail("nil region")
		return
	}
	if !c.enter() {
		return
	}
	defer c.leave()
	switch r := r.(type) {
	case *FieldBytes:
		if !c.fields[r.Field] {
			c.fail("a read of field %s, which the event does not have", r.Field)
		}
	case *Str:
	case *Slice:
		c.region(r.Of)
		if r.At != nil {
			c.value(r.At)
		}
		if r.Len != nil {
			c.value(r.Len)
		}
	case *CondBytes:
		c.value(r.If)
		c.region(r.Then)
		c.region(r.Else)
	case *LocalBytes:
		c.buffer(r.Slot)
	default:
		c.fail("unknown region %T", r)
	}
}

func (c *checker) text(t Text) {
	if isNil(t) {
		c.fail("nil text")
		return
	}
	if !c.enter() {
		return
	}
	defer c.leave()
	switch t := t.(type) {
	case *CString:
		c.region(t.Of)
	case *CondText:
		c.value(t.If)
		c.text(t.Then)
		c.text(t.Else)
	case *Call:
		c.call(t)
	case *Program:
		c.stmts(t.Body)
	case *FactText:
		c.fact(t.ID)
	default:
		c.fail("unknown text %T", t)
	}
}

// textApart checks a text that is compared or padded after rendering.
func (c *checker) textApart(t Text) {
	c.apart++
	c.text(t)
	c.apart--
}

func (c *checker) call(t *Call) {
	if EffectFuncs[t.Name] {
		c.effect(t.Name)
	}
	fn, ok := TextFuncs[t.Name]
	if !ok {
		c.fail("call of unknown function %q", t.Name)
		return
	}
	args := t.Args
	for _, p := range fn.Params {
		if p == 'o' { // supplied by the back end
			continue
		}
		if len(args) == 0 {
			c.fail("%s has too few arguments", t.Name)
			return
		}
		c.arg(t.Name, p, args[0])
		args = args[1:]
	}
	if len(args) > 0 {
		c.fail("%s has %d arguments too many", t.Name, len(args))
	}
}

func (c *checker) arg(name string, param rune, a Arg) {
	fits := false
	switch a := a.(type) {
	case Value:
		c.value(a)
		fits = param == 'v'
	case Region:
		c.region(a)
		fits = param == 'r'
	case Text:
		c.textApart(a)
		fits = param == 'r'
	case *Table:
		fits = param == 't' && a != nil
	case StrArg:
		fits = param == 's'
	}
	if !fits {
		c.fail("%s: argument %T for parameter %q", name, a, param)
	}
}

// isNil also finds nil pointers after an interface.
func isNil(n any) bool {
	if n == nil {
		return true
	}
	v := reflect.ValueOf(n)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
