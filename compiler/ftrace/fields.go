package ftrace

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// maxRecord is above the maximum size in bytes of an event's data. A ring-buffer record fits into a
// sub-buffer, and the largest sub-buffer has 512 KiB (kernel/trace/ring_buffer.c, order 7 of 4K
// pages).
const maxRecord = 1 << 20

// layout lowers the field list of f to ev.
func (l *lowerer) layout(ev *ir.Event, f *grammar.File) {
	l.fields, l.dynamics = make(map[string]field, len(f.Fields)), map[string]field{}
	var tail *ir.Field
	common := f.Common()
	for i, gf := range f.Fields {
		if gf.Offset < 0 || gf.Size < 0 || gf.Offset > maxRecord || gf.Size > maxRecord-gf.Offset {
			l.report(gf.Pos, diag.Warning, "field-range", "field %s is outside of any record (offset %d, size %d)",
				gf.Name, gf.Offset, gf.Size)
			continue
		}
		for _, irf := range l.lower(ev, gf, i < common) {
			if irf.Kind == ir.Tail {
				if tail != nil { // a record ends once: a layout with two tails cannot be converted to another one
					l.report(gf.Pos, diag.Warning, "two-tails",
						"fields %s and %s both reach to the end of the record; the first does", tail.Name, irf.Name)
					continue
				}
				tail = irf
			}
			ev.Fields = append(ev.Fields, irf)
			if irf.Kind != ir.Tail {
				ev.Size = max(ev.Size, irf.Offset+irf.Size)
			}
			t := l.fieldType(irf, gf)
			names := l.fields
			if irf.Kind == ir.Dynamic {
				names = l.dynamics
			}
			if _, double := names[irf.Name]; double {
				l.report(gf.Pos, diag.Warning, "duplicate-field",
					"field %s is listed twice; the print fmt means the first", irf.Name)
				continue
			}
			names[irf.Name] = field{irf, t}
		}
	}
}

// lower makes the IR of one field line: one field, or one for every word of an array of __data_loc
// words.
func (l *lowerer) lower(ev *ir.Event, gf *grammar.Field, common bool) []*ir.Field {
	base := baseType(gf.Type, l.target)
	stars := strings.Count(gf.Type, "*")
	if stars > 0 {
		base = pointerTo(baseType(strings.ReplaceAll(gf.Type, "*", " "), l.target))
	}
	f := &ir.Field{
		Name: gf.Name, CType: ctypeText(gf), Offset: gf.Offset, Size: gf.Size,
		Signed: gf.Signed, Common: common,
	}
	if !gf.HasSigned {
		f.Signed = base.kind == kInt && base.signed
	}
	switch {
	case gf.Loc != grammar.LocNone:
		return l.dynamic(f, gf, base)
	case gf.Size == 0:
		f.Kind, f.Elem, f.Text = ir.Tail, l.elemSize(base), isCharType(gf.Type)
	case len(gf.Dims) > 0:
		l.array(f, gf, base)
	case base.kind == kStruct, !isWidth(gf.Size):
		f.Kind, f.Elem = ir.Bytes, 1
	default:
		f.Kind = ir.Int
		f.Hex = stars > 0
		f.Value = argumentType(ev, f, base)
	}
	if ev.Group == "ftrace" && f.Kind == ir.Array && f.Name == "caller" {
		// The stack events declare eight callers, but record the actual number of callers
		// (kernel/trace/trace_entries.h, stack_entry).
		f.Kind, f.Size = ir.Tail, 0
	}
	return []*ir.Field{f}
}

// argumentType returns the type of a system call's argument if the column does not declare it, else
// zero. All such arguments are unsigned words of a register (kernel/trace/trace_syscalls.c,
// syscall_enter_define_fields). The upper half of an int's word has no meaning.
func argumentType(ev *ir.Event, f *ir.Field, base *ctype) ir.Type {
	t := ir.Type{Size: int8(base.size), Signed: base.signed}
	declared := base.kind == kInt && base.known && t.Valid() && base.size <= f.Size && !f.Common
	if ev.Group != "syscalls" || !declared || base.size == f.Size && base.signed == f.Signed {
		return ir.Type{}
	}
	return t
}

