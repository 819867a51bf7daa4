package gen

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"
)

// contract is the version of runtime/bind that the code below is written for (bind.Version).
const contract = 4

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

// handshake writes the constants that stop compiling when runtime/bind does not fit.
func handshake(out *piece) {
	comments(out.Group, "This code and the runtime fit together. If a line does not compile: the first, run tracec gen again; the",
		"second, update the module github.com/tracec/tracec.")
	out.Const().Defs(
		jen.Id("_").Op("=").Qual(bindPath, "EnforceVersion").Parens(number(contract).Op("-").Qual(bindPath, "MinVersion")),
		jen.Id("_").Op("=").Qual(bindPath, "EnforceVersion").Parens(jen.Qual(bindPath, "Version").Op("-").Add(number(contract))),
	)
}

// decoder is the Decoder of a package: the same for all events and containers.
type decoder struct {
	system
	note     string // lines that its comment has more
	facts    bool   // events are decoded by what an Env knows
	text     bool
	forwards bool // to the Decoders of several packages
}

// callback is one callback of a Decoder.
type callback struct {
	goName string // of the callback
	typ    string // of the struct that it receives; empty for none
}

// declare writes the struct: its callbacks, its options and what it works with.
func (d *decoder) declare(out *piece, callbacks []callback) {
	out.Line()
	text := []byte("// Decoder calls the callback of its event for every record. Set the callbacks that you want, then Run. The record and\n" +
		"// the event are valid until the callback returns; its error ends Run, record.ErrStop without an error. A Decoder is\n" +
		"// for one goroutine, and not to be copied once it is bound.\n" + d.note + "type Decoder struct {\n")
	width := 0
	for _, c := range callbacks {
		width = max(width, len(c.goName))
	}
	for _, c := range callbacks {
		text = fmt.Appendf(text, "\t%-*s func(%s", width, c.goName, d.paramsCode())
		if c.typ != "" {
			text = fmt.Appendf(text, ", e *%s", c.typ)
		}
		text = append(text, ") error\n"...)
	}
	rest := d.fields(out)
	out.write(append(append(text, '\n'), rest...), recordPath, bindPath)
	d.need(out)
}

// fields is the text of the fields that the Decoder of a package has after its callbacks, formatted as a struct of their own whose first and last line
// are left out.
func (d *decoder) fields(out *piece) []byte {
	rest := jen.NewFile("").Group
	rest.Type().Id("_").StructFunc(func(g *jen.Group) {
		d.options(g)
		g.Id("scratch").Id("scratch")
	})
	var fields bytes.Buffer
	if err := rest.RenderWithFile(&fields, out.file); err != nil {
		out.append(nil, err)
	}
	_, after, _ := strings.Cut(fields.String(), "{\n")
	return []byte(strings.TrimLeft(after, "\n"))
}

// options writes the fields that are not callbacks of events.
func (d *decoder) options(g *jen.Group) {
	comments(g, "Other, if non-nil, receives the records without a callback, as recorded.")
	g.Id("Other").Func().Params(d.params()...).Error()
	comments(g, "Short, if non-nil, receives damaged records, which end before their event does. If nil, Other does.")
	g.Id("Short").Func().Params(d.params()...).Error()
	comments(g, "Missing, if non-nil, is called for each event with a callback that the recording does not have (bind.ErrMissing) or",
		"has in a form that does not fit (bind.ErrIncompatible). If nil, Bind returns these errors.")
	g.Id("Missing").Func().Params(jen.Id("event").String(), jen.Err().Error())
	comments(g, "Records choose what Run and RunStreams read: processors, threads, a window of time.")
	g.Id("Records").Qual(recordPath, "Options")
	comments(g, "Optional lets Bind pass over events that the recording does not have.")
	g.Id("Optional").Bool()
	comments(g, "Narrow allows numbers to be cut that are wider in the recording than here.")
	g.Id("Narrow").Bool()
	if d.facts {
		comments(g, "Env, if non-nil, is asked for what events depend on and records do not hold, such as the process.")
		g.Id("Env").Op("*").Qual(renderPath, "Env")
	}
	g.Line()
	g.Id("binding").Qual(bindPath, "Binding").Types(d.entry())
}

// method begins a method of Decoder, after its doc comment.
func method(out *piece, name string, doc ...string) *jen.Statement {
	out.Line()
	comments(out.Group, doc...)
	return out.Func().Params(jen.Id("d").Op("*").Id("Decoder")).Id(name)
}

