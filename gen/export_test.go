package gen

import (
	"fmt"
	"go/token"
	"go/types"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/own"
)

// DecoderReserved is the table that TestReserved compares with generated code.
var DecoderReserved = decoderReserved

// DrawStructs writes a package with a struct E0, E1, ... for every nth event of u. Each has some of
// its values in random types. Names are in tags, so that a program can find the value of each field
// by reflection.
func DrawStructs(name string, u *ir.Unit, seed uint64, every int) string {
	d := &structDrawer{rng: rand.New(rand.NewPCG(seed, 5))}
	p := &intoPkg{target: u.Target, sequential: u.Sequential, values: map[*ir.Event]*values{}}
	for i, ev := range u.Events {
		if i%every != 0 {
			continue
		}
		s := &own.Struct{Name: fmt.Sprintf("E%d", i)}
		has, err := p.valuesOf(s, ev)
		if err != nil {
			continue
		}
		d.event(u, s.Name, ev, append(has, own.OfRecord...))
	}
	head := "package " + name + "\n\n"
	if strings.Contains(d.text.String(), "time.Duration") {
		head += "import \"time\"\n\n"
	}
	return head + d.types.String() + d.text.String()
}

type structDrawer struct {
	rng         *rand.Rand
	types, text strings.Builder
	named       int
}

func (d *structDrawer) event(u *ir.Unit, typ string, of *ir.Event, has []*own.Value) {
	ref := own.References(of)[0]
	if unique := 0; true {
		for _, ev := range u.Events {
			for _, r := range own.References(ev) {
				if r == ref || ev.Variants != nil && strings.EqualFold(r, ref) {
					unique++
				}
			}
		}
		if unique != 1 || !utf8.ValidString(ref) || strings.TrimSpace(ref) != ref ||
			strings.ContainsFunc(ref, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return
		}
	}
	fmt.Fprintf(&d.text, "//tracec:event %s\ntype %s struct {\n", ref, typ)
	count := map[string]int{}
	for _, g := range has {
		count[g.Name]++
	}
	n := 0
	for _, g := range has {
		if count[g.Name] > 1 || g.Name == "-" || g.Name == "" || strings.ContainsAny(g.Name, ",`\"\\\n") ||
			d.rng.IntN(5) < 2 {
			continue
		}
		fieldType, options := d.pick(g)
		if fieldType == "" {
			continue
		}
		if g.Maybe {
			if d.rng.IntN(2) == 0 {
				options += ",zero"
			} else {
				fmt.Fprintf(&d.text, "\tHas%d bool `tracec:%s`\n", n, strconv.Quote(g.Name+",ok"))
			}
		}
		fmt.Fprintf(&d.text, "\tF%d %s `tracec:%s`\n", n, fieldType, strconv.Quote(g.Name+options))
		n++
	}
	d.text.WriteString("}\n\n")
}

// pick draws a type for a value, and the options that it needs.
func (d *structDrawer) pick(g *own.Value) (typ, options string) {
	ints := []string{"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "int", "uint", "uintptr"}
	one := func(from ...string) string { return from[d.rng.IntN(len(from))] }
	switch {
	case g.Many && g.Shape == own.OfText:
		typ = one("[]string", "[][]byte")
	case g.Many && g.Shape == own.OfBlob:
		typ = "[][]byte"
	case g.Many && g.Shape == own.OfFloat:
		typ = one("[]float32", "[]float64")
	case g.Many:
		if typ = "[]" + one(ints...); typ == "[]uint8" {
			typ = "[]uint16"
		}
	case g.Shape == own.OfNumber:
		switch typ = one(append(ints, "bool", "time.Duration")...); {
		case typ == "time.Duration" && g.Name != "@time":
			options = "," + one("ns", "us", "ms", "s")
		case d.rng.IntN(3) == 0:
			typ = d.name(typ)
		}
	case g.Shape == own.OfFloat:
		typ = one("float32", "float64")
	case g.Shape == own.OfText:
		typ = one("string", "[]byte", fmt.Sprintf("[%d]byte", 1+d.rng.IntN(40)), d.name("string"))
	case g.Shape == own.OfBlob:
		typ = one("[]byte", fmt.Sprintf("[%d]byte", 1+d.rng.IntN(40)))
	case g.Shape == own.OfList && g.Size > 0 && d.rng.IntN(2) == 0:
		typ = fmt.Sprintf("[%d]%s", 1+d.rng.IntN(2*g.Size), one(ints[2:]...))
	case g.Shape == own.OfList:
		typ = "[]" + one(ints[2:]...)
	}
	if typ == "[]uint8" || typ == "" {
		return "", ""
	}
	if d.leave(g, typ) {
		options += ",narrow"
	}
	return typ, options
}

// name declares a type.
func (d *structDrawer) name(typ string) string {
	if typ == "time.Duration" {
		return typ
	}
	d.named++
	fmt.Fprintf(&d.types, "type Named%d %s\n\n", d.named, typ)
	return fmt.Sprintf("Named%d", d.named)
}

// leave reports whether a type needs the option narrow.
func (d *structDrawer) leave(g *own.Value, typ string) bool {
	if strings.HasPrefix(typ, "Named") {
		_, rest, _ := strings.Cut(d.types.String(), "type "+typ+" ")
		typ, _, _ = strings.Cut(rest, "\n")
	}
	if typ == "time.Duration" {
		return false
	}
	t, err := types.Eval(token.NewFileSet(), nil, token.NoPos, typ)
	if err != nil {
		panic(err)
	}
	leave, why := own.Conversion(g, t.Type)
	if why != "" {
		panic(g.Name + " " + typ + ": " + why)
	}
	return leave != ""
}
