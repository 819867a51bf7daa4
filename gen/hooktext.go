package gen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

const aixPath = runtimePath + "aix"

// entryParam is the parameter x *aix.Entry.
func entryParam() *jen.Statement { return jen.Id("x").Op("*").Qual(aixPath, "Entry") }

// files plans the files of the package.
func (p *hookPkg) files(opts Options) []*source {
	main := &source{name: opts.Base + ".go", pkg: opts.Package, pieces: []func(*piece){handshake, p.decoder, p.structs, constants}}
	main.doc = []string{fmt.Sprintf("Package %s decodes %d hooks of AIX traces.", opts.Package, len(p.hooks))}
	files := []*source{main}
	if opts.Text {
		files = append(files, &source{name: opts.Base + textSuffix + ".go", pkg: opts.Package, pieces: []func(*piece){p.texts, constants}})
	}
	return files
}

// decoder writes the Decoder: a callback a hook.
func (p *hookPkg) decoder(out *piece) {
	out.Line()
	comments(out.Group,
		"Decoder hands every record to the callback of its hook. Set the callbacks that you want, then Run. The record, its",
		"entry and the values are valid until the callback returns. A Decoder is for one goroutine.")
	out.Type().Id("Decoder").StructFunc(func(g *jen.Group) {
		for _, h := range p.hooks {
			g.Id(h.goName).Func().Params(recordParam(), entryParam(), jen.Id("h").Op("*").Id(h.goName))
		}
		g.Line()
		comments(g, "Other gets the records that no callback above wants. It may be nil.")
		g.Id("Other").Func().Params(recordParam(), entryParam())
		comments(g, "Short gets the records that end before their template does, in place of Other. It may be nil.")
		g.Id("Short").Func().Params(recordParam(), entryParam())
		comments(g, "Env is asked for what templates decide by and records do not hold, such as $PID. It may be nil.")
		g.Id("Env").Op("*").Qual(renderPath, "Env")
		g.Line()
		g.Id("stats").Qual(bindPath, "Stats")
		g.Id("values").StructFunc(func(g *jen.Group) {
			for i, h := range p.hooks {
				g.Id(scratchName(i)).Id(h.goName)
			}
		})
	})
	p.run(out)
	p.handle(out)
	p.slots(out)
}

// run writes the methods that go through a recording.
func (p *hookPkg) run(out *piece) {
	recording := func() *jen.Statement { return jen.Id("rec").Op("*").Qual(aixPath, "Recording") }
	order := func(name string) *jen.Statement {
		return jen.Return(jen.Qual(hooksPath, name).Call(jen.Id("rec"), jen.Id("d").Dot("Batch")))
	}
	method(out, "Run", "Run hands on all records of rec in time order.").Params(recording()).Error().Block(order("InTimeOrder"))
	method(out, "RunStreams", "RunStreams is Run without the merge by time: one file of the recording after the other, which is faster.").
		Params(recording()).Error().Block(order("InStreamOrder"))
	method(out, "Stats", "Stats counts the records that no callback got.").Params().Qual(bindPath, "Stats").Block(
		jen.Return(jen.Id("d").Dot("stats")))
}

// handle writes the dispatch of records: once within the loop over a batch, which is where the time goes, and once
// for single ones.
func (p *hookPkg) handle(out *piece) {
	handedOn := func(ok bool) []jen.Code { return []jen.Code{jen.Return(jen.Lit(ok))} }
	next := func(bool) []jen.Code { return []jen.Code{jen.Continue()} }
	method(out, "Handle", "Handle hands on one record and reports whether its hook has a callback that got it.").
		Params(recordParam(), entryParam()).Bool().BlockFunc(func(g *jen.Group) {
		p.choice(g, handedOn)
		g.Return(jen.False())
	})
	method(out, "Batch", "Batch hands on records and their entries, one for each.").
		Params(jen.Id("records").Index().Qual(recordPath, "Record"), jen.Id("entries").Index().Qual(aixPath, "Entry")).Block(
		jen.For(jen.Id("i").Op(":=").Range().Id("records")).BlockFunc(func(g *jen.Group) {
			g.List(jen.Id("r"), jen.Id("x")).Op(":=").List(jen.Op("&").Id("records").Index(jen.Id("i")), jen.Op("&").Id("entries").Index(jen.Id("i")))
			p.choice(g, next)
		}))
	p.misses(out)
}

// choice writes the switch over hooks. done is what follows when a record has been dealt with.
func (p *hookPkg) choice(g *jen.Group, done func(ok bool) []jen.Code) {
	g.Switch(slotOf()).BlockFunc(func(g *jen.Group) {
		for i, h := range p.hooks {
			callback := jen.Id("d").Dot(h.goName)
			value := jen.Id("d").Dot("values").Dot(scratchName(i))
			short := append([]jen.Code{jen.Id("d").Dot("short").Call(jen.Id("r"), jen.Id("x"))}, done(false)...)
			body := []jen.Code{
				jen.If(callback.Clone().Op("==").Nil()).Block(jen.Break()),
				jen.If(jen.Op("!").Add(value.Clone().Dot("Decode").Call(jen.Id("r"), jen.Id("x"), jen.Id("d").Dot("Env")))).Block(short...),
				callback.Clone().Call(jen.Id("r"), jen.Id("x"), jen.Op("&").Add(value.Clone())),
			}
			g.Case(number(i + 1)).Block(append(body, done(true)...)...)
		}
	})
	g.Id("d").Dot("other").Call(jen.Id("r"), jen.Id("x"))
}