// part writes what a package adds to a Decoder that forwards to several packages.
func (d *decoder) part(out *piece) {
	method(out, "Part", "Part is what this package adds to a Decoder that forwards to several packages.").
		Params().Qual(bindPath, "Part").Types(d.entry()).Block(
		jen.Return(jen.Qual(bindPath, "Part").Types(d.entry()).Values(
			jen.Id("Events").Op(":").Id("events"),
			jen.Id("Target").Op(":").Parens(jen.Op("*").Id("dispatch")).Parens(jen.Id("d")),
			jen.Id("Callbacks").Op(":").Id("d"))))
	out.Line()
	comments(out.Group, "dispatch is a Decoder as bind sees it.")
	out.Type().Id("dispatch").Id("Decoder")
}

// methods writes the methods that do not depend on the events. parts are those of BindTo.
func (d *decoder) methods(out *piece, parts ...jen.Code) {
	binding := func() *jen.Statement { return jen.Id("d").Dot("binding") }
	ctx := func() jen.Code { return jen.Id("ctx").Qual("context", "Context") }
	open := func(what string) *jen.Statement {
		return d.layout(what).Call(jen.Id("rec"), binding().Dot("Records").Call(jen.Id("ctx"), jen.Id("d").Dot("Records")))
	}
	bound := jen.If(jen.Err().Op(":=").Id("d").Dot("Bind").Call(jen.Id("rec")), jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Err()))
	method(out, "Bind", "Bind finds the events that have a callback in rec and prepares relocation where their layout is another one. Callbacks",
		"that are set later are not called; those that are set now must stay.").
		Params(d.recording()).Error().Block(jen.Return(jen.Id("d").Dot("BindTo").Call(d.layout("Source").Call(jen.Id("rec")))))
	method(out, "BindTo", "BindTo is Bind for any description of records.").
		Params(jen.Id("src").Qual(bindPath, "Source")).Error().Block(
		jen.Return(binding().Dot("Bind").Call(append([]jen.Code{jen.Id("src"), d.bindOptions()}, parts...)...)))
	method(out, "Run", "Run binds d to rec and dispatches its records in time order, until ctx is done. Records without a callback are not read unless Other is set.",
		"A part of rec that cannot be read is left out; the errors are joined. One of them, at the end of a damaged recording, is a",
		"*record.DamageError: what is intact was delivered.").
		Params(ctx(), d.recording()).Error().Block(bound.Clone(), jen.Return(binding().Dot("InTimeOrder").Call(jen.Id("rec"), open("Merge"))))
	method(out, "RunStreams", "RunStreams is Run without the merge by time: one stream after the other, which is faster.").
		Params(ctx(), d.recording()).Error().Block(bound.Clone(),
		jen.Return(jen.Qual(bindPath, "InStreamOrder").Call(jen.Op("&").Add(binding()), jen.Id("rec"), open("Streams"))))
	method(out, "RunMerged", "RunMerged dispatches what m yields, and closes it. Bind comes first. Damage is no error here: record.Damaged",
		"returns that of the recording.").
		Params(jen.Id("m").Op("*").Qual(recordPath, "Merger").Types(d.entry())).Error().Block(jen.Return(binding().Dot("InTimeOrder").Call(jen.Nil(), jen.Id("m"))))
	d.batch(out)
	method(out, "Handle", "Handle dispatches one record. It reports whether its event has a callback that received it, and returns the error of the",
		"callback. Bind comes first.").
		Params(d.params()...).Params(jen.Bool(), jen.Error()).Block(jen.Return(binding().Dot("Record").Call(d.args()...)))
	method(out, "Stats", "Stats counts the records that no callback of an event received, since Bind. Run reads none without a callback unless Other is set.").
		Params().Qual(bindPath, "Stats").Block(jen.Return(binding().Dot("Stats")))
	if d.text {
		method(out, "AppendText", "AppendText appends the text of a record, whether its event has a callback or not. It returns false if the event",
			"is not compiled in, does not fit the recording or has no text. Bind comes first. env may be nil.").
			Params(append(append([]jen.Code{jen.Id("dst").Index().Byte()}, d.params()...), envParam())...).Params(jen.Index().Byte(), jen.Bool()).
			BlockFunc(func(g *jen.Group) {
				if !d.forwards { // which saves a call
					g.If(jen.Id("slot").Op(":=").Add(binding()).Dot("SlotText").Call(jen.Id("r")), jen.Id("slot").Op(">=").Lit(0)).Block(jen.Return(
						jen.Parens(jen.Op("*").Id("dispatch")).Parens(jen.Id("d")).Dot("Text").Call(
							jen.Id("slot"), dst(), jen.Op("&").Id("r").Dot("Data"), d.args()[1], jen.Id("env"))))
				}
				g.Return(binding().Dot("AppendText").Call(append(append([]jen.Code{jen.Id("dst")}, d.args()...), jen.Id("env"))...))
			})
	}
	d.parallel(out)
}

