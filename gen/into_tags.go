package gen

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tracec/tracec/compiler/diag"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/suggest"
)

type reflectTag = reflect.StructTag

// fieldTag is what a tag `tracec:"NAME,OPTION,..."` says.
type fieldTag struct {
	has    bool
	bad    bool // reported already
	quoted bool // the name is one, whatever it looks like: "-,"
	name   string
	at     token.Pos // of the name
	narrow bool
	zero   bool
	ok     bool
	unit   time.Duration // 0: none
}

// tagOptions are the options of a tag.
var tagOptions = []string{"narrow", "zero", "ok", "ns", "us", "ms", "s"}

var tagUnits = map[string]time.Duration{"ns": time.Nanosecond, "us": time.Microsecond, "ms": time.Millisecond, "s": time.Second}

// parseTag reads the tag of a field.
func (s *Structs) parseTag(t *fieldTag, lit *ast.BasicLit) {
	text, ok := structTag(lit)
	if !ok {
		s.nearTag(t, lit)
		return
	}
	t.has = true
	// In a raw string, which is what people write, every word has a place of its own.
	at := lit.Pos()
	if i := strings.Index(lit.Value, `tracec:"`+text+`"`); i >= 0 && lit.Value[0] == '`' {
		at += token.Pos(i + len(`tracec:"`))
	}
	raw := at != lit.Pos()
	words := strings.Split(text, ",")
	t.name, t.at, t.quoted = words[0], at, len(words) > 1
	for i, w := range words {
		if i > 0 {
			s.tagOption(t, w, at)
		}
		if raw {
			at += token.Pos(len(w) + 1)
		}
	}
}

func (s *Structs) tagOption(t *fieldTag, w string, at token.Pos) {
	unit, isUnit := tagUnits[w]
	switch {
	case w == "narrow":
		t.narrow = true
	case w == "zero":
		t.zero = true
	case w == "ok":
		t.ok = true
	case isUnit && t.unit == 0:
		t.unit = unit
	case isUnit:
		t.bad = true
		s.report(&s.messages, at, "into-tag", "a second unit: %q", w)
	case w == "" && t.name == "-": // "-," is the name -
	default:
		t.bad = true
		s.report(&s.messages, at, "into-tag", "no such option: %q%s (there are %s)", w, suggest.DidYouMean(w, tagOptions), strings.Join(tagOptions, ", "))
	}
}

// nearTag reports a key that was meant to be ours.
func (s *Structs) nearTag(t *fieldTag, lit *ast.BasicLit) {
	text := strings.Trim(lit.Value, "`\"")
	if strings.HasPrefix(text, "tracec") { // without a colon, or without quotes after it
		t.bad = true
		s.report(&s.messages, lit.Pos(), "into-tag", "the tag does not parse: want `tracec:\"NAME\"`")
	}
}

// given is a value that an event has, or a record.
type given struct {
	name   string // in the description, @cpu and the like of the record
	ctype  string
	shape  shape
	typ    ir.Type // of a number, of the elements of a list, the Size of a float
	size   int     // bytes of a text or a blob, elements of a list, where it is fixed; else 0
	yesno  bool    // a number that is 0 or 1
	maybe  bool    // a record may lack it
	many   bool    // a record may have several
	time   bool    // a number of nanoseconds
	common bool    // all events have it

	field  *ir.Field // at an offset
	value  int       // sequential: in values.fields
	member string    // of record.Record
}

// shape is what a value is.
type shape uint8

const (
	ofNumber shape = iota
	ofFloat
	ofText // up to a NUL
	ofBlob // bytes
	ofList // of numbers
)

// recordGivens are what every record has.
var recordGivens = []*given{
	{name: "@cpu", member: "CPU", typ: ir.I32, ctype: "int32"},
	{name: "@id", member: "ID", typ: ir.U32, ctype: "uint32"},
	{name: "@lost", member: "Lost", typ: ir.I64, ctype: "int64"},
	{name: "@stream", member: "Stream", typ: ir.I32, ctype: "int32"},
	{name: "@task", member: "Task", typ: ir.I32, ctype: "int32"},
	{name: "@time", member: "Time", typ: ir.U64, ctype: "uint64", time: true},
}

