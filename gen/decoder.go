package gen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/name"
	"github.com/tracec/tracec/gen/internal/page"
)

// contract is the version of runtime/bind for which the code below is written (gencode.Version).
const contract = 4

// The suffixes of the files of a package, after their base name.
const (
	unsafeSuffix = "_unsafe"
	puregoSuffix = "_purego"
	textSuffix   = "_text"
)

// FileNames returns the names of all files that a package with this base name may have. The options
// and the input determine which of them Generate writes. Files left over from an earlier run do not
// fit the new ones.
func FileNames(base string) []string {
	return []string{base + ".go", base + unsafeSuffix + ".go", base + puregoSuffix + ".go", base + textSuffix + ".go"}
}

// handshake writes the constants that stop the compiler if runtime/bind does not fit.
func handshake(out *page.Page) {
	out.Text(fmt.Appendf(nil, `// Version check: if MinVersion is too high, run tracec gen again. If Version is too low, update the
// module github.com/tracec/tracec.
const _ = %[1]s.EnforceVersion(%[2]d-%[1]s.MinVersion) + %[1]s.EnforceVersion(%[1]s.Version-%[2]d)
`, out.Import(expr.GencodePath), contract))
}

// api is the part of a package that does not declare events. It is the same for all events and
// containers.
type api struct {
	system
	text    bool     // the package renders events
	inPlace bool     // some events are the record itself
	example string   // the name of an event; if empty, the name of the first one
	parts   []string // the packages that Bind binds instead of this one, one per line
}

// eventName holds the names of an event in a package.
type eventName struct {
	variable string // of type *bind.Event
	typ      string // of the struct that is decoded
	text     string // of the function that appends its text
	label    string // in comments
}

// nameEvent names an event. The names differ from all other names of a package.
func nameEvent(goName, typ, label string, pick func(name, key string) string) eventName {
	return eventName{pick(goName+"Event", label), typ, pick("append"+goName, label), page.Quoted(label)}
}

// addStem puts a stem in front of the variable and the type.
func (n *eventName) addStem(stem string) {
	n.variable, n.typ = name.WithStem(stem, n.variable), name.WithStem(stem, n.typ)
}

// writeTexts writes the list of the functions that append texts. It has no function for some
// events.
func (s system) writeTexts(out *page.Page, events []eventName, has func(i int) bool) {
	text := fmt.Appendf(nil, "// %[1]s has the text of every event.\nvar %[1]s = [...]%[2]s.Text[%[3]s]{",
		out.Name("texts"),
		out.Import(expr.BindPath), s.entryCode(out))
	for i, e := range events {
		fn := "nil"
		if has(i) {
			fn = out.Name(e.text)
		}
		text = fillRow(text, fn)
	}
	out.Text(append(text, "\n}\n"...))
}

// fillRow appends an element of a list to its last line, or begins another line.
func fillRow(text []byte, element string) []byte {
	const width = 110
	if last := bytes.LastIndexByte(text, '\n'); text[len(text)-1] == '{' || len(text)-last+len(element) > width {
		return append(append(text, "\n\t"...), element+","...)
	}
	return append(text, " "+element+","...)
}

// write writes the Decoder, Bind, the Package and its events.
func (a *api) write(out *page.Page, events []eventName) {
	if a.example == "" {
		a.example = events[0].variable
	}
	packages := "groupPackages" // unlike all package names, this one has capitals
	if a.parts == nil {
		packages = fmt.Sprintf("[]%s.Package[%s]{%s}", out.Import(expr.BindPath), a.entryCode(out), out.Name("Package"))
	}
	out.Text(fmt.Appendf(nil, `// %[1]s decodes the events of this package. See bind.Decoder for its methods.
type %[1]s = %[2]s.Decoder[%[3]s]

// %[4]s returns a %[1]s for rec, a recording of package %[5]s or one that wraps it.
// Options are events, such as %[6]s, and the options of package bind.
// Without an event, all events of rec are bound.
// The error names events that rec lacks or has in a form that does not fit.
func %[4]s(rec %[7]s.Recording, opts ...%[2]s.Option) (*%[1]s, error) {
	return %[2]s.To(rec, %[8]s.Of, %[9]s, opts...)
}
`, out.Name("Decoder"), out.Import(expr.BindPath), a.entryCode(out), out.Name("Bind"), a.name, a.example,
		out.Import(expr.RecordPath),
		out.Import(a.layoutPath()), packages))
	if a.parts != nil {
		a.declareParts(out)
		return
	}
	a.declarePackage(out)
	a.declareEvents(out, events)
}

