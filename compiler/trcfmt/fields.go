package trcfmt

import (
	"cmp"
	"fmt"
	"strings"

	passes "github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// fields collects the values that a template consumes, over its four environments. The package
// comment has the rules of their names. A value is a place in the template, together with the calls
// that lead to it. Its name is the one in the first environment that reads it. Places with the same
// name share one field. It is an error if a record can have values at several of these places, or
// if no type fits all of them.
type fields struct {
	places map[string]*field
	names  map[string]*field // by letters and digits in lower case: Go names distinguish no more
	list   []*field
	// dropped are the values that another field replaces.
	dropped []*ir.Field
	calls   map[string]map[string]int // the call paths to a callee, by its name, counted from 0
	clash   diag.List
	apart   apart
	// tooMany is set if there are more values than maxFields.
	tooMany bool

	// The members below are reset for every environment.
	label   string         // text in front of the next value
	outer   string         // the label before the enclosing choice, for arms without a label
	assign  *operands      // the enclosing assignment; nil outside of one
	last    string         // the last value that a label or a macro named
	chain   string         // the enclosing calls
	suffix  string         // of the names inside these calls
	front   []ir.Stmt      // data words with only their own name
	ordinal map[string]int // of values that only the preceding value distinguishes
	handed  *field         // the value handed out last
	hands   int            // the number of values handed out
}

// maxFields bounds the values of one template.
const maxFields = 512

// consumed is a value as it is read at one place.
type consumed struct {
	name, source string
	typ          ir.Type // of a number
	text, float  bool
}

// field is one value.
type field struct {
	consumed
	labels []string // other names
	enum   *ir.Enum
	out    *ir.Field
	// same is the common source of all its places: a data word or a macro. It is empty if an event
	// can have several values.
	same  string
	macro bool // all of it is assigned to one macro, which has one value at a time
	nodes []grammar.Node
	keeps []*ir.Keep
	cast  string    // of a data word without a label, if all its reads have this signed cast
	whole []wholeOf // the word of each of keeps, if cast is set
}

// wholeOf is a data word without a cast.
type wholeOf struct {
	v   ir.Value
	typ ir.Type
}

// operands are the operands of an expression.
type operands struct {
	n   int
	typ ir.Type // of the last
}

func newFields(a apart) *fields {
	return &fields{places: map[string]*field{}, names: map[string]*field{}, calls: map[string]map[string]int{},
		apart: a}
}

// environment compiles s once more and keeps its values.
func (f *fields) environment(c *compiler, s *grammar.Stanza, ev *ir.Event, env Env) {
	l := newLowerer(c, env, ev.Fields[0], false)
	l.fields = f
	f.label, f.outer, f.assign, f.last, f.chain, f.suffix, f.front = "", "", nil, "start", "", "", nil
	f.ordinal = map[string]int{}
	body := l.stanza(s)
	ir.BoundLoops(body) // like the text, before loops without values are removed
	ev.Decode = append(f.front, body...)
	ev.Slots, ev.Buffers = max(ev.Slots, l.locals.values), max(ev.Buffers, l.locals.texts)
}

// finish determines the types, and the values that every record has.
func (f *fields) finish(t *Template) {
	f.once(t)
	for _, g := range f.list {
		g.settle()
	}
	for _, ev := range t.Events {
		if !ev.HasText {
			t.withoutValues()
			return
		}
		ev.Decode = passes.ValuesOnly(ev.Decode, f.dropped...)
	}
	values := f.presence(t)
	f.clash.Sort()
	for _, ev := range t.Events {
		ev.Fields = append(ev.Fields[:1:1], values...)
	}
}

// settle sets the type of the field, which must fit the value at all places.
func (g *field) settle() {
	*g.out = ir.Field{Name: g.name, Labels: g.labels, CType: g.source, Kind: ir.Bytes, Offset: ir.Computed,
		Text: g.text, Enum: g.enum}
	if g.isBytes() {
		return
	}
	g.out.Kind, g.out.Size, g.out.Signed = ir.Int, int(g.typ.Size), g.typ.Signed
	if g.float {
		g.out.Kind = ir.Float
	}
	for _, k := range g.keeps {
		if k.V.Type() != g.typ {
			k.V = &ir.Convert{T: g.typ, X: k.V}
		}
	}
}

func (c *consumed) isBytes() bool { return c.typ == ir.Type{} }

// outs are the fields of the values.
func (f *fields) outs() []*ir.Field {
	out := make([]*ir.Field, len(f.list))
	for i, g := range f.list {
		out[i] = g.out
	}
	return out
}

// presence finds the values that every record has, the values that one record can have several
// times, and the values that exclude each other. It returns the fields of an event. A value that a
// record can have several times is a list.
func (f *fields) presence(t *Template) []*ir.Field {
	values := f.outs()
	twice := make([]bool, len(values)) // on a path that runs every loop once
	for _, ev := range t.Events {
		for i, n := range passes.Presence(ev.Decode, values, true) {
			twice[i] = twice[i] || n.Max > 1
		}
	}
	for i, g := range f.list {
		if twice[i] && g.same == "" {
			f.collide(g, g.nodes[len(g.nodes)-1], "an event can have both")
		}
	}
	repeated := make([]bool, len(values))
	for _, ev := range t.Events {
		for i, n := range passes.Presence(ev.Decode, values, false) {
			values[i].Optional = values[i].Optional || n.Min == 0
			repeated[i] = repeated[i] || n.Max > 1 && f.list[i].same == "" && !twice[i]
		}
	}
	for i, g := range f.list {
		if repeated[i] { // a list may be empty
			values[i] = &ir.Field{
				Name: g.name, CType: g.source, Kind: ir.List, Offset: ir.Computed, Fields: []*ir.Field{g.out},
			}
			g.out.Name, g.out.Optional = "", false
		} else if other := f.names["has"+key(g.name)]; other != nil && g.out.Optional {
			f.clash = append(f.clash, diag.New(other.nodes[0].Position(), diag.Error, "field-name",
				"%q reports whether there is a value %q: give it another label or its own macro: {{ $name = %s }}",
				other.name, g.name, other.source))
		}
	}
	return values
}

func (t *Template) withoutValues() {
	for _, ev := range t.Events {
		ev.Fields, ev.Decode = ev.Fields[:1:1], nil
	}
}

// collide reports, once, that the value at n cannot share its field with earlier values.
func (f *fields) collide(g *field, n grammar.Node, why string) {
	f.apart.note(g.name)
	first, at := g.nodes[0].Position(), n.Position()
	for _, d := range f.clash {
		if d.Pos.Line == at.Line && d.Pos.Column == at.Column {
			return
		}
	}
	f.clash = append(f.clash, diag.New(at, diag.Error, "field-name",
		"an earlier value, at %d:%d, is also named %q, and %s: give one of them another label or its own macro: {{ $name = %s }}",
		first.Line, first.Column, g.name, why, g.source))
}

// note sets text as the label of the value after it.
func (f *fields) note(text string, blank bool) {
	if f == nil {
		return
	}
	f.label += text
	if blank {
		f.label += " "
	}
}

// endLabel ends the label of a macro that the template has assigned, because the value already has
// a name.
func (l *lowerer) endLabel(m *grammar.Macro) {
	if _, ok := l.frame.scope.find(m.Name); ok {
		l.fields.forget()
	}
}

// forget ends a label at the start of a new line, or at output after a choice.
func (f *fields) forget() {
	if f != nil {
		f.label, f.outer = "", ""
	}
}

// pending returns the name that the next value has so far.
func (f *fields) pending() string {
	if f == nil {
		return ""
	}
	if name := labelName(f.label); name != "" {
		return name
	}
	return labelName(f.outer)
}

// arm begins an arm of a choice with label in front of it.
func (f *fields) arm(label string) {
	if f != nil {
		f.label, f.outer = "", label
	}
}

// hint names a switch with one case by the output of that case: `B0.1, 1 B_FLAG0`.
func (f *fields) hint(n *grammar.Switch) {
	if f == nil || f.pending() != "" || len(n.Cases) != 1 || len(n.Cases[0].Body) != 1 {
		return
	}
	if m, ok := n.Subject.(*grammar.Macro); ok && !isDataWord(m.Name) {
		return
	}
	switch t := n.Cases[0].Body[0].(type) {
	case *grammar.Word:
		f.label = t.Value
	case *grammar.String:
		f.label = t.Value
	}
}

// enter begins a call of a subroutine or function. The returned function ends it. The names in the
// second call of the same one end in 2, and so on.
func (f *fields) enter(at grammar.Node, callee string) (leave func()) {
	if f == nil {
		return func() {}
	}
	chain, suffix := f.chain, f.suffix
	f.chain += fmt.Sprintf("/%p", at)
	ways := f.calls[callee]
	if ways == nil {
		ways = map[string]int{}
		f.calls[callee] = ways
	}
	n, ok := ways[f.chain]
	if !ok {
		n = len(ways)
		ways[f.chain] = n
	}
	if n > 0 {
		f.suffix += fmt.Sprintf(" %d", n+1)
	}
	return func() { f.chain, f.suffix = chain, suffix }
}

// consume keeps the datum of a code at the pointer, before the pointer moves.
func (l *lowerer) consume(c *grammar.Code, d datum) {
	if l.fields == nil || c.Letter == 'H' {
		return
	}
	k, out := &ir.Keep{}, consumed{source: codeText(c), float: c.Letter == 'F'}
	switch s, isText := d.text.(*ir.CString); {
	case isText:
		k.Of, out.text = s.Of, true
	case d.v != nil && !(c.Letter == 'B' && codeBits(c) > 64):
		k.V, out.typ = d.v, l.width(c, d.v)
	case c.Letter == 'B':
		return // not a number, and not at a byte boundary
	default:
		k.Of = l.slice(konst(int64(l.bytes(c))))
	}
	if a := l.fields.assign; a != nil {
		a.n, a.typ = a.n+1, out.typ
		return
	}
	before := l.handed()
	l.handOut(c, k, out, "", func() string { return l.placeName(c) })
	l.errno(before, c)
}

// consumeText is consume for $reg%S1.
func (l *lowerer) consumeText(m *grammar.Macro, r ir.Region) {
	if l.fields != nil {
		otherwise := func() string { return m.Name + " string" }
		l.handOut(m, &ir.Keep{Of: r}, consumed{source: macroText(m), text: true}, "", otherwise)
	}
}

// consumeWord keeps a data word, or the hook data, that a macro names. v is its value after the
// cast. Every record has these words. A word without a label is therefore kept under its own name,
// in front of everything: signed if its only use is to be printed with one cast to D, else as the
// whole word.
func (l *lowerer) consumeWord(m *grammar.Macro, v ir.Value) {
	f := l.fields
	if f == nil || !isDataWord(m.Name) {
		return
	}
	if f.assign != nil {
		f.assign.n, f.assign.typ = f.assign.n+1, wordType(m, v)
		return
	}
	out := consumed{source: macroText(m), typ: wordType(m, v)}
	before := f.hands
	if f.pending() != "" {
		l.handOut(m, &ir.Keep{V: v}, out, wordOf(m), nil)
		l.errno(before, m.Cast)
		return
	}
	outer, chain, suffix, last := l.out, f.chain, f.suffix, f.last
	l.out, f.chain, f.suffix = &f.front, "", ""
	cast := ""
	if m.Cast != nil && m.Cast.Letter == 'D' {
		cast = codeText(m.Cast)
	}
	g := f.names[key(m.Name)]
	own := g != nil && g.same == m.Name
	if own && g.cast != cast {
		g.unsign()
		cast = ""
	}
	if own && f.inFront(g.out) {
		f.hand(g)
	} else {
		raw := l.value(m)
		whole := wholeOf{raw, wordType(&grammar.Macro{Name: m.Name}, raw)}
		if cast == "" {
			out.source, out.typ, v = "$"+m.Name, whole.typ, raw
		}
		f.label = m.Name
		l.handOut(m, &ir.Keep{V: v}, out, m.Name, nil)
		if f.hands > before {
			f.handed.cast, f.handed.whole = cast, append(f.handed.whole, whole)
		}
	}
	l.out, f.chain, f.suffix, f.last = outer, chain, suffix, last
	f.forget()
	l.errno(before, m.Cast)
}

// unsign turns a signed data word into a whole one.
func (g *field) unsign() {
	if g.cast == "" {
		return
	}
	g.cast, g.source, g.typ = "", "$"+g.same, ir.Type{}
	for i, w := range g.whole {
		g.keeps[i].V, g.typ = w.v, ir.Type{Size: max(g.typ.Size, w.typ.Size)}
	}
}

// wordType returns the type of a data word after its cast. The hook data have 16 bits.
func wordType(m *grammar.Macro, v ir.Value) ir.Type {
	if m.Name == "HD" && m.Cast == nil {
		return ir.U16
	}
	return v.Type()
}

// inFront reports whether a data word is kept in front already.
func (f *fields) inFront(word *ir.Field) bool {
	for _, s := range f.front {
		if s.(*ir.Keep).Field == word {
			return true
		}
	}
	return false
}

// assignment begins an assignment to a macro. v is the assigned value. The returned function ends
// the assignment.
func (l *lowerer) assignment(n *grammar.Assign) (end func(v ir.Value)) {
	f := l.fields
	if f == nil {
		return func(ir.Value) {}
	}
	outer := f.assign
	f.assign = &operands{}
	return func(v ir.Value) {
		read := f.assign
		f.assign = outer
		if read.n == 0 || read.typ == (ir.Type{}) {
			return
		}
		typ := ir.U64
		if read.n == 1 && len(n.Value.Rest) == 0 {
			typ = read.typ
		}
		f.label = n.Macro.Name
		l.handOut(n, &ir.Keep{V: v}, consumed{source: "$" + n.Macro.Name, typ: typ}, "$"+n.Macro.Name, nil)
	}
}

// handOut emits k for the value at n. same names the source, such as a data word, if all places of
// a name read the same source in an event. otherwise returns the name of a value without a label.
func (l *lowerer) handOut(n grammar.Node, k *ir.Keep, d consumed, same string, otherwise func() string) {
	f := l.fields
	d.name = f.pending()
	f.forget()
	if d.name == "" && otherwise == nil { // a macro such as $1
		d.name = "macro " + strings.TrimPrefix(d.source, "$")
	} else if d.name == "" {
		d.name = otherwise()
	} else {
		f.last = d.name
	}
	d.name += f.suffix
	place := fmt.Sprintf("%s@%p", f.chain, n)
	g := f.places[place]
	if g == nil {
		d.name = f.apart.name(d.name, cmp.Or(same, place), func(name string) bool { return f.names[key(name)] != nil })
		if g = f.names[key(d.name)]; g == nil {
			if len(f.list) >= maxFields {
				f.overflow(n)
				return
			}
			g = &field{consumed: d, out: new(ir.Field), same: same, macro: true}
			f.list, f.names[key(d.name)] = append(f.list, g), g
		}
		if f.places[place] = g; g.same != same {
			g.same = ""
		}
		g.nodes = append(g.nodes, n)
	}
	_, isMacro := n.(*grammar.Assign)
	if g.macro = g.macro && isMacro; g.macro && d.typ.Signed != g.typ.Signed {
		d.typ, g.typ = ir.U64, ir.U64
	}
	if d.isBytes() != g.isBytes() || d.text != g.text || d.float != g.float || d.typ.Signed != g.typ.Signed {
		f.collide(g, n, "they are of different kinds")
		return
	}
	g.typ.Size = max(g.typ.Size, d.typ.Size)
	k.Field = g.out
	f.hand(g)
	g.keeps = append(g.keeps, k)
	l.emit(k)
}

// hand notes that a value was handed out.
func (f *fields) hand(g *field) { f.handed, f.hands = g, f.hands+1 }

func (f *fields) overflow(n grammar.Node) {
	if f.tooMany {
		return
	}
	f.tooMany = true
	f.clash = append(f.clash, diag.New(n.Position(), diag.Error, "too-many-fields",
		"a template of more than %d values cannot be a struct", maxFields))
}

// width returns the type of the value that a code reads.
func (l *lowerer) width(c *grammar.Code, v ir.Value) ir.Type {
	bits := 8 * l.bytes(c)
	if c.Letter == 'B' {
		bits = codeBits(c)
	}
	t := ir.Type{Size: 8, Signed: v.Type().Signed}
	for t.Size > 1 && bits <= 4*int(t.Size) {
		t.Size /= 2
	}
	return t
}

func codeBits(c *grammar.Code) int { return 8*c.Size + c.Size2 }

func isDataWord(name string) bool {
	return name == "HD" || len(name) == 2 && (name[0] == 'D' || name[0] == 'L') && name[1] >= '1' && name[1] <= '5'
}

// placeName names a value without a label by its code and its place. The place is the byte in the
// event. If the byte differs between events, the place is the preceding value with a name.
func (l *lowerer) placeName(c *grammar.Code) string {
	name := strings.ReplaceAll(codeText(c), ".", "_")
	if l.ptr.local {
		name += " after " + l.fields.last
		if l.fields.ordinal[name]++; l.fields.ordinal[name] > 1 {
			name += fmt.Sprintf(" %d", l.fields.ordinal[name])
		}
		return name
	}
	name += fmt.Sprintf(" at %d", l.ptr.delta>>3)
	if bit := l.ptr.delta & 7; bit != 0 {
		name += fmt.Sprintf("_%d", bit)
	}
	return name
}
