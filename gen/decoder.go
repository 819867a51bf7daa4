package gen

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// contract is the version of runtime/bind that the code below is written for (bind.Version).
const contract = 1

// unaligned is the build constraint of machines that load unaligned words: records are only 4-byte aligned.
const unaligned = "(386 || amd64 || arm64 || loong64 || ppc64 || ppc64le || s390x || wasm)"

// What the files of a package end in after their base name.
const (
	unsafeSuffix = "_unsafe"
	puregoSuffix = "_purego"
	textSuffix   = "_text"
)

// FileNames are all files that the package of a base name may have. Which of them Generate makes depends on its options
// and its input; what an earlier run left of the others does not fit to them.
func FileNames(base string) []string {
	return []string{base + ".go", base + unsafeSuffix + ".go", base + puregoSuffix + ".go", base + textSuffix + ".go"}
}

// files plans the files of the package.
func (p *pkg) files(lang string, opts Options, base string) []*source {
	file := func(suffix, tag string, pieces ...func(*piece)) *source {
		return &source{name: base + suffix + ".go", pkg: p.name, tag: tag, pieces: pieces}
	}
	decoder := func(out *piece) { p.decoder(out, lang, opts.Text) }
	main := file("", "", handshake, p.structs, decoder, p.table)
	main.doc = []string{fmt.Sprintf("Package %s decodes %s.", p.name, p.subject())}
	files := []*source{
		main,
		file(unsafeSuffix, "!purego && "+unaligned, p.dispatchUnsafe, p.checks),
		file(puregoSuffix, "purego || !"+unaligned, p.dispatchPure),
	}
	if opts.Text {
		files = append(files, file(textSuffix, "", p.texts, constants))
	}
	return files
}

func (p *pkg) subject() string {
	if p.group != "" {
		return "the events of " + plain(p.group)
	}
	if len(p.events) == 1 {
		return "the event " + eventLabel(p.events[0].Group, p.events[0].Name)
	}
	return strconv.Itoa(len(p.events)) + " events"
}

// handshake writes the constants that stop compiling when runtime/bind does not fit.
func handshake(out *piece) {
	comments(out.Group, "This code and the runtime fit together. If a line does not compile: the first, run tracec gen again; the",
		"second, update the module github.com/tracec/tracec.")
	out.Const().Defs(
		jen.Id("_").Op("=").Qual(bindPath, "EnforceVersion").Parens(number(contract).Op("-").Qual(bindPath, "MinVersion")),
		jen.Id("_").Op("=").Qual(bindPath, "EnforceVersion").Parens(jen.Qual(bindPath, "Version").Op("-").Add(number(contract))),
	)
}

// decoder writes the Decoder and its methods.
func (p *pkg) decoder(out *piece, lang string, text bool) {
	p.decoderType(out)
	decoderMethods(out, lang, text)
	out.Line()
	comments(out.Group, "Part is what this package adds to a Decoder that forwards to several packages.")
	out.Func().Params(jen.Id("d").Op("*").Id("Decoder")).Id("Part").Params().Qual(bindPath, "Part").Block(
		jen.Return(jen.Qual(bindPath, "Part").Values(
			jen.Id("Events").Op(":").Id("events"),
			jen.Id("Target").Op(":").Parens(jen.Op("*").Id("dispatch")).Parens(jen.Id("d")),
			jen.Id("Callbacks").Op(":").Id("d"))))
	out.Line()
	comments(out.Group, "dispatch is a Decoder as bind sees it.")
	out.Type().Id("dispatch").Id("Decoder")
}

// decoderType writes the struct.
func (p *pkg) decoderType(out *piece) {
	width := 0
	for _, e := range p.events {
		width = max(width, len(e.goName))
	}
	text := []byte("// Decoder hands every record to the callback of its event. Set the callbacks that you want, then Run. The record\n" +
		"// and the event are valid until the callback returns. A Decoder is for one goroutine.\ntype Decoder struct {\n")
	for _, e := range p.events {
		text = fmt.Appendf(text, "\t%-*s func(r *record.Record, e *%s)\n", width, e.goName, e.goName)
	}
	// The other fields are formatted as a struct of their own, whose first and last line are left out.
	rest := jen.NewFile("").Group
	rest.Type().Id("_").StructFunc(func(g *jen.Group) {
		hookFields(g)
		g.Id("scratch").Id("scratch")
	})
	var fields bytes.Buffer
	if err := rest.RenderWithFile(&fields, out.file); err != nil {
		out.append(nil, err)
		return
	}
	_, after, _ := strings.Cut(fields.String(), "{\n")
	out.write(append(append(text, '\n'), strings.TrimLeft(after, "\n")...), recordPath, bindPath)
}

