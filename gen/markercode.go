package gen

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

const (
	lttngPath   = runtimePath + "lttng"
	markersPath = bindPath + "/markers"
)

// files plans the files of the package.
func (p *markerPkg) files(opts Options) []*source {
	decoder := func(out *piece) { p.decoder(out, opts.Text) }
	main := &source{name: opts.Base + ".go", pkg: opts.Package, pieces: []func(*piece){handshake, decoder, p.structs, p.table, constants}}
	count := "1 marker"
	if n := len(p.list); n != 1 {
		count = fmt.Sprint(n, " markers")
	}
	main.doc = []string{fmt.Sprintf("Package %s decodes the events of %s of LTTng.", opts.Package, count)}
	files := []*source{main}
	if opts.Text {
		files = append(files, &source{name: opts.Base + textSuffix + ".go", pkg: opts.Package, pieces: []func(*piece){p.texts, constants}})
	}
	return files
}

// decoder writes the Decoder: a callback for every marker.
func (p *markerPkg) decoder(out *piece, text bool) {
	out.Line()
	comments(out.Group,
		"Decoder hands every event to the callback of its marker. Set the callbacks that you want, then Run. The record, its",
		"entry and the values are valid until the callback returns. A Decoder is for one goroutine.")
	out.Type().Id("Decoder").StructFunc(func(g *jen.Group) {
		p.members(g)
		g.Line()
		comments(g, "Other gets all events that no callback above wants, also those that no marker describes. It may be nil.")
		g.Id("Other").Func().Params(recordParam(), p.entryParam())
		comments(g, "Short gets the events whose fields are not whole, in place of the callback. It may be nil.")
		g.Id("Short").Func().Params(recordParam(), p.entryParam())
		comments(g, "Missing is told of every marker with a callback that the trace does not have, or has without a field",
			"(bind.ErrMissing), or has in a form that does not fit (bind.ErrIncompatible). If it is nil, Bind fails with these errors.")
		g.Id("Missing").Func().Params(jen.Id("marker").String(), jen.Err().Error())
		comments(g, "Narrow allows numbers to be cut that are wider in the trace than here.")
		g.Id("Narrow").Bool()
		g.Line()
		g.Id("binding").Qual(markersPath, "Binding")
		p.values(g)
	})
	p.methods(out, text)
	p.dispatch(out)
}

// methods writes the methods that do not depend on the markers.
func (p *markerPkg) methods(out *piece, text bool) {
	rec := func() jen.Code { return jen.Id("rec").Op("*").Qual(lttngPath, "Recording") }
	binding := func() *jen.Statement { return jen.Id("d").Dot("binding") }
	run := func(order string) []jen.Code {
		return []jen.Code{
			jen.If(jen.Err().Op(":=").Id("d").Dot("Bind").Call(jen.Id("rec")), jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Err())),
			jen.Return(binding().Dot(order).Call(jen.Id("rec"))),
		}
	}
	hooks := jen.Qual(markersPath, "Hooks").ValuesFunc(func(g *jen.Group) {
		for _, name := range []string{"Other", "Short", "Missing", "Narrow"} {
			g.Line().Id(name).Op(":").Id("d").Dot(name)
		}
		g.Line()
	})
	method(out, "Bind", "Bind looks for the markers that have a callback in rec, by channel and name, and prepares relocation where their fields",
		"are laid out otherwise. Callbacks that are set later are not called; those set now must stay.").
		Params(rec()).Error().Block(jen.Return(binding().Dot("Bind").Call(
		jen.Id("rec"), jen.Id("compiled"), jen.Id("d"), jen.Parens(jen.Op("*").Id("dispatch")).Parens(jen.Id("d")), hooks)))
	method(out, "Run", "Run binds, then hands on all events of rec in time order.").
		Params(rec()).Error().Block(run("InTimeOrder")...)
	method(out, "RunStreams", "RunStreams is Run without the merge by time: one file after the other, which is faster.").
		Params(rec()).Error().Block(run("InStreamOrder")...)
	method(out, "Batch", "Batch hands on records and their entries, one for each. Bind comes first.").
		Params(jen.Id("records").Index().Qual(recordPath, "Record"), jen.Id("entries").Index().Qual(lttngPath, "Entry")).Block(
		binding().Dot("Batch").Call(jen.Id("records"), jen.Id("entries")))
	method(out, "Handle", "Handle hands on one record and reports whether its marker has a callback that got it. Bind comes first.").
		Params(recordParam(), p.entryParam()).Bool().Block(jen.Return(binding().Dot("Record").Call(jen.Id("r"), jen.Id("x"))))
	method(out, "Stats", "Stats counts the events that no callback of a marker got, since Bind.").
		Params().Qual(bindPath, "Stats").Block(jen.Return(binding().Dot("Stats")))
	if text {
		method(out, "AppendText", "AppendText appends the fields of an event as tracec textdump --plain prints them, with a blank in front, whether its marker",
			"has a callback or not. It returns false if the marker is not compiled in or does not fit the trace. Bind comes first. env may be",
			"nil.").
			Params(jen.Id("dst").Index().Byte(), recordParam(), envParam()).Params(jen.Index().Byte(), jen.Bool()).Block(
			jen.Return(binding().Dot("AppendText").Call(jen.Id("dst"), jen.Id("r"), jen.Id("env"))))
	}
}

// table writes what the binding compares traces with.
func (p *markerPkg) table(out *piece) {
	out.Line()
	comments(out.Group, "compiled is what was compiled in: a callback of Decoder each, in their order.")
	out.Var().Id("compiled").Op("=").Index().Qual(markersPath, "Marker").ValuesFunc(func(g *jen.Group) {
		for i, m := range p.markers {
			var parts []jen.Code
			if m.Group != "" {
				parts = append(parts, jen.Id("Channel").Op(":").Lit(m.Group))
			}
			parts = append(parts, jen.Id("Name").Op(":").Lit(m.Name))
			g.Line().Values(append(parts, p.list[i].layoutPart()...)...)
		}
		g.Line()
	})
}
