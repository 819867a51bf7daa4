package gen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/expr"
)

// Environments that differ only in sizes share one body of code. There the sizes are variables:
// word is the size of a word, head the size of the head of every record, and start the place where
// its data begin. An entry of the container knows them (Shape).

// envSizes are these sizes in one environment.
type envSizes struct{ word, head, start int64 }

// sizesOf returns the sizes that the compiler declares for a form.
func sizesOf(e *form) envSizes {
	return envSizes{int64(e.target.WordSize), int64(e.Size), int64(e.Start)}
}

// amount is a constant that depends on the environment, expressed as a sum.
type amount struct {
	values                  []int64 // by form
	word, head, start, more int64
}

// amountOf finds a sum that has these values. It prefers a sum of one size and a number.
func amountOf(sizes []envSizes, values []int64) (amount, bool) {
	for _, pick := range []func(envSizes) (int64, amount){
		func(s envSizes) (int64, amount) { return s.word, amount{word: 1} },
		func(s envSizes) (int64, amount) { return s.head, amount{head: 1} },
		func(s envSizes) (int64, amount) { return s.start, amount{start: 1} },
	} {
		if a, ok := multipleOf(sizes, values, pick); ok {
			return a, true
		}
	}
	return sumOf(sizes, values)
}

// multipleOf finds factor*size + number.
func multipleOf(sizes []envSizes, values []int64, pick func(envSizes) (int64, amount)) (amount, bool) {
	first, a := pick(sizes[0])
	factor := int64(0)
	for i, s := range sizes {
		if size, _ := pick(s); size != first {
			if (values[i]-values[0])%(size-first) != 0 {
				return amount{}, false
			}
			factor = (values[i] - values[0]) / (size - first)
			break
		}
	}
	more := values[0] - factor*first
	for i, s := range sizes {
		if size, _ := pick(s); factor*size+more != values[i] {
			return amount{}, false
		}
	}
	return amount{values, a.word * factor, a.head * factor, a.start * factor, more}, factor > 0
}

// maxFactor limits the factors, so that a reader recognizes them as sizes.
const maxFactor = 4

// sumOf finds a sum of two sizes with small factors.
func sumOf(sizes []envSizes, v []int64) (amount, bool) {
	if len(sizes) != 4 {
		return amount{}, false
	}
	for word := int64(-maxFactor); word <= maxFactor; word++ {
		for head := int64(-1); head <= maxFactor; head++ {
			for start := int64(-1); start <= maxFactor; start++ {
				if word != 0 && head != 0 && start != 0 {
					continue
				}
				sum := func(s envSizes) int64 { return word*s.word + head*s.head + start*s.start }
				more := v[0] - sum(sizes[0])
				if sum(sizes[1])+more == v[1] && sum(sizes[2])+more == v[2] && sum(sizes[3])+more == v[3] {
					return amount{v, word, head, start, more}, true
				}
			}
		}
	}
	return amount{}, false
}

// code returns the sum as the code of an int.
func (a amount) code() string {
	var plus, minus []string
	for _, t := range []struct {
		factor int64
		name   string
	}{{a.word, "word"}, {a.head, "head"}, {a.start, "start"}} {
		term := t.name
		if n := max(t.factor, -t.factor); n > 1 {
			term = fmt.Sprintf("%d*%s", n, t.name)
		}
		switch {
		case t.factor > 0:
			plus = append(plus, term)
		case t.factor < 0:
			minus = append(minus, term)
		}
	}
	if a.more > 0 {
		plus = append(plus, fmt.Sprint(a.more))
	}
	if a.more < 0 {
		minus = append(minus, fmt.Sprint(-a.more))
	}
	return strings.Join(append([]string{strings.Join(plus, " + ")}, minus...), " - ")
}

// usesAmount notes the sizes that occur in the code of the function.
func (w *writer) usesAmount(a amount) {
	w.merged.word = w.merged.word || a.word != 0
	w.merged.head = w.merged.head || a.head != 0
	w.merged.start = w.merged.start || a.start != 0
}