// dynamic lowers __data_loc and __rel_loc words. Only a second dimension makes several words;
// arrays of strings of probes have one. Synthetic events keep the word of one field in the first
// half of a slot of eight bytes.
func (l *lowerer) dynamic(f *ir.Field, gf *grammar.Field, base *ctype) []*ir.Field {
	f.Kind, f.Rel, f.Elem = ir.Dynamic, gf.Loc == grammar.LocRel, l.elemSize(base)
	f.Text = isCharType(gf.Type)
	if strings.Contains(gf.Type, "cpumask_t") {
		f.Elem = l.target.WordSize
	}
	n, array := words(gf)
	if gf.Size < 4 || array && gf.Size != 4*n {
		f.Kind, f.Rel, f.Elem, f.Text = ir.Bytes, false, 1, false
		l.report(gf.Pos, diag.Warning, "field-shape", "field %s: a length-and-offset word of %d bytes", gf.Name,
			gf.Size)
		return []*ir.Field{f}
	}
	f.Size = 4
	if !array {
		return []*ir.Field{f}
	}
	all := make([]*ir.Field, n)
	for i := range all {
		word := *f
		word.Name, word.Offset = f.Name+"["+strconv.Itoa(i)+"]", f.Offset+4*i
		all[i] = &word
	}
	return all
}

// words returns the number of length-and-offset words in a field that is an array of such words. It
// returns false for a single word. A probe has up to 64 (kernel/trace/trace_probe.h,
// MAX_ARRAY_LEN).
func words(gf *grammar.Field) (n int, array bool) {
	if len(gf.Dims) != 2 {
		return 1, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(gf.Dims[0] + gf.Dims[1])) // one is empty: char[][3] name, char[] name[3]
	return n, err == nil && n >= 1 && n <= 64
}

func (l *lowerer) array(f *ir.Field, gf *grammar.Field, base *ctype) {
	f.Kind = ir.Array
	if isCharType(gf.Type) {
		f.Elem, f.Text = 1, true
		return
	}
	count := 1
	for _, d := range gf.Dims {
		n, err := strconv.Atoi(strings.TrimSpace(d))
		if err != nil {
			n = 0
		}
		count *= n
	}
	switch elem := l.elemSize(base); {
	case base.kind == kStruct:
		f.Kind, f.Elem = ir.Bytes, 1
	case count > 0 && gf.Size%count == 0 && isWidth(gf.Size/count):
		f.Elem = gf.Size / count
	case gf.Size%elem == 0:
		f.Elem = elem
	default:
		f.Kind, f.Elem = ir.Bytes, 1
	}
}

func (l *lowerer) elemSize(base *ctype) int {
	if n := base.sizeof(l.target); base.kind != kStruct && isWidth(n) {
		return n
	}
	return 1
}

func isWidth(n int) bool { return n == 1 || n == 2 || n == 4 || n == 8 }

// isCharType distinguishes text from small numbers: `char`, never u8 or `unsigned char`.
func isCharType(t string) bool {
	for w := range strings.FieldsSeq(t) {
		if w != "char" && !qualifiers[w] {
			return false
		}
	}
	return strings.Contains(t, "char")
}

// fieldType returns the C type of REC->name: the width and sign in the columns, the rest in the
// declaration.
func (l *lowerer) fieldType(f *ir.Field, gf *grammar.Field) *ctype {
	elem := func() *ctype {
		if f.Text {
			return typeChar
		}
		base := baseType(strings.ReplaceAll(gf.Type, "*", " "), l.target)
		if base.kind == kStruct && base.known {
			return base
		}
		return intType(max(f.Elem, 1), f.Signed || base.kind == kInt && base.signed)
	}
	switch f.Kind {
	case ir.Int:
		if strings.Contains(gf.Type, "*") && f.Size == l.target.WordSize {
			return pointerTo(baseType(strings.ReplaceAll(gf.Type, "*", " "), l.target))
		}
		t := intType(f.Size, f.Signed)
		if s, ok := typedefs[gf.Type]; ok && s == 1 && strings.Contains(gf.Type, "ool") {
			return typeBool
		}
		return t
	case ir.Bytes:
		t := baseType(gf.Type, l.target)
		if t.kind == kStruct {
			members := t.members
			if t.size != f.Size {
				members = nil // another kernel's struct of the same name
			}
			return &ctype{kind: kStruct, size: f.Size, name: t.name, known: true, members: members}
		}
		return &ctype{kind: kArray, size: f.Size, elem: typeByte, known: true}
	case ir.Dynamic:
		return intType(4, false) // the word itself; the macros get at the data
	}
	return &ctype{kind: kArray, size: f.Size, elem: elem(), known: true}
}

// ctypeText returns the declared type with the dimensions, for people.
func ctypeText(gf *grammar.Field) string {
	var b strings.Builder
	b.WriteString(cmp.Or(gf.Type, "?"))
	for _, d := range gf.Dims {
		b.WriteString("[" + d + "]")
	}
	return b.String()
}