// givens are the values of an event and of its record.
func (p *intoPkg) givens(e *intoEvent) (has []*given) {
	if e.payload == nil {
		for _, f := range e.Fields {
			has = append(has, fieldGiven(f))
		}
	} else if e.values != nil {
		for i, f := range e.values.fields {
			has = append(has, valueGiven(i, f, e))
		}
	}
	return append(has, recordGivens...)
}

// fieldGiven is a field at an offset.
func fieldGiven(f *ir.Field) *given {
	g := &given{name: f.Name, ctype: f.CType, field: f, common: f.Common}
	fixed := f.Kind == ir.Array || f.Kind == ir.Bytes
	switch {
	case f.Kind == ir.Int:
		g.typ = ir.Type{Size: int8(f.Size), Signed: f.Signed}
		g.yesno = f.CType == "bool" || f.CType == "_Bool"
	case f.Text:
		g.shape = ofText
	case f.Elem > 1:
		g.shape, g.typ = ofList, ir.Type{Size: int8(f.Elem), Signed: f.Signed}
	default:
		g.shape = ofBlob
	}
	if fixed {
		g.size = f.Size
		if g.shape == ofList {
			g.size /= f.Elem
		}
	}
	return g
}

// valueGiven is a value of a sequential event.
func valueGiven(i int, f *valueField, e *intoEvent) *given {
	g := &given{name: f.name, ctype: f.source, typ: f.typ, value: i, maybe: f.optional, many: f.repeated}
	var datum *ir.Datum
	for _, form := range e.values.forms {
		for _, d := range form.Values {
			if d.Name == f.name {
				datum = d
			}
		}
	}
	switch {
	case f.bytes && datum.Text:
		g.shape = ofText
	case f.bytes:
		g.shape = ofBlob
		for _, x := range e.Fields {
			if x.Name == f.name && x.Kind == ir.Bytes && x.Offset == ir.Sequential {
				g.size = x.Size
			}
		}
	case f.float:
		g.shape = ofFloat
	case datum.Enum != nil:
		g.typ = ir.I32 // the upper half is what the register held
	}
	return g
}

// given finds the value that a field of a struct is for, nil after a message.
func (s *Structs) given(f *StructField, has []*given, messages *diag.List) *given {
	if f.tag.name != "" {
		for _, g := range has {
			if g.name == f.tag.name {
				return g
			}
		}
		if g, _ := named(f.tag.name, has); g != nil { // names of values may have spaces, which _ stands for
			return g
		}
		s.report(messages, f.tag.at, "into-field", "%s", lacks(f.tag.name, has, givenNames(has)))
		return nil
	}
	wanted := f.name
	isHas := false
	if b, ok := f.typ.Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
		wanted, isHas = strings.CutPrefix(f.name, "Has")
	}
	g, like := named(f.name, has)
	if g == nil && like == nil && isHas && wanted != "" {
		if g, _ = named(wanted, has); g != nil && g.maybe {
			f.tag.ok = true
			return g
		}
		g = nil
	}
	switch {
	case g != nil:
		return g
	case like != nil:
		s.report(messages, f.at, "into-field", "%s may be %s: say which by a tag", f.path, strings.Join(like, " or "))
	default:
		s.report(messages, f.at, "into-field", "%s", lacks(f.name, has, append(givenNames(has), goNames(has)...)))
	}
	return nil
}

// lacks is the message for a name that is none of an event's, with what is like it, or else with all names.
func lacks(name string, has []*given, offered []string) string {
	var own []string
	for _, g := range has {
		if g.member == "" && !g.common {
			own = append(own, g.name)
		}
	}
	like := suggest.DidYouMean(name, offered)
	switch {
	case strings.HasPrefix(name, "@"):
		return "a record has no " + name + like
	case len(own) == 0:
		return "the event has no values, and no " + name
	case like == "":
		more := ""
		if len(own) > maxOffered {
			own, more = own[:maxOffered], ", ..."
		}
		return "the event has no " + name + "; it has " + strings.Join(own, ", ") + more
	}
	return "the event has no " + name + like
}

