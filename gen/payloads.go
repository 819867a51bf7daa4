package gen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/name"
	"github.com/tracec/tracec/gen/internal/page"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// payloadPkg is a package of events that are read from front to back.
type payloadPkg struct {
	system
	name   string
	target ir.Target
	events []*payload
	enums  []*enum

	names []eventName // parallel to events
}

// payload is such an event with its Go side.
type payload struct {
	*ir.Event
	goName string  // of the event
	typ    string  // of its struct
	values *values // nil if it has no values
}

// planPayloads names the events of u and lays out their values.
func planPayloads(u *ir.Unit, s system, opts Options) (*payloadPkg, error) {
	p := &payloadPkg{system: s, name: opts.Package, target: u.Target}
	events := slices.Clone(u.Events)
	slices.SortStableFunc(events, func(a, b *ir.Event) int {
		return cmp.Or(cmp.Compare(ident(a), ident(b)), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Group, b.Group))
	})
	if err := repeated(events); err != nil {
		return nil, err
	}
	names, err := payloadNames(events)
	if err != nil {
		return nil, err
	}
	calls := slices.ContainsFunc(events, func(ev *ir.Event) bool { return ev.Exit })
	var errs []error
	for i, ev := range events {
		y := &payload{Event: ev, goName: names[i]}
		typ, label := names[i], payloadLabel(ev)
		switch {
		case ev.Exit:
			y.goName, typ = names[i]+"Return", names[i]+"Result"
		case calls:
			typ += "Args"
		}
		y.typ = typ
		y.values, err = planValues(ev, u.Target, typ, label)
		p.events, errs = append(p.events, y), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	p.planEnums()
	p.checksHead = !slices.ContainsFunc(p.events, func(y *payload) bool { return !y.hasHead() })
	return p, nil
}

// hasHead reports whether records of the event begin with a head whose size the entry knows.
func (y *payload) hasHead() bool {
	return y.values != nil && y.values.varies() &&
		!slices.ContainsFunc(y.values.forms, func(f *form) bool { return f.Size == 0 || f.Start == 0 })
}

// repeated reports events that no recording can distinguish.
func repeated(events []*ir.Event) error {
	seen := map[uint32]*ir.Event{}
	for _, ev := range events {
		if ev.Variants == nil {
			continue
		}
		if seen[ev.ID] != nil {
			return fmt.Errorf("gen: two descriptions of %s: leave one out", payloadLabel(ev))
		}
		seen[ev.ID] = ev
	}
	return nil
}

// payloadLabel is an event in messages and comments.
func payloadLabel(ev *ir.Event) string {
	s := ev.Name
	if ev.Variants != nil {
		s = "hook " + s
		if ev.Label != "" {
			s += ", " + ev.Label
		}
		return s
	}
	if ev.Label != "" {
		s = ev.Label
	}
	if ev.Group != "" {
		s = ev.Group + ":" + s
	}
	if ev.Label != "" && ev.Label != ev.Name {
		s += " (" + ev.Name + ")"
	}
	if ev.Exit {
		s = "the return from " + s
	}
	return s
}

// payloadNames gives every event its identifier. The call and the return of a function have the
// same one. Events that cannot be distinguished by name, such as overloaded functions, get a
// suffix. It depends only on the event.
func payloadNames(events []*ir.Event) ([]string, error) {
	if !slices.ContainsFunc(events, func(ev *ir.Event) bool { return ev.Variants == nil }) {
		return labelNames(events), nil
	}
	subject := make([]int, len(events)) // for a return, its call; otherwise the event itself
	for i, ev := range events {
		subject[i] = i
		if i > 0 && ev.Exit && !events[i-1].Exit && ev.Group == events[i-1].Group && ev.Name == events[i-1].Name {
			subject[i] = i - 1
		}
	}
	names := make([]string, len(events))
	for i, ev := range events {
		names[i] = name.Exported(ident(ev))
	}
	for range 2 {
		clash := payloadClashes(names, subject, events)
		for i, ev := range events {
			if !clash[subject[i]] {
				continue
			}
			key := layoutKey(ev)
			if subject[i] != i {
				key = layoutKey(events[i-1]) + key
			} else if i+1 < len(events) && subject[i+1] == i {
				key += layoutKey(events[i+1])
			}
			names[i] = name.Exported(cmp.Or(ev.Ident, ev.Label, ident(ev))) + "X" +
				name.Fingerprint(ev.Group+":"+ev.Name+":"+key, 4)
		}
	}
	if i := slices.Index(payloadClashes(names, subject, events), true); i >= 0 {
		return nil, fmt.Errorf("gen: %s and another event both become the Go name %s: leave one out",
			payloadLabel(events[i]), names[i])
	}
	return names, nil
}

// ident returns the text from which the identifier of an event is made.
func ident(ev *ir.Event) string {
	if ev.Ident != "" {
		return ev.Ident
	}
	return ev.Group + " " + cmp.Or(ev.Label, ev.Name)
}

// layoutKey distinguishes events of one name and group.
func layoutKey(ev *ir.Event) string {
	return layoutKeyOf(ev.Fields[min(1, len(ev.Fields)):]) + "|"
}

