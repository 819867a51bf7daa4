package tracecmd

import (
	"strings"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/report/tracecmd/plugin"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// rawField prints one field of -R.
type rawField struct {
	label []byte // " name="
	put   func(dst, data []byte) []byte
}

// newRaw prints ` name=value` for every field. A number that the print fmt shows by itself is
// printed with that conversion. Other fields are printed with a conversion for their type (found by
// changing formats in a recording and observing trace-cmd 3.1.6). For an array without a declared
// length, other than text, trace-cmd prints no elements. If reference is set, newRaw does the same.
func newRaw(f *ftrace.Format, ev *ir.Event, in *input, style Style, reference bool) plugin.Handler {
	var fields []rawField
	size := 0
	if ev != nil {
		size = ev.Size
		c := newConversions(f, in, style)
		for _, fd := range ev.Fields {
			if fd.Common {
				continue
			}
			put := c.find(fd)
			if put == nil {
				put = byType(fd, in, f, reference)
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

// byType returns the conversion of a field that the print fmt does not show by itself. The format
// may declare the field in an unknown form.
func byType(f *ir.Field, in *input, format *ftrace.Format, reference bool) func(dst, data []byte) []byte {
	r, decl := interp.NewReader(f, in.formats.target), format.Field(f.Name)
	if f.Kind != ir.Int {
		declared := 0
		if decl != nil && f.Kind == ir.Tail {
			declared = decl.Size
		}
		if reference && f.Kind == ir.Tail && decl != nil && declared == 0 && !strings.Contains(decl.Decl, "[") {
			// a number of size 0: "u32 buf" of old kernels
			return func(dst, _ []byte) []byte { return append(dst, '0') }
		}
		return bytesOrText(f, r, declared, reference, in.characters(array{format, f.Name}))
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

// bytesOrText prints an array of printable characters as text, and other arrays as a list of bytes.
// Elements of type u8 count as characters. declared is the declared size in bytes. Records of
// stacks are longer.
func bytesOrText(
	f *ir.Field, r *interp.Reader, declared int, reference bool, seen *characters,
) func(dst, data []byte) []byte {
	chars := f.Text
	for _, word := range []string{"char", "u8", "__u8", "s8", "__s8", "uint8_t", "int8_t"} {
		chars = chars || hasWord(f.CType, word)
	}
	tail := f.Kind == ir.Tail
	return func(dst, data []byte) []byte {
		b := r.Bytes(data)
		if f.Fault && len(b) == 0 && !reference {
			return append(dst, "(fault)"...)
		}
		if chars && !seen.bytes && (tail && declared == 0 || printable(b)) {
			seen.text = true
			return append(dst, render.CString(b)...)
		}
		seen.bytes = true // libtraceevent never prints the array as text again
		switch {
		case declared > 0 && len(b) > declared:
			b = b[:declared]
		case tail && declared == 0 && reference:
			b = nil
		}
		return appendByteList(dst, b)
	}
}

// array is a field of an event.
type array struct {
	format *ftrace.Format
	name   string
}

// characters records the ways in which an array has been printed.
type characters struct{ text, bytes bool }

// characters returns the ways in which an array has been printed so far.
func (in *input) characters(a array) *characters {
	c := in.arrays[a]
	if c == nil {
		if c = new(characters); in.arrays == nil {
			in.arrays = map[array]*characters{}
		}
		in.arrays[a] = c
	}
	return c
}

// printable reports whether the bytes before the first NUL are ASCII text.
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

// hasWord reports whether a C type has a word in it.
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