// maxOffered is how many names a message lists.
const maxOffered = 12

func givenNames(has []*given) (names []string) {
	for _, g := range has {
		names = append(names, g.name)
	}
	return names
}

// goNames are the names that fields of the event may have in Go.
func goNames(has []*given) (names []string) {
	for _, g := range has {
		if g.member == "" {
			names = append(names, goName(g.name))
		}
	}
	return names
}

// named finds the value that a Go name is for: the one of that name, else the one whose name in Go it is, else the one
// that differs in case and separators alone. If there are several of the last, like has their names.
func named(name string, has []*given) (g *given, like []string) {
	for _, is := range []func(*given) bool{
		func(g *given) bool { return g.name == name },
		func(g *given) bool { return goName(g.name) == name },
		func(g *given) bool { return letters(g.name) == letters(name) },
	} {
		var found []*given
		for _, g := range has {
			if g.member == "" && is(g) {
				found = append(found, g)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return nil, givenNames(found)
		}
	}
	return nil, nil
}

// letters is a name without case and separators.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if isAlnum(r) {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// find returns the event of a struct, nil after a message.
func (s *Structs) find(u *ir.Unit, x *Struct, known []string, messages *diag.List) *ir.Event {
	var found []*ir.Event
	for _, ev := range u.Events {
		if slices.ContainsFunc(eventRefs(ev), func(name string) bool { return x.isFor(ev, name, known) }) {
			found = append(found, ev)
		}
	}
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) > 1:
		var names []string
		for _, ev := range found {
			names = append(names, eventRefs(ev)[0])
		}
		s.report(messages, x.at, "into-event", "%s may be %s", x.Event, strings.Join(names, " or "))
		return nil
	}
	known = slices.Clone(known)
	for _, ev := range u.Events {
		known = append(known, eventRefs(ev)...)
	}
	separator := strings.IndexAny(x.Event, ":./")
	known = slices.DeleteFunc(known, func(name string) bool { // written as the directive has it
		return separator >= 0 && !strings.Contains(name, x.Event[separator:separator+1]) || separator < 0 && strings.ContainsAny(name, ":./")
	})
	s.report(messages, x.at, "into-event", "there is no event %s%s", x.Event, suggest.DidYouMean(x.Event, known))
	return nil
}

// isFor reports whether the directive of a struct names an event, which name is a name of. An event without a group may be called by one if
// that is among those which are known: a function by its module.
func (x *Struct) isFor(ev *ir.Event, name string, known []string) bool {
	switch {
	case name == x.Event:
		return true
	case ev.Variants != nil:
		return strings.EqualFold(name, x.Event)
	}
	return ev.Group == "" && strings.HasSuffix(x.Event, ":"+name) && slices.Contains(known, strings.TrimSuffix(x.Event, "/exit"))
}

// eventRefs are the names that a directive may call an event by, the most exact first. Those of returns end in /exit, as in messages of package bind.
func eventRefs(ev *ir.Event) (names []string) {
	plain := []string{ev.Name}
	if ev.Label != "" && ev.Label != ev.Name {
		plain = append(plain, ev.Label)
	}
	if ev.Variants != nil {
		if short := strings.TrimSuffix(ev.Name, "0"); len(ev.Name) == 4 && short != ev.Name { // 10C of 10C0, as templates have it
			plain = append(plain, short)
		}
		return plain
	}
	if ev.Group != "" {
		for _, name := range plain {
			names = append(names, ev.Group+":"+name, ev.Group+"."+name, ev.Group+"/"+name)
		}
	}
	names = append(names, plain...)
	if ev.Exit {
		for i := range names {
			names[i] += "/exit"
		}
	}
	return names
}

// Wants reports whether a struct is for an event of a group and a name, as long as it is not known which of several it is.
func (s *Structs) Wants(group, name string) bool {
	for _, x := range s.list {
		for _, ref := range eventRefs(&ir.Event{Group: group, Name: name}) {
			if x.Event == ref || x.Event == ref+"/exit" {
				return true
			}
		}
	}
	return false
}
