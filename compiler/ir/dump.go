package ir

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Dump writes u as text, with each field and each statement on its own line. The output is
// deterministic, so a golden test or a diff shows the statements that a pass has changed. The text
// cannot be parsed back.
func (u *Unit) Dump(w io.Writer) error {
	b := bufio.NewWriter(w)
	order := "little"
	if u.Target.BigEndian {
		order = "big"
	}
	fmt.Fprintf(b, "unit %s source=%q order=%s word=%d events=%d\n",
		u.Lang, u.Source, order, u.Target.WordSize, len(u.Events))
	for _, ev := range u.Events {
		b.WriteByte('\n')
		dumpEvent(b, ev)
	}
	return b.Flush()
}

// Dump writes ev as text: its header, its fields, the tables that its rendering uses, and the
// rendering.
func (ev *Event) Dump(w io.Writer) error {
	b := bufio.NewWriter(w)
	dumpEvent(b, ev)
	return b.Flush()
}

func dumpEvent(b *bufio.Writer, ev *Event) {
	fmt.Fprintf(b, "event %s:%s id=%d size=%d", word(ev.Group), word(ev.Name), ev.ID, ev.Size)
	if ev.Label != "" {
		fmt.Fprintf(b, " label=%q", ev.Label)
	}
	if ev.Exit {
		b.WriteString(" exit")
	}
	if ev.Slots > 0 {
		fmt.Fprintf(b, " slots=%d", ev.Slots)
	}
	if ev.Buffers > 0 {
		fmt.Fprintf(b, " buffers=%d", ev.Buffers)
	}
	b.WriteByte('\n')
	if ev.Variants != nil {
		for _, v := range ev.Variants {
			dumpEvent(b, v)
		}
		return
	}
	for _, f := range ev.Fields {
		dumpField(b, f, "  field ")
	}
	if !ev.HasText {
		fmt.Fprintf(b, "  no text: %s\n", strconv.Quote(ev.Why))
	} else {
		dumpText(b, ev)
	}
	if ev.Decode != nil {
		b.WriteString("  values\n")
		b.WriteString(ev.DumpDecode())
	}
}

// DumpDecode returns the program that yields the values of ev as text.
func (ev *Event) DumpDecode() string {
	d := newDumper(ev)
	d.block(ev.Decode, 2)
	return d.b.String()
}

func dumpField(b *bufio.Writer, f *Field, before string) {
	fmt.Fprintf(b, "%s%s\n", before, f)
	if f != nil {
		for _, m := range f.Fields {
			dumpField(b, m, "  "+before)
		}
	}
}

func dumpText(b *bufio.Writer, ev *Event) {
	d := newDumper(ev)
	d.block(ev.Text, 2)
	// Tables are found while printing, but come first. They are long, and a program reads better
	// without them.
	for i, t := range d.order {
		fmt.Fprintf(b, "  table T%d\n", i)
		for _, r := range t.Rows {
			fmt.Fprintf(b, "    %#x %q\n", r.Value, r.Text)
		}
	}
	b.WriteString("  text\n")
	b.WriteString(d.b.String())
}

// flags prints the names of the conditions that are true.
func flags(b *strings.Builder, pairs ...any) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i].(bool) {
			b.WriteByte(' ')
			b.WriteString(pairs[i+1].(string))
		}
	}
}

// decoded prints a field that Decode yields.
func (f *Field) decoded(b *strings.Builder) {
	place := "next"
	if f.Offset == Computed {
		place = "computed"
	}
	fmt.Fprintf(b, "%s %q %s %s:%d", word(f.Name), f.CType, f.Kind, place, f.Size)
	if f.Count > 0 {
		fmt.Fprintf(b, " count=%d", f.Count)
	}
	if f.Align > 1 {
		fmt.Fprintf(b, " align=%d", f.Align)
	}
	if f.PadAfter > 1 {
		fmt.Fprintf(b, " pad=%d", f.PadAfter)
	}
	if f.Value != (Type{}) {
		fmt.Fprintf(b, " value=%s", f.Value)
	}
	if f.Bits.Count > 0 {
		fmt.Fprintf(b, " bits=%d@%d", f.Bits.Count, f.Bits.At)
	}
	if f.Bits.Overlap > 0 {
		fmt.Fprintf(b, " overlap=%d", f.Bits.Overlap)
	}
	if f.From != nil {
		fmt.Fprintf(b, " from=%s", word(f.From.Name))
	}
	for _, r := range f.When {
		fmt.Fprintf(b, " when=%#x..%#x", r.Low, r.High)
	}
	flags(b, f.Signed, "signed", f.Order == LittleEndian, "little-endian", f.Order == BigEndian, "big-endian",
		f.Text, "text", f.Hex, "hex", f.Optional, "optional")
}

