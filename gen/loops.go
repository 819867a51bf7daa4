package gen

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// sequence is what one event is called in loops over events.
type sequence struct {
	callback
	loop  string // the function that returns an iterator over it
	kind  string // its constant
	label string // in comments
}

// nameSequence names a sequence, unlike all other names of a package.
func nameSequence(c callback, label string, pick func(name, key string) string) sequence {
	return sequence{c, pick(c.goName+"Events", label), pick("Kind"+c.goName, label), plain(label)}
}

// value is what a pointer to comes with a record: the struct of the event, else its entry.
func (s *sequence) value(sys system) string {
	if s.typ == "" {
		return sys.entryCode()
	}
	return s.typ
}

// maker is the name of the function of bind that makes the iterator.
func (s *sequence) maker(sys system) string {
	switch {
	case s.typ == "" && sys.entries:
		return "LoopRecord"
	case s.typ == "":
		return "LoopBare"
	case sys.entries:
		return "LoopEntry"
	}
	return "Loop"
}

// loops writes loops over events, beside the callbacks of a Decoder: one function for each event, and one for several.
func (d *decoder) loops(out *piece, list []sequence) {
	d.eventLoops(out, list)
	d.union(out, list)
}

// eventLoops writes a function for each event.
func (d *decoder) eventLoops(out *piece, list []sequence) {
	d.walk(out)
	var text []byte
	for i := range list {
		s := &list[i]
		text = fmt.Appendf(text, "// %[1]s returns an iterator over %[2]s in rec, in time order.\n"+
			"func %[1]s(rec *%[3]s.Recording, w *Walk) iter.Seq2[*record.Record, *%[4]s] {\n\td := new(Decoder)\n"+
			"\treturn bind.%[5]s(w, &d.%[6]s, d.reading(rec, w))\n}\n\n",
			s.loop, s.label, d.name, s.value(d.system), s.maker(d.system), s.goName)
	}
	out.write(text, "iter", recordPath, bindPath, d.path)
}

// walk writes the type of walks, and the method that loops run.
func (d *decoder) walk(out *piece) {
	out.Line()
	comments(out.Group, "Walk is what a loop over events reads, and how it ended: Err says so, also that parts of the recording were damaged. Without one, all is read, and nothing says what failed.")
	out.Type().Id("Walk").Op("=").Qual(bindPath, "Walk").Types(d.entry())
	method(out, "reading", "reading returns a function that runs d, for loops, none of which is to have a copy of it.", "//", "//go:noinline").Params(d.recording(), walkParam()).Qual(bindPath, "Run").Block(
		jen.If(jen.Id("w").Op("==").Nil()).Block(jen.Id("w").Op("=").New(jen.Id("Walk"))),
		jen.Id("do").Op(":=").Func().Params().Params(jen.Qual(bindPath, "Stats"), jen.Error()).Block(
			jen.List(jen.Id("d").Dot("Records"), jen.Id("d").Dot("Optional"), jen.Id("d").Dot("Narrow")).Op("=").
				List(jen.Id("w").Dot("Records"), jen.Id("w").Dot("Optional"), jen.Id("w").Dot("Narrow")),
			jen.Err().Op(":=").Id("d").Dot("Run").Call(jen.Id("w").Dot("Records").Dot("Context"), jen.Id("rec")),
			jen.Return(jen.Id("d").Dot("Stats").Call(), jen.Err())),
		jen.Return(jen.Qual(bindPath, "Run").Values(
			jen.Id("Decoder").Op(":").Id("d"),
			jen.Id("Do").Op(":").Id("do"),
			jen.Id("Another").Op(":").Func().Params().Qual(bindPath, "Run").Block(jen.Return(jen.New(jen.Id("Decoder")).Dot("reading").Call(jen.Id("rec"), jen.Id("w")))))))
	out.flush()
}

func walkParam() *jen.Statement { return jen.Id("w").Op("*").Id("Walk") }