// amountCode returns the code of an amount as an int.
func (w *writer) amountCode(a amount) *jen.Statement {
	w.usesAmount(a)
	return jen.Id(a.code())
}

// Values that occur only in code for several environments. The embedded value declares the type.
type (
	// varied is a constant.
	varied struct {
		ir.Value
		amount
	}
	// wordLoad is a load of a word, extended to 64 bits.
	wordLoad struct {
		ir.Value
		from ir.Region
		at   ir.Value
	}
	// either is one value in some environments and another value in the others.
	either struct {
		ir.Value
		split split
		rest  ir.Value
	}
)

// varying writes one of these values. It returns nil for others.
func (w *writer) varying(v ir.Value) *jen.Statement {
	switch v := v.(type) {
	case *varied:
		return typeCode(v.Type()).Call(w.amountCode(v.amount))
	case *wordLoad:
		return w.word(v)
	case *either:
		if w.isHookLength(v) {
			return jen.Id("x").Dot("HookLength").Call(jen.Id("data"))
		}
		return expr.Gencode("Pick").Call(w.inEnvironment(v.split), w.value(v.Value), w.value(v.rest))
	}
	return nil
}

// word writes a load of a word.
func (w *writer) word(v *wordLoad) *jen.Statement {
	sign := ""
	if v.Type().Signed {
		sign = "Signed"
	}
	at := jen.Code(jen.Lit(0))
	switch k := v.at.(type) {
	case *varied:
		if k.word > 0 && k.head == 0 && k.start == 0 && k.more == 0 {
			return jen.Id("x").Dot(sign+"DataWord").Call(w.region(v.from), jen.Lit(int(k.word)))
		}
		at = w.amountCode(k.amount)
	case *ir.Const:
		at = jen.Lit(int(k.V))
	}
	w.merged.word = true
	return expr.Gencode(sign+"Word").Call(w.region(v.from), at, jen.Id("word"))
}

// isSubhook reports whether a load of two bytes at a reads the end of the first word. An entry
// returns these bytes as its Subhook.
func isSubhook(t ir.Type, a amount) bool {
	return t.Size == 2 && a.word == 1 && a.head == 0 && a.start == 0 && a.more == -2
}

// isHookLength reports whether v is the length in the hook word. For hooks of 32 bits it is the
// number of words, in the first half. For all others it is the number of bytes, in the second half.
func (w *writer) isHookLength(v *either) bool {
	first, ok1 := v.Value.(*ir.Func)
	rest := v.rest
	if c, ok := rest.(*ir.Convert); ok {
		rest = c.X
	}
	second, ok2 := rest.(*ir.Load)
	if !ok1 || !ok2 || v.split.variant != "Env32" || first.Name != "HookLength" || second.T != ir.U16 ||
		!isWhole(second.From) {
		return false
	}
	at, ok := w.constant(second.At)
	return ok && at == 2 && w.sure >= 4
}

// split divides environments into two groups.
type split struct {
	variant string // one environment; if empty:
	word    int64  // the environments with words of this size
}

func (w *writer) inEnvironment(s split) *jen.Statement {
	if s.variant != "" {
		return jen.Id("x").Dot("Env").Call().Op("==").Qual(w.merged.container, s.variant)
	}
	w.merged.word = true
	return jen.Id("word").Op("==").Lit(int(s.word))
}

// merged lists the values that a function for several environments reads from the entry.
type merged struct {
	container         string
	sure              []int // by form, as writer.sure
	word, head, start bool
}

// begin returns the statement that reads the shape.
func (m *merged) begin() []jen.Code {
	if !m.word && !m.head && !m.start {
		return nil
	}
	name := func(used bool, name string) jen.Code {
		if used {
			return jen.Id(name)
		}
		return jen.Id("_")
	}
	return []jen.Code{jen.List(name(m.word, "word"), name(m.head, "head"),
		name(m.start, "start")).Op(":=").Id("x").Dot("Shape").Call()}
}