// misses writes what becomes of the records that no callback gets.
func (p *hookPkg) misses(out *piece) {
	for _, m := range [][2]string{{"other", "Other"}, {"short", "Short"}} {
		out.Line()
		out.Func().Params(jen.Id("d").Op("*").Id("Decoder")).Id(m[0]).Params(recordParam(), entryParam()).Block(
			jen.Id("d").Dot("stats").Dot(m[1]).Op("++"),
			jen.If(jen.Id("d").Dot(m[1]).Op("!=").Nil()).Block(jen.Id("d").Dot(m[1]).Call(jen.Id("r"), jen.Id("x"))))
	}
}

// slotOf is the number of the record's hook, counted from 1.
func slotOf() *jen.Statement { return jen.Id("slots").Index(jen.Uint16().Call(jen.Id("r").Dot("ID"))) }

// slots writes the table that makes small numbers of hook ids: a switch over those is one jump.
func (p *hookPkg) slots(out *piece) {
	out.Line()
	comments(out.Group, "slots numbers the hook ids in their form of 16 bits; 0 is none.")
	out.Var().Id("slots").Op("=").Index(jen.Lit(1 << 16)).Uint16().ValuesFunc(func(g *jen.Group) {
		for i, h := range p.hooks {
			g.Line().Add(hexNumber(uint64(h.id))).Op(":").Lit(i + 1)
		}
		g.Line()
	})
}

// texts writes AppendText and a function for every hook and environment.
func (p *hookPkg) texts(out *piece) {
	out.Line()
	comments(out.Group, "AppendText appends what the template of a record prints, its label included. It returns false when no template of its hook",
		"is compiled in. Why a template ended before its end is left in env.Outcome. env may be nil.")
	out.Func().Id("AppendText").Params(jen.Id("dst").Index().Byte(), recordParam(), entryParam(), envParam()).
		Params(jen.Index().Byte(), jen.Bool()).BlockFunc(func(g *jen.Group) {
		g.Switch(slotOf()).BlockFunc(func(g *jen.Group) {
			for i, h := range p.hooks {
				g.Case(number(i + 1)).Block(jen.Return(
					jen.Id("append"+h.goName).Call(dst(), data(), jen.Id("x"), jen.Id("env")), jen.True()))
			}
		})
		g.Return(dst(), jen.False())
	})
	for _, h := range p.hooks {
		h.text(out)
	}
}

func (h *hook) text(out *piece) {
	same := h.variants(func(e *event) []ir.Stmt { return e.Text })
	out.Line()
	comments(out.Group, fmt.Sprintf("append%s renders hook %s, %s.", h.goName, hookID(h.id), plain(h.label)))
	params := func() *jen.Statement {
		return jen.List(jen.Id("dst"), jen.Id("data")).Index().Byte()
	}
	out.Func().Id("append"+h.goName).Params(params(), entryParam(), envParam()).Index().Byte().BlockFunc(func(g *jen.Group) {
		h.byEnv(g, same, func(i int) jen.Code {
			return jen.Return(jen.Id("append"+h.goName+hookEnvs[i].suffix).Call(dst(), jen.Id("data"), jen.Id("env")))
		})
		g.Return(dst())
	})
	for i, e := range h.events {
		if same[i] != i {
			continue
		}
		out.Line()
		out.Func().Id("append"+h.goName+hookEnvs[i].suffix).Params(params(), envParam()).Index().Byte().
			Block(textBody(out, e, h.target(i))...)
	}
}

// textBody is the body of a function with parameters dst, data and env that renders an event.
func textBody(out *piece, e *event, target ir.Target) []jen.Code {
	w := newStreamWriter(out, e, target)
	body, ends := w.ending(func() { w.stmts(e.Text) })
	if !ends {
		body = append(body, jen.Return(dst()))
	}
	head := w.declarations()
	if e.Size > 0 {
		short := renderFn("Short").Call(dst(), jen.Len(jen.Id("data")), number(e.Size))
		head = append(head, jen.If(jen.Len(jen.Id("data")).Op("<").Lit(e.Size)).Block(jen.Return(short)))
	}
	return append(head, body...)
}

// newStreamWriter returns a writer of code over the variable data, which holds at least e.Size bytes.
func newStreamWriter(out *piece, e *event, target ir.Target) *writer {
	return &writer{
		out: out, event: e, target: target, consts: make(map[ir.Value]constant), sure: e.Size,
	}
}