// union writes the type of one of several events, and the iterator over it.
func (d *decoder) union(out *piece, list []sequence) {
	text := []byte("// Kind is an event of this package.\ntype Kind uint32\n\n// The kinds of events.\nconst (\n\t_ Kind = iota\n")
	for _, s := range list {
		text = fmt.Appendf(text, "\t%s\n", s.kind)
	}
	text = append(text, ")\n\n// Union is one of several events: the one that Kind says, to which one pointer is set.\ntype Union struct {\n"...)
	width := len("Kind")
	for _, s := range list {
		width = max(width, len(s.goName))
	}
	text = fmt.Appendf(text, "\t%-*s Kind\n", width, "Kind")
	for _, s := range list {
		text = fmt.Appendf(text, "\t%-*s *%s\n", width, s.goName, s.value(d.system))
	}
	out.write(append(text, "}\n"...), recordPath)
	d.need(out)
	out.Line()
	comments(out.Group, "Events returns an iterator over events of some kinds in rec, of all kinds when there are none, in time order.")
	out.Func().Id("Events").Params(d.recording(), walkParam(), jen.Id("kinds").Op("...").Id("Kind")).Add(unions()).Block(eachLoop(func(g *jen.Group) {
		g.Id("d").Op(":=").New(jen.Id("Decoder"))
		g.Add(d.newSeries())
		g.Id("d").Dot("Listen").Call(jen.Id("s"), jen.Id("kinds"))
		g.Add(allOfSeries())
	}))
	method(out, "Listen", "Listen sets the callbacks of some kinds of events, of all when there are none, to what yields them through s.").
		Params(jen.Id("s").Op("*").Add(d.series()), jen.Id("kinds").Index().Id("Kind")).Block(
		jen.Qual(bindPath, "Listen").Call(jen.Id("s"), jen.Id("d"), jen.Id("kinds")))
	out.flush()
}

// unions is the type of an iterator over unions.
func unions() *jen.Statement {
	return jen.Qual("iter", "Seq2").Types(jen.Op("*").Qual(recordPath, "Record"), jen.Op("*").Id("Union"))
}

// series is the type of what yields unions, newSeries makes one, allOfSeries runs its iterator.
func (d *decoder) series() *jen.Statement {
	return jen.Qual(bindPath, "Series").Types(d.entry(), jen.Id("Union"))
}

func (d *decoder) newSeries() *jen.Statement {
	return jen.Id("s").Op(":=").Qual(bindPath, "NewSeries").Types(d.entry(), jen.Id("Union")).Call(jen.Id("w"))
}

func allOfSeries() *jen.Statement {
	return jen.Id("s").Dot("All").Call(jen.Id("d").Dot("reading").Call(jen.Id("rec"), jen.Id("w"))).Call(jen.Id("yield"))
}

// eachLoop returns an iterator with a Decoder of its own for each loop over it, as one may be within another.
func eachLoop(body func(*jen.Group)) jen.Code {
	return jen.Return(jen.Func().Params(jen.Id("yield").Func().Params(jen.Op("*").Qual(recordPath, "Record"), jen.Op("*").Id("Union")).Bool()).BlockFunc(body))
}

// rootLoops writes the loop over events of several packages.
func (d *decoder) rootLoops(out *piece, parts []*part) {
	d.walk(out)
	out.Line()
	comments(out.Group, "Kinds are events of the groups.")
	out.Type().Id("Kinds").StructFunc(func(g *jen.Group) {
		for _, p := range parts {
			g.Id(p.field).Index().Qual(p.importPath, "Kind")
		}
	})
	out.Line()
	comments(out.Group, "Union is one of several events: that of the group whose pointer is set.")
	out.Type().Id("Union").StructFunc(func(g *jen.Group) {
		for _, p := range parts {
			g.Id(p.field).Op("*").Qual(p.importPath, "Union")
		}
	})
	out.Line()
	comments(out.Group, "Events returns an iterator over events of some kinds in rec, of all kinds when there are none, in time order. One over the",
		"events of a single group, or of a single kind, is in the package of the group.")
	out.Func().Id("Events").Params(d.recording(), walkParam(), jen.Id("kinds").Id("Kinds")).Add(unions()).Block(eachLoop(func(g *jen.Group) {
		g.Id("d").Op(":=").New(jen.Id("Decoder"))
		g.Add(d.newSeries())
		g.Id("u").Op(":=").Id("s").Dot("Union").Call()
		all := jen.Lit(0)
		for _, p := range parts {
			all.Op("+").Len(jen.Id("kinds").Dot(p.field))
		}
		g.Id("all").Op(":=").Add(all).Op("==").Lit(0)
		for _, p := range parts { // no package is named here: parameters may have its name
			kinds := jen.Id("kinds").Dot(p.field)
			g.If(jen.Id("all").Op("||").Len(kinds).Op(">").Lit(0)).Block(jen.Id("d").Dot(p.field).Dot("Listen").Call(
				jen.Qual(bindPath, "Member").Call(jen.Id("s"), jen.Op("&").Id("u").Dot(p.field)), kinds.Clone()))
		}
		g.Add(allOfSeries())
	}))
}
