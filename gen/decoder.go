package gen

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// contract is the version of runtime/bind that the code below is written for (gencode.Version).
const contract = 4

// The suffixes of the files of a package, after their base name.
const (
	unsafeSuffix = "_unsafe"
	puregoSuffix = "_purego"
	textSuffix   = "_text"
)

// FileNames returns the names of all files that a package with this base name may have. The options
// and the input decide which of them Generate writes. Files left over from an earlier run do not
// fit the new ones.
func FileNames(base string) []string {
	return []string{base + ".go", base + unsafeSuffix + ".go", base + puregoSuffix + ".go", base + textSuffix + ".go"}
}

// handshake writes the constants that stop compiling when runtime/bind does not fit.
func handshake(out *piece) {
	comments(out.Group, "Version check. If the first line does not compile, run tracec gen again. If the second does not,",
		"update the module github.com/tracec/tracec.")
	out.Const().Defs(
		jen.Id("_").Op("=").Qual(gencodePath, "EnforceVersion").Parens(number(contract).Op("-").Qual(gencodePath, "MinVersion")),
		jen.Id("_").Op("=").Qual(gencodePath, "EnforceVersion").Parens(jen.Qual(gencodePath, "Version").Op("-").Add(number(contract))),
	)
}

// api is the part of a package that does not declare events. It is the same for all events and
// containers.
type api struct {
	system
	text    bool       // the package renders events
	inPlace bool       // some events are the record itself
	example string     // the name of an event; if empty, of the first
	parts   []jen.Code // the packages that Bind binds instead of this one, each with its comma and a comment
}

// eventName holds the names of an event in a package.
type eventName struct {
	variable string // of type *bind.Event
	typ      string // of the struct that is decoded
	label    string // in comments
}

// nameEvent names an event. The names differ from all other names of a package.
func nameEvent(name, typ, label string, pick func(name, key string) string) eventName {
	return eventName{pick(name+"Event", label), typ, quoted(label)}
}

// write writes the Decoder, Bind, the Package and its events.
func (a *api) write(out *piece, events []eventName) {
	out.Line()
	comments(out.Group, "Decoder decodes the events of this package. Its documentation is that of bind.Decoder.")
	out.Type().Id("Decoder").Op("=").Qual(bindPath, "Decoder").Types(a.entry())
	if a.example == "" {
		a.example = events[0].variable
	}
	a.bind(out)
	if a.parts != nil {
		a.declareParts(out)
		return
	}
	a.declarePackage(out)
	a.declareEvents(out, events)
}

// bind writes the function Bind.
func (a *api) bind(out *piece) {
	out.Line()
	comments(out.Group, fmt.Sprintf("Bind returns a Decoder for rec, a recording of package %s or one that wraps it. Options are events, such as %s,", a.name, a.example),
		"and the options of package bind. Without an event, Bind takes all that rec has. The error names events that rec lacks or",
		"has in a form that does not fit.")
	packages := jen.Index().Qual(bindPath, "Package").Types(a.entry())
	if a.parts == nil {
		packages.Values(jen.Id("Package"))
	} else {
		packages = jen.Id(groupPackages)
	}
	out.Func().Id("Bind").Params(jen.Id("rec").Qual(recordPath, "Recording"), jen.Id("opts").Op("...").Qual(bindPath, "Option")).
		Params(jen.Op("*").Id("Decoder"), jen.Error()).Block(
		jen.List(jen.Id("c"), jen.Err()).Op(":=").Add(a.layout("Of")).Call(jen.Id("rec")),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
		jen.Return(jen.Qual(bindPath, "Bind").Call(jen.Id("c"), packages, jen.Id("opts").Op("..."))))
	out.Line()
}

// groupPackages differs from all package names, because those have no capitals.
const groupPackages = "groupPackages"

// declareParts writes the packages that the root of a split output binds. No parameter hides a
// package name there.
func (a *api) declareParts(out *piece) {
	comments(out.Group, groupPackages+" decode the events of one group each.")
	out.Var().Id(groupPackages).Op("=").Index().Qual(bindPath, "Package").Types(a.entry()).
		Custom(jen.Options{Open: "{", Close: "}"}, append(a.parts, jen.Line())...)
}

// declarePackage writes the contribution of a package to a Decoder.
func (a *api) declarePackage(out *piece) {
	comments(out.Group, "Package lets bind.Bind decode the events of several packages together.")
	target := jen.Qual(bindPath, "Target").Types(a.entry())
	values := []jen.Code{
		jen.Line().Id("Events").Op(":").Id("events").Index(jen.Empty(), jen.Empty()),
		jen.Line().Id("New").Op(":").Func().Params().Add(target).Block(jen.Return(jen.New(jen.Id("dispatch")))),
	}
	if a.inPlace {
		values = append(values, jen.Line().Id("InPlace").Op(":").Id("inPlace"))
	}
	if a.text {
		values = append(values, jen.Line().Id("Text").Op(":").True())
	}
	out.Var().Id("Package").Op("=").Qual(bindPath, "Package").Types(a.entry()).Values(append(values, jen.Line())...)
}

// declareEvents writes a variable for each event, as gofmt does.
func (a *api) declareEvents(out *piece, events []eventName) {
	text := []byte("// The events of this package, for Bind.\nvar (\n")
	width := 0
	for _, e := range events {
		width = max(width, len(e.variable))
	}
	for i, e := range events {
		slot := fmt.Sprintf("&events[%d]", i)
		text = fmt.Appendf(text, "\t%-*s = %-*s // %s\n", width, e.variable, len(fmt.Sprintf("&events[%d]", len(events)-1)), slot, e.label)
	}
	out.write(append(text, ")\n"...))
}

// decodeHead is the beginning of the method that decodes, up to its cases.
func (s system) decodeHead(uses decodeUses) []byte {
	name := func(name string, used bool) string {
		if used {
			return name
		}
		return "_"
	}
	return fmt.Appendf(nil, "// Decode implements bind.Target.\nfunc (d *dispatch) Decode(slot int, data []byte, %s *record.Record, %s *%s, %s *render.Env) any {\n\tswitch slot {\n",
		name("r", uses.record), name("x", uses.entry), s.entryCode(), name("env", uses.env))
}

// decodeUses are the parameters that a method needs.
type decodeUses struct{ record, entry, env bool }

// decodeTail is its end.
const decodeTail = "\t}\n\treturn nil\n}\n"

// writeDecode formats and writes the method with its cases.
func (s system) writeDecode(out *piece, uses decodeUses, cases []byte) {
	out.format(append(append(s.decodeHead(uses), cases...), decodeTail...), renderPath)
	s.need(out)
}