// declareParts writes the list of packages that the root of a split output binds. At package level,
// no parameter hides a package name.
func (a *api) declareParts(out *page.Page) {
	text := fmt.Appendf(nil, "// groupPackages decode the events of one group each.\nvar groupPackages = []%s.Package[%s]{\n",
		out.Import(expr.BindPath), a.entryCode(out))
	for _, line := range a.parts {
		text = append(append(text, line...), '\n')
	}
	out.Text(append(text, "}\n"...))
}

// declarePackage writes the contribution of a package to a Decoder.
func (a *api) declarePackage(out *page.Page) {
	bind, entry := out.Import(expr.BindPath), a.entryCode(out)
	text := fmt.Appendf(nil, `// %[1]s lets bind.Bind decode the events of several packages together.
var %[1]s = %[2]s.Package[%[3]s]{
	Events: %[4]s[:],
	New:    func() %[2]s.Target[%[3]s] { return new(%[5]s) },
`, out.Name("Package"), bind, entry, out.Name("events"), out.Name("dispatch"))
	if a.inPlace {
		text = fmt.Appendf(text, "InPlace: %s,\n", out.Name("inPlace"))
	}
	if a.text {
		text = fmt.Appendf(text, "Texts: %s[:],\n", out.Name("texts"))
		if a.checksHead {
			text = fmt.Appendf(text, "Head: (*%s).Head,\n", entry)
		}
	}
	out.Text(append(text, "}\n"...))
}

// declareEvents writes a variable for each event.
func (a *api) declareEvents(out *page.Page, events []eventName) {
	text := []byte("// The events of this package, for Bind.\nvar (\n")
	for i, e := range events {
		text = fmt.Appendf(text, "%s = &%s[%d] // %s\n", e.variable, out.Name("events"), i, e.label)
	}
	out.Text(append(text, ")\n"...))
}

// decodeHead is the beginning of the method that decodes, up to its cases.
func (s system) decodeHead(out *page.Page, uses decodeUses) []byte {
	param := func(name string, used bool) string {
		if used {
			return name
		}
		return "_"
	}
	check := ""
	if s.checksHead {
		check = "if _, head, _ := x.Shape(); len(data) < head {\nreturn nil\n}\n"
	}
	return fmt.Appendf(nil, "// Decode implements bind.Target.\nfunc (d *%s) Decode(slot int, data []byte, %s *%s.Record, %s *%s, %s *%s.Env) any {\n%sswitch slot {\n",
		out.Name("dispatch"), param("r", uses.record), out.Import(expr.RecordPath), param("x", uses.entry),
		s.entryCode(out),
		param("env", uses.env), out.Import(expr.RenderPath), check)
}

// decodeUses are the parameters that a method needs.
type decodeUses struct{ record, entry, env bool }

// decodeTail is its end.
const decodeTail = "\t}\n\treturn nil\n}\n"

// writeDecode formats and writes the method with its cases.
func (s system) writeDecode(out *page.Page, uses decodeUses, cases []byte) {
	head, tail := s.decodeHead(out, uses), decodeTail
	if cases == nil {
		head, tail = bytes.TrimSuffix(head, []byte("switch slot {\n")), strings.TrimPrefix(tail, "\t}\n")
	}
	out.Text(slices.Concat(head, cases, []byte(tail)))
}
