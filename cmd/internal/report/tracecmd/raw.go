package tracecmd

import (
	"strings"

	"github.com/tracec/tracec/cmd/internal/plugin"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// rawField prints one field of -R.
type rawField struct {
	label []byte // " name="
	put   func(dst, data []byte) []byte
}

// newRaw prints ` name=value` for every field. A number that the print fmt shows by itself has the conversion of
// the print fmt; the others have one that goes by type (found by changing formats in a recording and
// looking at what trace-cmd 3.1.6 makes of them).
func newRaw(f *ftrace.Format, ev *ir.Event, in *input) plugin.Handler {
	var fields []rawField
	size := 0
	if ev != nil {
		size = ev.Size
		c := conversions{parts: parts(ev), in: in, ev: ev}
		for _, fd := range ev.Fields {
			if fd.Common {
				continue
			}
			put := c.find(fd)
			if put == nil {
				put = byType(fd, in.target)
			}
			fields = append(fields, rawField{[]byte(" " + fd.Name + "="), put})
		}
	}
	return func(dst []byte, r *record.Record) []byte {
		if len(r.Data) < size {
			dst = append(dst, " [short record: "...)
			dst = render.Udec(dst, uint64(len(r.Data)))
			dst = append(dst, " of "...)
			dst = render.Udec(dst, uint64(size))
			return append(dst, " bytes]"...)
		}
		for i := range fields {
			dst = append(dst, fields[i].label...)
			dst = fields[i].put(dst, r.Data)
		}
		return dst
	}
}

// byType is the conversion of a field that the print fmt does not show by itself.
func byType(f *ir.Field, t ir.Target) func(dst, data []byte) []byte {
	r := interp.NewReader(f, t)
	if f.Kind != ir.Int {
		return bytesOrText(f, r)
	}
	long := hasWord(f.CType, "long")
	switch {
	case strings.Contains(f.CType, "*"), long && (f.Size == 4 || !f.Signed):
		mask := ^uint64(0)
		if f.Size < 8 {
			mask = 1<<(8*f.Size) - 1
		}
		return func(dst, data []byte) []byte {
			dst = append(dst, '0', 'x')
			return render.HexLower(dst, r.Uint(data)&mask)
		}
	case f.Signed && f.Size == 2:
		return func(dst, data []byte) []byte { // %2d
			start := len(dst)
			dst = render.Dec(dst, int64(r.Uint(data)))
			return padLeft(dst, start, 2)
		}
	case f.Signed:
		return func(dst, data []byte) []byte { return render.Dec(dst, int64(r.Uint(data))) }
	}
	return func(dst, data []byte) []byte { return render.Udec(dst, r.Uint(data)) }
}

// bytesOrText prints an array of characters that can be printed as text, all else as a list of bytes. Arrays of u8 count
// as characters.
func bytesOrText(f *ir.Field, r *interp.Reader) func(dst, data []byte) []byte {
	chars := f.Text
	for _, word := range []string{"char", "u8", "__u8", "s8", "__s8", "uint8_t", "int8_t"} {
		chars = chars || hasWord(f.CType, word)
	}
	tail := f.Kind == ir.Tail
	return func(dst, data []byte) []byte {
		b := r.Bytes(data)
		if chars && (tail || printable(b)) {
			return append(dst, render.CString(b)...)
		}
		return appendByteList(dst, b)
	}
}

// printable tells whether the bytes before the first NUL are ASCII text.
func printable(b []byte) bool {
	for _, c := range b {
		switch {
		case c == 0:
			return true
		case c >= ' ' && c < 0x7f, c >= '\t' && c <= '\r':
		default:
			return false
		}
	}
	return true
}

func appendByteList(dst, b []byte) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, "ARRAY["...)
	for i, c := range b {
		if i > 0 {
			dst = append(dst, ',', ' ')
		}
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	return append(dst, ']')
}

// hasWord tells whether a C type has a word in it.
func hasWord(ctype, word string) bool {
	for _, w := range strings.FieldsFunc(ctype, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	}) {
		if w == word {
			return true
		}
	}
	return false
}

// conversions finds the conversion that a print fmt has for a field. As libtraceevent does, the search begins
// behind the conversion that was found last and wraps around; once the last part of the print fmt has been
// used up nothing more is found.
type conversions struct {
	parts []part
	next  int
	in    *input
	ev    *ir.Event
}

// part is a conversion of the print fmt with the text before it, or text at its end.
type part struct {
	field *ir.Field // nil: its value is not simply a field
	hex   bool      // "0x" stands right before it
	stmt  ir.Stmt
}

func parts(ev *ir.Event) []part {
	var list []part
	before := ""
	for _, s := range ev.Text {
		if lit, ok := s.(*ir.Lit); ok {
			before += lit.S
			continue
		}
		list = append(list, part{shownField(s), strings.HasSuffix(before, "0x"), s})
		before = ""
	}
	if before != "" {
		list = append(list, part{})
	}
	return list
}

func (c *conversions) find(f *ir.Field) func(dst, data []byte) []byte {
	if f.Kind != ir.Int || c.next >= len(c.parts) {
		return nil
	}
	for i := range c.parts {
		at := (c.next + i) % len(c.parts)
		p := c.parts[at]
		if p.field != f {
			continue
		}
		c.next = at + 1
		return c.compile(p)
	}
	return nil
}

func (c *conversions) compile(p part) func(dst, data []byte) []byte {
	ev := *c.ev
	ev.Text = []ir.Stmt{p.stmt}
	if p.hex {
		ev.Text = []ir.Stmt{&ir.Lit{S: "0x"}, p.stmt}
	}
	prog, err := interp.Compile(&ev, c.in.target)
	if err != nil {
		return nil
	}
	m := c.in.machine
	return func(dst, data []byte) []byte { return m.AppendText(dst, prog, data) }
}

// shownField returns the field whose plain value a statement prints, nil for any other statement.
func shownField(s ir.Stmt) *ir.Field {
	switch s := s.(type) {
	case *ir.PutInt:
		return loadedField(s.V)
	case *ir.PutText:
		call, ok := s.T.(*ir.Call)
		if !ok || len(call.Args) != 1 {
			return nil
		}
		switch call.Name {
		case "Pointer", "PointerHex", "Symbol", "SymbolOffset":
			if v, ok := call.Args[0].(ir.Value); ok {
				return loadedField(v)
			}
		}
	}
	return nil
}

// loadedField returns the field that a value is, casts aside.
func loadedField(v ir.Value) *ir.Field {
	for {
		switch x := v.(type) {
		case *ir.Convert:
			v = x.X
			continue
		case *ir.Load:
			from, ok := x.From.(*ir.FieldBytes)
			if !ok || from.Field.Kind != ir.Int || int(x.T.Size) != from.Field.Size {
				return nil
			}
			if at, ok := x.At.(*ir.Const); x.At != nil && (!ok || at.V != 0) {
				return nil
			}
			return from.Field
		}
		return nil
	}
}
