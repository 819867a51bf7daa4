package gen

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

const (
	uftracePath = runtimePath + "uftrace"
	callsPath   = bindPath + "/calls"
)

// files plans the files of the package.
func (p *callPkg) files(opts Options) []*source {
	decoder := func(out *piece) { p.decoder(out, opts.Text) }
	main := &source{name: opts.Base + ".go", pkg: opts.Package, pieces: []func(*piece){handshake, decoder, p.structs, p.enumTypes, p.table, constants}}
	main.doc = []string{fmt.Sprintf("Package %s decodes the calls of %s that uftrace recorded.", opts.Package, functions(len(p.sides)/2))}
	files := []*source{main}
	if opts.Text {
		files = append(files, &source{name: opts.Base + textSuffix + ".go", pkg: opts.Package, pieces: []func(*piece){p.texts, constants}})
	}
	return files
}

func functions(n int) string {
	if n == 1 {
		return "1 function"
	}
	return fmt.Sprint(n, " functions")
}

// decoder writes the Decoder: a callback for the call and one for the return of a function.
func (p *callPkg) decoder(out *piece, text bool) {
	out.Line()
	comments(out.Group,
		"Decoder hands every record to the callback of its function. Set the callbacks that you want, then Run. The record, its",
		"entry and the values are valid until the callback returns. A Decoder is for one goroutine.")
	out.Type().Id("Decoder").StructFunc(func(g *jen.Group) {
		p.members(g)
		g.Line()
		comments(g, "Enter and Leave get the calls and returns that no callback above wants; where they are nil, Other does.")
		g.List(jen.Id("Enter"), jen.Id("Leave")).Func().Params(recordParam(), p.entryParam())
		comments(g, "Other gets all other records: events, and notes of lost records. It may be nil.")
		g.Id("Other").Func().Params(recordParam(), p.entryParam())
		comments(g, "Short gets the records whose values are not there, or not whole, in place of the callback. It may be nil.")
		g.Id("Short").Func().Params(recordParam(), p.entryParam())
		comments(g, "Missing is told of every function with a callback that the recording does not have, or has not with these values",
			"(bind.ErrMissing), or has in a form that does not fit (bind.ErrIncompatible). If it is nil, Bind fails with these errors.")
		g.Id("Missing").Func().Params(jen.Id("function").String(), jen.Err().Error())
		comments(g, "Narrow allows numbers to be cut that are wider in the recording than here.")
		g.Id("Narrow").Bool()
		g.Line()
		g.Id("binding").Qual(callsPath, "Binding")
		p.values(g)
	})
	p.methods(out, text)
	p.dispatch(out)
}

// methods writes the methods that do not depend on the functions.
func (p *callPkg) methods(out *piece, text bool) {
	rec := func() jen.Code { return jen.Id("rec").Op("*").Qual(uftracePath, "Recording") }
	binding := func() *jen.Statement { return jen.Id("d").Dot("binding") }
	run := func(order string) []jen.Code {
		return []jen.Code{
			jen.If(jen.Err().Op(":=").Id("d").Dot("Bind").Call(jen.Id("rec")), jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Err())),
			jen.Return(binding().Dot(order).Call(jen.Id("rec"))),
		}
	}
	hooks := jen.Qual(callsPath, "Hooks").ValuesFunc(func(g *jen.Group) {
		for _, name := range []string{"Enter", "Leave", "Other", "Short", "Missing", "Narrow"} {
			g.Line().Id(name).Op(":").Id("d").Dot(name)
		}
		g.Line()
	})
	method(out, "Bind", "Bind looks for the functions that have a callback in the symbols of rec, by name, and prepares relocation where their values",
		"are laid out otherwise. Callbacks that are set later are not called; those set now must stay.").
		Params(rec()).Error().Block(jen.Return(binding().Dot("Bind").Call(
		jen.Id("rec"), jen.Id("functions"), jen.Id("d"), jen.Parens(jen.Op("*").Id("dispatch")).Parens(jen.Id("d")), hooks)))
	method(out, "Run", "Run binds, then hands on all records of rec in time order.").
		Params(rec()).Error().Block(run("InTimeOrder")...)
	method(out, "RunTasks", "RunTasks is Run without the merge by time: one thread after the other, which is faster, and without other events.").
		Params(rec()).Error().Block(run("InTaskOrder")...)
	method(out, "Batch", "Batch hands on records and their entries, one for each. Bind comes first.").
		Params(jen.Id("records").Index().Qual(recordPath, "Record"), jen.Id("entries").Index().Qual(uftracePath, "Entry")).Block(
		binding().Dot("Batch").Call(jen.Id("records"), jen.Id("entries")))
	method(out, "Handle", "Handle hands on one record and reports whether its function has a callback that got it. Bind comes first.").
		Params(recordParam(), p.entryParam()).Bool().Block(jen.Return(binding().Dot("Record").Call(jen.Id("r"), jen.Id("x"))))
	method(out, "Stats", "Stats counts the records that no callback of a function got, since Bind.").
		Params().Qual(bindPath, "Stats").Block(jen.Return(binding().Dot("Stats")))
	if text {
		method(out, "AppendText", "AppendText appends the values of a record as uftrace replay prints them, without parentheses, whether its function has a",
			"callback or not. It returns false if the function is not compiled in or does not fit the recording. Bind comes first. env",
			"may be nil; it finds the symbols that pointers hit.").
			Params(jen.Id("dst").Index().Byte(), recordParam(), p.entryParam(), envParam()).Params(jen.Index().Byte(), jen.Bool()).Block(
			jen.Return(binding().Dot("AppendText").Call(jen.Id("dst"), jen.Id("r"), jen.Id("x"), jen.Id("env"))))
	}
}

// table writes what the binding compares recordings with.
func (p *callPkg) table(out *piece) {
	out.Line()
	comments(out.Group, "functions is what was compiled in: a callback of Decoder each, in their order.")
	out.Var().Id("functions").Op("=").Index().Qual(callsPath, "Function").ValuesFunc(func(g *jen.Group) {
		for _, s := range p.sides {
			var parts []jen.Code
			if s.module != "" {
				parts = append(parts, jen.Id("Module").Op(":").Lit(s.module))
			}
			parts = append(parts, jen.Id("Name").Op(":").Lit(s.name))
			if s.exit {
				parts = append(parts, jen.Id("Exit").Op(":").True())
			}
			g.Line().Values(append(parts, s.layoutPart()...)...)
		}
		g.Line()
	})
}
