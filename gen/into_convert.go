package gen

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
)

// kindOf names a value in messages.
func (g *given) kindOf() string {
	switch g.shape {
	case ofNumber:
		return intName(g.typ)
	case ofFloat:
		return fmt.Sprintf("float%d", 8*g.typ.Size)
	case ofText:
		if g.many {
			return "a list of texts"
		}
		return "text"
	case ofBlob:
		return "bytes"
	}
	return "a list of " + intName(g.typ)
}

func intName(t ir.Type) string {
	if t.Signed {
		return fmt.Sprintf("int%d", 8*t.Size)
	}
	return fmt.Sprintf("uint%d", 8*t.Size)
}

// allows checks the conversion of a value to the type of a field.
func (p *intoPkg) allows(f *StructField, g *given, to *goal) bool {
	s, messages := p.structs, &p.messages
	if f.tag.ok {
		switch {
		case to.kind != toBool:
			s.report(messages, f.kind, "into-type", "%s says whether there is %q: want bool", f.path, g.name)
		case !g.maybe:
			s.report(messages, f.at, "into-tag", "every record has %q: leave out the option ok", g.name)
		default:
			return true
		}
		return false
	}
	if f.tag.zero && !g.maybe {
		s.report(messages, f.at, "into-tag", "every record has %q: leave out the option zero", g.name)
		return false
	}
	leave, why := conversion(g, to, f.tag.unit != 0)
	switch {
	case why != "":
		s.report(messages, f.kind, "into-type", "%q is %s%s: %s", g.name, g.kindOf(), declaredAs(g), why)
	case leave != "" && !f.tag.narrow:
		s.report(messages, f.kind, "into-narrow", "%q is %s%s: %s; if that is right, say so by the option narrow: `tracec:\"%s,narrow\"`",
			g.name, g.kindOf(), declaredAs(g), leave, f.tag.name)
	case f.tag.narrow && leave == "" && !p.mayBeCut(g, to, f.tag.unit != 0):
		s.report(messages, f.at, "into-tag", "nothing of %q is cut: leave out the option narrow", g.name)
	case f.tag.unit != 0 && to.kind != toDuration:
		s.report(messages, f.at, "into-tag", "a unit is for time.Duration, or a type declared as it: leave it out")
	default:
		return true
	}
	return false
}

// declaredAs is the type in the description, if it adds to the kind and the name.
func declaredAs(g *given) string {
	c := strings.Join(strings.Fields(plain(g.ctype)), " ")
	if c == "" || c == g.kindOf() || c == g.name {
		return ""
	}
	return " (" + c + ")"
}

// conversion returns the loss for which the conversion of a value needs leave. If there is no
// conversion, why is the reason.
func conversion(g *given, to *goal, unit bool) (leave, why string) {
	if g.many {
		return repeatedConversion(g, to)
	}
	switch g.shape {
	case ofNumber:
		return numberConversion(g, to, unit)
	case ofFloat:
		if to.kind != toFloat {
			return "", "want " + g.kindOf()
		}
		return fewerDigits(g, to), ""
	case ofText:
		switch {
		case to.kind == toString || to.kind == toBytes:
		case to.kind == toChars && g.size > 0 && to.n >= g.size:
		case to.kind == toChars:
			return fmt.Sprintf("what is longer than %d bytes is cut", to.n), ""
		default:
			return "", "want string, []byte or an array of bytes"
		}
	case ofBlob:
		switch {
		case to.kind == toBytes:
		case to.kind == toChars && g.size > 0 && to.n >= g.size:
		case to.kind == toChars:
			return fmt.Sprintf("what is longer than %d bytes is cut", to.n), ""
		default:
			return "", "want []byte or an array of bytes"
		}
	case ofList:
		return listConversion(g, to)
	}
	return "", ""
}

func fewerDigits(g *given, to *goal) string {
	if to.num.Size < g.typ.Size {
		return "float32 has fewer digits"
	}
	return ""
}

func numberConversion(g *given, to *goal, unit bool) (leave, why string) {
	switch to.kind {
	case toInt:
		return loses(g.typ, to), ""
	case toBool:
		if !g.yesno {
			return "bool is whether it is not 0", ""
		}
		return "", ""
	case toDuration:
		switch {
		case g.time && unit:
			return "", "its unit is known: leave it out"
		case !g.time && !unit:
			return "", fmt.Sprintf("nothing says its unit: want an option ns, us, ms or s, such as `tracec:\"%s,ns\"`", g.name)
		}
		return "", ""
	}
	if g.time {
		return "", "want time.Duration or " + intName(g.typ)
	}
	return "", "want " + intName(g.typ) + " or a wider integer"
}

// loses describes the loss of an integer that is converted to another type.
func loses(from ir.Type, to *goal) string {
	name := intName(to.num)
	if to.word && integerOf(to) != nil {
		name = types.TypeString(integerOf(to).Underlying(), nil)
	}
	bits := fmt.Sprintf("%s has %d bits", name, 8*to.num.Size)
	if to.word {
		bits = name + " has 32 bits on some machines"
	}
	switch {
	case from.Signed && !to.num.Signed:
		return name + " has no sign"
	case from.Size > to.num.Size, from.Size == to.num.Size && from.Signed != to.num.Signed:
		return bits
	}
	return ""
}

func integerOf(to *goal) types.Type {
	if to.elem != nil {
		return to.elem
	}
	return to.typ
}

func listConversion(g *given, to *goal) (leave, why string) {
	switch to.kind {
	case toList:
		return loses(g.typ, to), ""
	case toArray:
		switch {
		case g.size == 0:
			return "", fmt.Sprintf("its length differs: want []%s", intName(g.typ))
		case to.n < g.size:
			return fmt.Sprintf("the last %d of %d are left out", g.size-to.n, g.size), ""
		}
		return loses(g.typ, to), ""
	}
	return "", fmt.Sprintf("want []%s", intName(g.typ))
}

// repeatedConversion is conversion for a value that a record may have several times.
func repeatedConversion(g *given, to *goal) (leave, why string) {
	switch g.shape {
	case ofNumber:
		if to.kind == toList {
			return loses(g.typ, to), ""
		}
		if to.kind == toBytes && g.typ == ir.U8 {
			return "", ""
		}
		return "", fmt.Sprintf("a record may have several: want []%s", intName(g.typ))
	case ofText:
		if to.kind == toStrings || to.kind == toBlobs {
			return "", ""
		}
		return "", "a record may have several: want []string or [][]byte"
	case ofBlob:
		if to.kind == toBlobs {
			return "", ""
		}
		return "", "a record may have several: want [][]byte"
	}
	if to.kind != toFloats {
		return "", fmt.Sprintf("a record may have several: want []%s", g.kindOf())
	}
	return fewerDigits(g, to), ""
}

// optional reports fields for values that a record may lack, if nothing in the struct records that
// a value is missing.
func (s *Structs) optional(e *intoEvent, messages *diag.List) {
	said := map[*given]bool{}
	for _, f := range e.fills {
		said[f.from] = said[f.from] || f.to.tag.ok
	}
	for _, f := range e.fills {
		if !f.from.maybe || f.to.tag.ok || f.to.tag.zero || said[f.from] {
			continue
		}
		s.report(messages, f.to.at, "into-optional", "not every record has %q: add a field Has%s bool `tracec:\"%s,ok\"`, or say by the option zero that it is then 0",
			f.from.name, f.to.name, f.from.name)
	}
}