// String returns the field in the form of Dump.
func (f *Field) String() string {
	if f == nil {
		return "<nil>"
	}
	var b strings.Builder
	if f.Decoded() {
		f.decoded(&b)
		return b.String()
	}
	fmt.Fprintf(&b, "%s %q %s @%d:%d", word(f.Name), f.CType, f.Kind, f.Offset, f.Size)
	if f.Kind != Int && f.Kind != Bytes {
		fmt.Fprintf(&b, " elem=%d", f.Elem)
	}
	if f.Value.Valid() {
		fmt.Fprintf(&b, " value=%s", f.Value)
	}
	flags(&b, f.Signed, "signed", f.Rel, "rel", f.Text, "text", f.Fault, "fault", f.Common, "common", f.Hex, "hex")
	return b.String()
}

// String returns the kind in the form of Dump.
func (k Kind) String() string {
	switch k {
	case Int:
		return "int"
	case Array:
		return "array"
	case Dynamic:
		return "dynamic"
	case Tail:
		return "tail"
	case Bytes:
		return "bytes"
	case Float:
		return "float"
	case Counted:
		return "counted"
	case Terminated:
		return "terminated"
	case Struct:
		return "struct"
	case Union:
		return "union"
	case List:
		return "list"
	case Variant:
		return "variant"
	}
	return "kind(" + strconv.Itoa(int(k)) + ")"
}

var exitNames = [...]string{"ended", "break", "skip", "stop", "error", "short"}

// String returns the reason in the form of Dump.
func (r ExitReason) String() string {
	if int(r) < len(exitNames) {
		return exitNames[r]
	}
	return "exit(" + strconv.Itoa(int(r)) + ")"
}

// String returns i32, u64 and so on.
func (t Type) String() string {
	if t.Signed {
		return "i" + strconv.Itoa(8*int(t.Size))
	}
	return "u" + strconv.Itoa(8*int(t.Size))
}

// word returns s if s can only be a name, and s quoted otherwise. Names come from recordings.
func word(s string) string {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9' || i == 0) {
			return strconv.Quote(s)
		}
	}
	if s == "" {
		return `""`
	}
	return s
}

// dumper prints programs into b and numbers the tables it meets.
type dumper struct {
	b      strings.Builder
	tables map[*Table]int
	order  []*Table
	paths  map[*Field]string // of the values that programs keep: id.x, list[]
}

func newDumper(ev *Event) *dumper {
	d := &dumper{tables: map[*Table]int{}, paths: map[*Field]string{}}
	for _, f := range ev.Fields {
		if f != nil && f.Decoded() {
			d.name(f, word(f.Name))
		}
	}
	return d
}

// name notes the paths of a value and of its parts.
func (d *dumper) name(f *Field, path string) {
	d.paths[f] = path
	for _, m := range f.Fields {
		switch {
		case m == nil:
		case f.Kind == List:
			d.name(m, path+"[]")
		default:
			d.name(m, path+"."+word(m.Name))
		}
	}
}

func (d *dumper) printf(format string, args ...any) { fmt.Fprintf(&d.b, format, args...) }

func (d *dumper) block(body []Stmt, depth int) {
	for _, s := range body {
		d.indent(depth)
		d.stmt(s, depth)
		d.b.WriteByte('\n')
	}
}

func (d *dumper) indent(depth int) {
	for range depth {
		d.b.WriteString("  ")
	}
}

