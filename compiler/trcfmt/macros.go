package trcfmt

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/runtime/render"
)

func konstU(v uint64) *ir.Const { return &ir.Const{T: ir.U64, V: v} }

func (l *lowerer) local(slot int) ir.Value { return &ir.Local{T: ir.U64, Slot: slot} }

func (l *lowerer) add(x, y ir.Value) ir.Value { return &ir.Binary{Op: ir.OpAdd, X: x, Y: y} }

// toU64 extends a value by its own type, because a macro holds 64 bits.
func (l *lowerer) toU64(v ir.Value) ir.Value {
	if v.Type() == ir.U64 {
		return v
	}
	if c, ok := v.(*ir.Const); ok {
		return konstU(c.V)
	}
	return &ir.Convert{T: ir.U64, X: v}
}

// keep ensures that v can be used later, after the pointer has moved.
func (l *lowerer) keep(v ir.Value) ir.Value {
	v = l.toU64(v)
	switch v.(type) {
	case *ir.Const, *ir.Local:
		return v
	}
	slot := l.locals.value()
	l.emit(&ir.Let{Slot: slot, V: v})
	return l.local(slot)
}

// facts are the macros whose value comes from the recording.
var facts = map[string]struct {
	id   render.Fact
	text bool // it is text
	form byte // how it prints without a cast (aix.md 4.6): 'U' in decimal, 'I' as a hook id, 0 the default
}{
	"PID":            {render.FactPID, false, 'U'},
	"TID":            {render.FactTID, false, 'U'},
	"CPUID":          {render.FactCPUID, false, 'U'},
	"PRI":            {render.FactPriority, false, 'U'},
	"SVC":            {render.FactSVC, true, 0},
	"EXECPATH":       {render.FactExecPath, true, 0},
	"TOTALCPUS":      {render.FactTotalCPUs, false, 'U'},
	"TRACEDCPUS":     {render.FactTracedCPUs, false, 'U'},
	"REPORTEDCPUS":   {render.FactReportedCPUs, false, 'U'},
	"LARGEDATATYPES": {render.FactLargeData, false, 0},
	"BUFF":           {render.FactBuffering, true, 0},
	"IPADDR":         {render.FactIPAddress, true, 0},
	"LOGIDX":         {render.FactLogIndex, false, 0},
	"LOGIDX0":        {render.FactLogIndex0, false, 0},
	"LOGFILE":        {render.FactLogFile, true, 0},
	"TRACEID":        {render.FactTraceID, false, 'I'},
	"TRACEENV":       {render.FactTraceEnv, false, 'U'},
	"LINENO":         {render.FactLine, false, 'U'},
}

// exits are the macros that end the template. NOPRINT is the older name of SKIP (aix.md 3.4).
var exits = map[string]ir.ExitReason{
	"BREAK": ir.Break, "SKIP": ir.Skip, "NOPRINT": ir.Skip, "STOP": ir.Stop, "ERROR": ir.Error,
}

// decimals are the macros, in addition to facts, that print in decimal without a cast (aix.md 4.6).
var decimals = map[string]bool{"HOOKENV": true, "WORDSIZE": true, "GENERIC": true, "RELLINENO": true}

// macro compiles $name or $name%fmt used by itself. It prints, or ends the template.
func (l *lowerer) macro(m *grammar.Macro) {
	if reason, ok := exits[m.Name]; ok {
		l.exit(reason)
		return
	}
	if m.Name == "DEFAULT" {
		if s := l.c.stanzas[defaultHook]; s != nil {
			l.inline(m, s)
		} else {
			l.say(m.Pos, diag.Note, "no-default", "no template 008, which $DEFAULT runs")
		}
		return
	}
	if m.Cast != nil {
		l.castMacro(m)
		return
	}
	if f, ok := facts[m.Name]; ok && f.text {
		l.putFact(&ir.FactText{ID: ir.FactID(f.id)})
		l.blank()
		return
	}
	v := l.value(m)
	l.consumeWord(m, v)
	l.endLabel(m)
	switch form := facts[m.Name].form; {
	case decimals[m.Name] || form == 'U':
		l.number('U', v, 8)
	case form == 'I': // three digits, or four for ids with four digits (aix.md 1)
		l.put(&ir.PutInt{V: v, Spec: ir.Spec{Verb: 'X', Zero: true, Width: 3, Prec: -1}}, '0')
	default:
		l.put(&ir.PutText{T: &ir.Call{Name: "MacroHex", Args: []ir.Arg{v}}, Spec: plain}, '0')
	}
	l.blank()
}