// hookFields writes the fields that every Decoder has behind its callbacks.
func hookFields(g *jen.Group) {
	g.Line()
	comments(g, "Other gets the records that no callback above wants, as recorded. It may be nil.")
	g.Id("Other").Func().Params(recordParam())
	comments(g, "Short gets damaged records, shorter than their event, in place of Other. It may be nil.")
	g.Id("Short").Func().Params(recordParam())
	comments(g, "Missing is told of every event with a callback that the recording does not have (bind.ErrMissing), or",
		"has in a form that does not fit (bind.ErrIncompatible). If it is nil, Bind fails with these errors.")
	g.Id("Missing").Func().Params(jen.Id("event").String(), jen.Err().Error())
	g.Line()
	g.Id("binding").Qual(bindPath, "Binding")
}

// method begins a method of Decoder, after its doc comment.
func method(out *piece, name string, doc ...string) *jen.Statement {
	out.Line()
	comments(out.Group, doc...)
	return out.Func().Params(jen.Id("d").Op("*").Id("Decoder")).Id(name)
}

// decoderMethods writes the methods that do not depend on the events. The body of BindTo names the parts.
func decoderMethods(out *piece, lang string, text bool, parts ...jen.Code) {
	if len(parts) == 0 {
		parts = []jen.Code{jen.Id("d").Dot("Part").Call()}
	}
	if lang == "ftrace" {
		ftraceMethods(out)
	}
	hook := func(name string) jen.Code { return jen.Id(name).Op(":").Id("d").Dot(name) }
	method(out, "BindTo", "BindTo is Bind for any description of records.").
		Params(jen.Id("src").Op("*").Qual(bindPath, "Source")).Error().Block(
		jen.Id("hooks").Op(":=").Qual(bindPath, "Hooks").Values(hook("Other"), hook("Short"), hook("Missing")),
		jen.Return(jen.Id("d").Dot("binding").Dot("Bind").Call(append([]jen.Code{jen.Id("src"), jen.Id("hooks")}, parts...)...)))
	method(out, "Merge", "Merge hands on the records of streams in time order. Bind comes first.").
		Params(jen.Id("streams").Index().Qual(recordPath, "Stream").Types(jen.Qual(recordPath, "None"))).Error().Block(
		jen.Return(jen.Id("d").Dot("binding").Dot("InTimeOrder").Call(jen.Id("streams"))))
	method(out, "Handle", "Handle hands on one record and reports whether its event has a callback that got it. Bind comes first.").
		Params(recordParam()).Bool().Block(
		jen.Return(jen.Id("d").Dot("binding").Dot("Record").Call(jen.Id("r"))))
	method(out, "Stats", "Stats counts the records that no callback of an event got, since Bind.").
		Params().Qual(bindPath, "Stats").Block(
		jen.Return(jen.Id("d").Dot("binding").Dot("Stats")))
	if text {
		method(out, "AppendText", "AppendText appends the text of a record, whether its event has a callback or not. It returns false if the event",
			"is not compiled in, does not fit the recording or has no text. Bind comes first. env may be nil.").
			Params(jen.Id("dst").Index().Byte(), recordParam(), envParam()).Params(jen.Index().Byte(), jen.Bool()).Block(
			jen.Return(jen.Id("d").Dot("binding").Dot("AppendText").Call(jen.Id("dst"), jen.Id("r"), jen.Id("env"))))
	}
}

// ftraceMethods writes what needs an ftrace recording.
func ftraceMethods(out *piece) {
	rec := func() jen.Code { return jen.Id("rec").Op("*").Qual(ftracePath, "Recording") }
	run := func(order string) []jen.Code {
		return []jen.Code{
			jen.If(jen.Err().Op(":=").Id("d").Dot("Bind").Call(jen.Id("rec")), jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Err())),
			jen.Return(jen.Id("d").Dot("binding").Dot(order).Call(jen.Qual(formatsPath, "Streams").Call(jen.Id("rec")))),
		}
	}
	method(out, "Bind", "Bind compares the events that have a callback with the recording's own description of them and prepares",
		"relocation where they differ. Callbacks that are set later are not called; those set now must stay.").
		Params(rec()).Error().Block(jen.Return(jen.Id("d").Dot("BindTo").Call(jen.Qual(formatsPath, "Source").Call(jen.Id("rec")))))
	method(out, "Run", "Run binds, then hands on all records of rec in time order, instances included.").
		Params(rec()).Error().Block(run("InTimeOrder")...)
	method(out, "RunStreams", "RunStreams is Run without the merge by time: one processor after the other, which is faster.").
		Params(rec()).Error().Block(run("InStreamOrder")...)
}
