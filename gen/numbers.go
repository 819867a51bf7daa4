package gen

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/expr"
)

// keepNumbers appends integers to a field that is a list. The statement has their bytes.
func (w *writer) keepNumbers(f *valueField, s *ir.Keep) {
	e := s.Field.Fields[0]
	big := e.Order == ir.BigEndian || e.Order == ir.AsRecorded && w.target.BigEndian
	if w.keeps.taken {
		w.eachNumber(f, s, big)
		return
	}
	args := []jen.Code{w.fieldOf(f), w.region(s.Of)}
	if e.Size > 1 {
		args = append(args, jen.Lit(big))
	}
	w.emit(w.fieldOf(f).Op("=").Add(expr.Gencode("Append" + strconv.Itoa(8*e.Size))).Call(args...))
}

// eachNumber is keepNumbers for the fields of the user's struct that take the integers.
func (w *writer) eachNumber(f *valueField, s *ir.Keep, big bool) {
	e := s.Field.Fields[0]
	rest := &ir.LocalBytes{Slot: w.event.Buffers}
	w.stmts([]ir.Stmt{&ir.LetBytes{Slot: rest.Slot, V: s.Of}})
	v := ir.Value(&ir.Load{T: e.Type(), From: rest})
	if e.Size > 1 && big != w.target.BigEndian {
		v = &ir.Func{T: e.Type(), Name: "Swab" + strconv.Itoa(8*e.Size), Args: []ir.Value{v}}
	}
	size := expr.Number(e.Size)
	body, _ := w.ending(func() { w.keepInto(f, &ir.Keep{Field: e, V: v}) })
	w.emit(jen.For(jen.Empty(), jen.Len(w.region(rest)).Op(">=").Add(size),
		w.region(rest).Op("=").Add(w.region(rest)).Index(size, jen.Empty())).Block(body...))
}