// value returns the number of a macro, as a U64.
func (l *lowerer) value(m *grammar.Macro) ir.Value {
	if slot, ok := l.frame.scope.find(m.Name); ok {
		return l.local(slot)
	}
	if m.Name == "LINENO" || m.Name == "RELLINENO" {
		return l.lineNumber(m.Name)
	}
	if f, ok := facts[m.Name]; ok {
		v := ir.Value(&ir.Fact{T: ir.U64, ID: ir.FactID(f.id)})
		if f.id == render.FactLogIndex { // the current offset (aix.md 3.4) is the offset of the next data
			v = l.add(v, l.add(l.pointerValue(), l.toU64(l.base.value())))
		}
		return v
	}
	word := l.env.word()
	switch m.Name {
	case "L1", "L2", "L3", "L4", "L5":
		if !l.c.opts.LongWords {
			at := int64(word) + 8*int64(m.Name[1]-'1')
			return &ir.Load{T: ir.U64, From: l.record(), At: konst(at)}
		}
		fallthrough
	case "D1", "D2", "D3", "D4", "D5":
		n := int64(m.Name[1] - '0')
		return l.toU64(&ir.Load{T: ir.Type{Size: int8(word)}, From: l.record(), At: konst(n * int64(word))})
	case "HD":
		if l.env.Hook64 {
			return l.head16(6)
		}
		return l.head16(2)
	case "HL":
		return l.dataLength()
	case "WORDSIZE":
		return konstU(uint64(word))
	case "HOOKENV":
		return konstU(uint64(8 * word))
	case "GENERIC":
		return konstU(map[bool]uint64{true: 1}[l.env.Generic])
	case "DATAPOINTER":
		return l.pointerValue()
	case "BASEPOINTER":
		return l.toU64(l.base.value())
	}
	return konstU(0) // undefined macros are 0 (aix.md 3.4)
}

// pointerValue returns the data pointer in bytes.
func (l *lowerer) pointerValue() ir.Value {
	return l.toU64(&ir.Binary{Op: ir.OpShr, X: l.ptr.value(), Y: &ir.Const{T: ir.I32, V: 3}})
}

// lineNumber returns the current line of the text: the line of its beginning, plus the newlines
// since.
func (l *lowerer) lineNumber(name string) ir.Value {
	id := render.FactLine
	if name == "RELLINENO" {
		id = render.FactRelativeLine
	}
	first := ir.Value(&ir.Fact{T: ir.U64, ID: ir.FactID(id)})
	if l.line >= 0 {
		return l.add(first, l.local(l.line))
	}
	return first
}

// dataLength returns $HL: the number of data bytes or, for a generic entry, the number of bytes in
// its variable part.
func (l *lowerer) dataLength() ir.Value {
	if l.env.Hook64 || l.env.Generic {
		return l.head16(2)
	}
	return &ir.Func{T: ir.U64, Name: "HookLength", Args: []ir.Value{l.head16(0)}}
}

// castMacro prints $name%fmt.
func (l *lowerer) castMacro(m *grammar.Macro) {
	c := m.Cast
	if c.Letter == 'S' {
		r, move := l.counted(m)
		l.consumeText(m, r)
		l.putBytes(&ir.PutText{T: &ir.CString{Of: r}, Spec: plain}, r, false)
		move()
		return
	}
	v, text := l.cast(l.value(m), c)
	l.consumeWord(m, v)
	l.endLabel(m)
	switch {
	case text != nil:
		l.put(&ir.PutText{T: text, Spec: plain}, '0')
	case c.Letter == 'X' && !c.HasSize && !c.Word:
		l.put(&ir.PutText{T: &ir.Call{Name: "MacroHex", Args: []ir.Arg{v}}, Spec: plain}, '0')
	case c.Letter == 'A':
		l.number('X', v, 2)
	default:
		l.number(c.Letter, v, l.bytes(c))
	}
	if takesBlank(c) || c.Letter == 'W' || c.Letter == 'A' {
		l.blank()
	}
}