// parallel writes the function that decodes on several goroutines.
func (d *decoder) parallel(out *piece) {
	out.Line()
	comments(out.Group, "Parallel decodes rec on several goroutines, slice by slice, until ctx is done. begin is called for each slice, by several goroutines at the",
		"same time: it sets the callbacks of a new Decoder and returns what they fill. end gets that when the slice has been read: in the",
		"order of time, or of streams, and from the goroutine of the caller. Where times go back a slice can be decoded twice: what the",
		"callbacks filled first is dropped then. A stream that fails is left out from then on: its error is returned when all else has been",
		"read, with that of damage, as Run has it. An error of a callback or of end ends it, record.ErrStop without an error and after end",
		"has got what was filled before.")
	t := jen.Id("T")
	out.Func().Id("Parallel").Types(jen.Id("T").Interface()).Params(jen.Id("ctx").Qual("context", "Context"), d.recording(), jen.Id("p").Qual(bindPath, "Parallel"),
		jen.Id("begin").Func().Params(jen.Id("d").Op("*").Id("Decoder")).Add(t.Clone()), jen.Id("end").Func().Params(t.Clone()).Error()).Error().Block(
		jen.Return(jen.Qual(bindPath, "InSlices").Call(jen.Id("ctx"), jen.Id("p"), jen.Id("rec"), d.layout("Source").Call(jen.Id("rec")),
			jen.Func().Params(jen.Id("o").Qual(recordPath, "Options")).Index().Qual(recordPath, "Slice").Types(d.entry()).Block(
				jen.Return(d.layout("Slices").Call(jen.Id("rec"), jen.Id("o"), jen.Id("p").Dot("Streams")))),
			jen.Func().Params(jen.Id("src").Qual(bindPath, "Source"), jen.Id("like").Op("*").Qual(bindPath, "Binding").Types(d.entry())).Params(jen.Op("*").Qual(bindPath, "Binding").Types(d.entry()), t.Clone(), jen.Error()).Block(
				jen.Id("d").Op(":=").New(jen.Id("Decoder")),
				jen.Id("t").Op(":=").Id("begin").Call(jen.Id("d")),
				jen.Id("d").Dot("binding").Dot("Like").Call(jen.Id("like")),
				jen.Return(jen.Op("&").Id("d").Dot("binding"), jen.Id("t"), jen.Id("d").Dot("BindTo").Call(jen.Id("src")))),
			jen.Id("end"))))
}

// batch writes the method for several records.
func (d *decoder) batch(out *piece) {
	params := []jen.Code{jen.Id("records").Index().Qual(recordPath, "Record")}
	entries := jen.Qual(recordPath, "Plain").Call(jen.Id("records")).Dot("Entries")
	doc := "Batch dispatches records, until a callback returns an error. Bind comes first."
	if d.entries {
		params = append(params, jen.Id("entries").Index().Add(d.entry()))
		entries = jen.Id("entries")
		doc = "Batch dispatches records and their entries, one for each, until a callback returns an error. Bind comes first."
	}
	method(out, "Batch", doc).Params(params...).Error().Block(jen.Return(jen.Id("d").Dot("binding").Dot("Batch").Call(jen.Id("records"), entries)))
}

// bindOptions is the Decoder's options as bind has them.
func (d *decoder) bindOptions() *jen.Statement {
	return jen.Qual(bindPath, "Options").Types(d.entry()).ValuesFunc(func(g *jen.Group) {
		for _, name := range []string{"Other", "Short", "Missing", "Optional", "Narrow"} {
			value := jen.Id("d").Dot(name)
			if !d.entries && (name == "Other" || name == "Short") {
				value = jen.Qual(bindPath, "Plain").Call(value)
			}
			g.Line().Id(name).Op(":").Add(value)
		}
		g.Line()
	})
}