// braces prints `{ … }` over several lines, without the final line end.
func (d *dumper) braces(body []Stmt, depth int) {
	d.b.WriteString("{\n")
	d.block(body, depth+1)
	d.indent(depth)
	d.b.WriteByte('}')
}

func (d *dumper) stmt(s Stmt, depth int) {
	switch s := s.(type) {
	case *Lit:
		d.printf("lit %q", s.S)
	case *PutInt:
		d.b.WriteString("put ")
		d.spec(s.Spec, depth)
		d.b.WriteByte(' ')
		d.value(s.V, depth)
	case *PutText:
		d.b.WriteString("put ")
		d.spec(s.Spec, depth)
		d.b.WriteByte(' ')
		d.text(s.T, depth)
	case *Let:
		d.printf("let $%d = ", s.Slot)
		d.value(s.V, depth)
	case *LetBytes:
		d.printf("let %%%d = ", s.Slot)
		d.region(s.V, depth)
	case *If:
		d.b.WriteString("if ")
		d.value(s.Cond, depth)
		d.b.WriteByte(' ')
		d.braces(s.Then, depth)
		if s.Else != nil {
			d.b.WriteString(" else ")
			d.braces(s.Else, depth)
		}
	case *Switch:
		d.dumpSwitch(s, depth)
	case *Loop:
		d.b.WriteString("while ")
		d.value(s.Cond, depth)
		d.printf(" limit %d ", s.Limit)
		d.braces(s.Body, depth)
	case *Require:
		d.b.WriteString("require ")
		d.region(s.Of, depth)
		d.b.WriteString(" >= ")
		d.value(s.Bytes, depth)
	case *Exit:
		d.printf("exit %s", s.Reason)
		if s.At != nil {
			d.b.WriteString(" @ ")
			d.value(s.At, depth)
		}
	case *Keep:
		d.keep(s, depth)
	default:
		d.printf("<%T>", s)
	}
}

func (d *dumper) keep(s *Keep, depth int) {
	path, ok := d.paths[s.Field]
	if !ok {
		path = "<unknown field>"
	}
	d.b.WriteString("keep " + path)
	switch {
	case s.Of != nil:
		d.b.WriteString(" = ")
		d.region(s.Of, depth)
	case s.V != nil:
		d.b.WriteString(" = ")
		d.value(s.V, depth)
	}
}

func (d *dumper) dumpSwitch(s *Switch, depth int) {
	d.b.WriteString("switch ")
	d.value(s.X, depth)
	d.b.WriteString(" {\n")
	for _, c := range s.Cases {
		d.indent(depth + 1)
		d.b.WriteString("case")
		for _, v := range c.Values {
			d.b.WriteByte(' ')
			d.constant(s.X.Type(), v)
		}
		d.b.WriteByte(' ')
		d.braces(c.Body, depth+1)
		d.b.WriteByte('\n')
	}
	if s.Default != nil {
		d.indent(depth + 1)
		d.b.WriteString("default ")
		d.braces(s.Default, depth+1)
		d.b.WriteByte('\n')
	}
	d.indent(depth)
	d.b.WriteByte('}')
}

func (d *dumper) spec(s Spec, depth int) {
	d.b.WriteByte('%')
	for _, f := range []struct {
		on bool
		c  byte
	}{{s.Minus, '-'}, {s.Plus, '+'}, {s.Space, ' '}, {s.Sharp, '#'}, {s.Zero, '0'}} {
		if f.on {
			d.b.WriteByte(f.c)
		}
	}
	if s.WidthArg != nil {
		d.b.WriteByte('<')
		d.value(s.WidthArg, depth)
		d.b.WriteByte('>')
	} else if s.Width != 0 {
		d.printf("%d", s.Width)
	}
	if s.PrecArg != nil {
		d.b.WriteString(".<")
		d.value(s.PrecArg, depth)
		d.b.WriteByte('>')
	} else if s.Prec >= 0 {
		d.printf(".%d", s.Prec)
	}
	if s.Verb != 0 {
		d.b.WriteString(strings.Trim(strconv.QuoteRune(rune(s.Verb)), "'"))
	}
}