func layoutKeyOf(fields []*ir.Field) (s string) {
	for _, f := range fields {
		s += fmt.Sprint(f.Name, f.Kind, f.Size, f.Signed, f.Align, f.PadAfter, f.Order, f.Count)
		if f.Bits != (ir.BitField{}) || f.From != nil || f.When != nil {
			s += fmt.Sprint(f.Bits, f.When, f.From != nil)
		}
		s += ";"
		s += layoutKeyOf(f.Fields)
	}
	return s
}

// payloadClashes finds the subjects that share one of their identifiers with another.
func payloadClashes(names []string, subject []int, events []*ir.Event) []bool {
	owners := map[string]map[int]bool{}
	own := func(i int, name string) {
		if owners[name] == nil {
			owners[name] = map[int]bool{}
		}
		owners[name][subject[i]] = true
	}
	calls := slices.ContainsFunc(events, func(ev *ir.Event) bool { return ev.Exit })
	identifiers := func(n string) []string {
		if calls {
			return []string{n, n + "Return", n + "Args", n + "Result"}
		}
		return []string{n}
	}
	for i, n := range names {
		for _, id := range identifiers(n) {
			own(i, id)
		}
	}
	clash := make([]bool, len(names))
	for i, n := range names {
		for _, id := range identifiers(n) {
			clash[subject[i]] = clash[subject[i]] || len(owners[id]) > 1 || decoderReserved[id]
		}
	}
	return clash
}

// literal returns the text of an event without values.
func (y *payload) literal() (text string) {
	for _, s := range y.Text {
		if lit, ok := s.(*ir.Lit); ok {
			text += lit.S
		}
	}
	return text
}

// files plans the files of the package.
func (p *payloadPkg) files(opts Options) []*page.File {
	file := func(suffix string, pieces ...func(*page.Page)) *page.File {
		return &page.File{Name: opts.Base + suffix + ".go", Package: p.name, Imports: p.imports, Rename: opts.rename(),
			Parts: pieces}
	}
	decoder := func(out *page.Page) {
		(&api{system: p.system, text: opts.Text}).write(out, p.names)
	}
	main := file("", handshake, decoder, p.structs, p.enumTypes, p.dispatch, p.table)
	main.Doc = opts.doc(fmt.Sprintf("Package %s decodes %s.", p.name, plural(len(p.events))))
	files := []*page.File{main}
	if opts.Text {
		files = append(files, file(textSuffix, p.texts))
	}
	return files
}

// dispatch writes the code that decodes records.
func (p *payloadPkg) dispatch(out *page.Page) {
	out.Line()
	comments(out.Group, out.Name("dispatch")+" decodes records. It holds their events. decode fills an event from data, which its byte slices alias.",
		"It reports whether data was long enough.")
	out.Type().Id(out.Name("dispatch")).StructFunc(func(g *jen.Group) {
		for i, y := range p.events {
			g.Id(scratchName(i)).Id(y.typ)
		}
	})
	var text []byte
	var uses decodeUses
	for i, y := range p.events {
		args := "data"
		if y.values != nil && y.values.varies() {
			args, uses.entry, uses.env = "data, x, env", true, true
		}
		text = fmt.Appendf(text, "\tcase %d:\n", i)
		if y.values == nil {
			text = fmt.Appendf(text, "\t\treturn &d.%s\n", scratchName(i))
			continue
		}
		text = fmt.Appendf(text, "\t\treturn %[1]s.Event(&d.%[2]s, d.%[2]s.decode(%[3]s))\n",
			out.Import(expr.GencodePath), scratchName(i), args)
	}
	p.writeDecode(out, uses, text)
}

// structs writes the types of the values.
func (p *payloadPkg) structs(out *page.Page) {
	for _, y := range p.events {
		if y.values != nil {
			y.values.declare(out, p.system)
		} else {
			out.Line()
			comments(out.Group, fmt.Sprintf("%s is %s, which has no values.", y.typ, page.Plain(payloadLabel(y.Event))))
			out.Type().Id(y.typ).Struct()
		}
		out.EndEvent()
	}
}

// table writes the layouts that are compared with recordings.
func (p *payloadPkg) table(out *page.Page) {
	text := tableHead(out)
	for _, y := range p.events {
		text = appendEvent(text, y.layout(p.target, func(string) bool { return true }), "", out)
	}
	out.Formatted(append(text, "}\n"...))
}

// texts writes the functions that append the texts of events, and the list of them.
func (p *payloadPkg) texts(out *page.Page) {
	p.writeTexts(out, p.names, func(i int) bool { return p.events[i].values != nil || p.events[i].literal() != "" })
	for i, y := range p.events {
		if y.values != nil {
			y.values.text(out, p.system, out.Name(p.names[i].text))
			out.EndEvent()
		} else if text := y.literal(); text != "" {
			out.Line()
			p.textFunc(out.Func().Id(out.Name(p.names[i].text)), "_", "_").
				Block(jen.Return(jen.Append(dst(), jen.Lit(text).Op("..."))))
			out.EndEvent()
		}
	}
}
