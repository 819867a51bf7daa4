package own

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/page"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
)

// kindOf returns the kind of a value for messages.
func (g *Value) kindOf() string {
	switch g.Shape {
	case OfNumber:
		return expr.TypeName(g.Type)
	case OfFloat:
		return fmt.Sprintf("float%d", 8*g.Type.Size)
	case OfText:
		if g.Many {
			return "a list of texts"
		}
		return "text"
	case OfBlob:
		return "bytes"
	}
	return "a list of " + expr.TypeName(g.Type)
}

// allows checks the conversion of a value to the type of a field.
func (s *Structs) allows(f *Field, g *Value, to *goal, messages *diag.List) bool {
	if f.tag.ok {
		switch {
		case to.kind != toBool:
			s.report(messages, f.kind, "into-type", "%s reports whether there is %q: want bool", f.path, g.Name)
		case !g.Maybe:
			s.report(messages, f.at, "into-tag", "every record has %q: leave out the option ok", g.Name)
		default:
			return true
		}
		return false
	}
	if f.tag.zero && !g.Maybe {
		s.report(messages, f.at, "into-tag", "every record has %q: leave out the option zero", g.Name)
		return false
	}
	leave, why := conversion(g, to, f.tag.unit != 0)
	switch {
	case why != "":
		s.report(messages, f.kind, "into-type", "%q is %s%s: %s", g.Name, g.kindOf(), declaredAs(g), why)
	case leave != "" && !f.tag.narrow:
		s.report(messages, f.kind, "into-narrow", "%q is %s%s: %s; if that is right, use the option narrow: `tracec:\"%s,narrow\"`",
			g.Name, g.kindOf(), declaredAs(g), leave, f.tag.name)
	case f.tag.narrow && leave == "":
		s.report(messages, f.at, "into-tag", "%q is not truncated: leave out the option narrow", g.Name)
	case f.tag.unit != 0 && to.kind != toDuration:
		s.report(messages, f.at, "into-tag", "a unit is for time.Duration, or a type that this package declares as it: leave it out")
	default:
		return true
	}
	return false
}

// declaredAs returns the type in the description, if it adds to the kind and the name.
func declaredAs(g *Value) string {
	c := strings.Join(strings.Fields(page.Plain(g.CType)), " ")
	if c == "" || c == g.kindOf() || c == g.Name {
		return ""
	}
	return " (" + c + ")"
}

// Conversion checks the conversion of a value to a type without options. See conversion for the
// results.
func Conversion(g *Value, t types.Type) (leave, why string) {
	to, why := new(Structs).goalOf(t, maxNested)
	if why != "" {
		return "", why
	}
	return conversion(g, to, to.kind == toDuration && !g.time)
}

// conversion checks the conversion of a value. leave is the loss that an option must permit, or
// empty. If there is no conversion, why is the reason.
func conversion(g *Value, to *goal, unit bool) (leave, why string) {
	if g.Many {
		return repeatedConversion(g, to)
	}
	switch g.Shape {
	case OfNumber:
		return numberConversion(g, to, unit)
	case OfFloat:
		if to.kind != toFloat {
			return "", "want " + g.kindOf()
		}
		return fewerDigits(g, to), ""
	case OfText:
		switch {
		case to.kind == toString || to.kind == toBytes:
		case to.kind == toChars && g.Size > 0 && to.n >= g.Size:
		case to.kind == toChars:
			return fmt.Sprintf("texts longer than %d bytes are truncated", to.n), ""
		default:
			return "", "want string, []byte or an array of bytes"
		}
	case OfBlob:
		switch {
		case to.kind == toBytes:
		case to.kind == toChars && g.Size > 0 && to.n >= g.Size:
		case to.kind == toChars:
			return fmt.Sprintf("texts longer than %d bytes are truncated", to.n), ""
		default:
			return "", "want []byte or an array of bytes"
		}
	case OfList:
		return listConversion(g, to)
	}
	return "", ""
}

func fewerDigits(g *Value, to *goal) string {
	if to.num.Size < g.Type.Size {
		return "float32 has fewer digits"
	}
	return ""
}

func numberConversion(g *Value, to *goal, unit bool) (leave, why string) {
	switch to.kind {
	case toInt:
		return loses(g.Type, to), ""
	case toBool:
		if !g.yesNo {
			return "bool is whether it is not 0", ""
		}
		return "", ""
	case toDuration:
		switch {
		case g.time && unit:
			return "", "its unit is known: leave it out"
		case !g.time && !unit:
			return "", fmt.Sprintf("its unit is missing: want an option ns, us, ms or s, such as `tracec:\"%s,ns\"`",
				g.Name)
		}
		return "", ""
	}
	if g.time {
		return "", "want time.Duration or " + expr.TypeName(g.Type)
	}
	return "", "want " + expr.TypeName(g.Type) + " or a wider integer"
}

// loses describes the loss when an integer is converted to another type.
func loses(from ir.Type, to *goal) string {
	name := expr.TypeName(to.num)
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

func listConversion(g *Value, to *goal) (leave, why string) {
	switch to.kind {
	case toList:
		return loses(g.Type, to), ""
	case toArray:
		switch {
		case g.Size == 0:
			return "", fmt.Sprintf("its length differs: want []%s", expr.TypeName(g.Type))
		case to.n < g.Size:
			return fmt.Sprintf("the last %d of %d are left out", g.Size-to.n, g.Size), ""
		}
		return loses(g.Type, to), ""
	}
	return "", fmt.Sprintf("want []%s", expr.TypeName(g.Type))
}

// repeatedConversion is conversion for a value that a record may have several times.
func repeatedConversion(g *Value, to *goal) (leave, why string) {
	switch g.Shape {
	case OfNumber:
		if to.kind == toList {
			return loses(g.Type, to), ""
		}
		if to.kind == toBytes && g.Type == ir.U8 {
			return "", ""
		}
		return "", fmt.Sprintf("a record may have several: want []%s", expr.TypeName(g.Type))
	case OfText:
		if to.kind == toStrings || to.kind == toBlobs {
			return "", ""
		}
		return "", "a record may have several: want []string or [][]byte"
	case OfBlob:
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
func (s *Structs) optional(fills []*Fill, messages *diag.List) {
	said := map[*Value]bool{}
	for _, f := range fills {
		said[f.From] = said[f.From] || f.to.tag.ok
	}
	for _, f := range fills {
		if !f.From.Maybe || f.to.tag.ok || f.to.tag.zero || said[f.From] {
			continue
		}
		s.report(messages, f.to.at, "into-optional",
			"not every record has %q: add a field Has%s bool `tracec:\"%s,ok\"`, or use the option zero for 0",
			f.From.Name, f.to.name, f.From.Name)
	}
}