// counted returns $reg%S1, the string at the pointer with the length in $reg (aix.md 3.4). move
// moves the pointer past it.
func (l *lowerer) counted(m *grammar.Macro) (r ir.Region, move func()) {
	length := l.keep(l.bounded(l.value(m)))
	n := &ir.Convert{T: ir.I64, X: length}
	l.align()
	l.require(&ir.Binary{Op: ir.OpAdd, X: l.byteAt(0), Y: n})
	return l.slice(n), func() {
		bits := &ir.Binary{Op: ir.OpShl, X: n, Y: &ir.Const{T: ir.I32, V: 3}}
		l.setPointer(&ir.Binary{Op: ir.OpAdd, X: l.ptr.value(), Y: bits}, true)
	}
}

// bounded limits a length to maxCount, unless it cannot be larger.
func (l *lowerer) bounded(v ir.Value) ir.Value {
	if f, ok := v.(*ir.Func); ok && f.Name == "HookLength" {
		return v
	}
	limit := konstU(maxCount)
	return &ir.Cond{If: &ir.Binary{Op: ir.OpLt, X: v, Y: limit}, Then: v, Else: limit}
}

// cast applies %fmt to a value. It returns the value with the width of the code, and the text for
// codes that do not print a number.
func (l *lowerer) cast(v ir.Value, c *grammar.Code) (ir.Value, ir.Text) {
	size := l.bytes(c)
	switch c.Letter {
	case 'B':
		// The low-order bits (aix.md 4.7).
		bits := min(8*c.Size+c.Size2, 64)
		if !c.HasSize {
			bits = 8 * l.env.word() // %B alone: a word
		}
		low := v
		if bits < 64 {
			low = &ir.Binary{Op: ir.OpAnd, X: v, Y: konstU(1<<bits - 1)}
		}
		return low, &ir.Call{Name: "BinaryValue", Args: []ir.Arg{v, konst(int64(bits))}}
	case 'W':
		// The bits m to n, counted from the right and shifted down.
		low, high := min(c.Size, c.Size2, 63), min(max(c.Size, c.Size2), 63)
		v = &ir.Binary{Op: ir.OpShr, X: v, Y: &ir.Const{T: ir.I32, V: uint64(low)}}
		if n := high - low + 1; n < 64 {
			v = &ir.Binary{Op: ir.OpAnd, X: v, Y: konstU(1<<n - 1)}
		}
		return v, &ir.Call{Name: "MacroHex", Args: []ir.Arg{v}}
	case 'D', 'U', 'o', 'X':
		if !c.HasSize && !c.Word && c.Letter != 'D' {
			return v, nil
		}
		return l.narrow(v, size, c.Letter == 'D'), nil
	case 'F', 'E', 'T', 'P':
		w := l.narrow(v, size, false)
		return w, l.named(c.Letter, w, size)
	}
	return l.narrow(v, 2, false), nil // as %X2 (aix.md 3.4)
}

// narrow keeps the low size bytes of v.
func (l *lowerer) narrow(v ir.Value, size int, signed bool) ir.Value {
	if size == 3 || size > 4 && size < 8 {
		return l.fold(&ir.Binary{Op: ir.OpAnd, X: v, Y: konstU(1<<(8*size) - 1)})
	}
	if size != 1 && size != 2 && size != 4 && size != 8 {
		size = 8
	}
	t := ir.Type{Size: int8(size), Signed: signed}
	if c, ok := v.(*ir.Const); ok {
		return &ir.Const{T: t, V: t.Extend(c.V)}
	}
	if v.Type() == t {
		return v
	}
	return &ir.Convert{T: t, X: v}
}
