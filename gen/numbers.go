package gen

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/expr"
)

// keepNumbers appends integers to a field that is a list. s has their bytes.
func (w *writer) keepNumbers(f *valueField, s *ir.Keep) {
	e := s.Field.Fields[0]
	big := e.Order == ir.BigEndian || e.Order == ir.AsRecorded && w.target.BigEndian
	if w.keeps.taken {
		w.eachNumber(f, s, big)
		return
	}
	list := w.fieldOf(f)
	if w.begun == s.Field {
		list, w.begun = list.Index(jen.Empty(), jen.Lit(0)), nil
	}
	args := []jen.Code{list, w.region(s.Of)}
	if e.Size > 1 {
		args = append(args, jen.Lit(big))
	}
	w.emit(w.fieldOf(f).Op("=").Add(expr.Gencode("Append" + strconv.Itoa(8*e.Size))).Call(args...))
}

// fillsAtOnce reports whether s empties a list that next fills with integers. Then one statement
// does both.
func (w *writer) fillsAtOnce(s *ir.Keep, next ir.Stmt) bool {
	numbers, ok := next.(*ir.Keep)
	if !ok || w.keeps == nil || w.keeps.taken || s.Field.Kind != ir.List || s.V != nil || s.Of != nil ||
		numbers.Field != s.Field || numbers.Of == nil {
		return false
	}
	if f := w.keeps.of[s.Field]; f.optional || f.isElement() {
		return false
	}
	w.begun = s.Field
	return true
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
