package gen

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"

	"github.com/tracec/tracec/compiler/ir"
)

// DecoderReserved is the table that TestReserved compares with generated code.
var DecoderReserved = decoderReserved

// DrawStructs writes a package with a struct E0, E1, ... for every nth event of u. Each has some of
// its values in random types. Names are in tags, so that a program can find the value of each field
// by reflection.
func DrawStructs(name string, u *ir.Unit, seed uint64, every int) string {
	d := &structDrawer{rng: rand.New(rand.NewPCG(seed, 5))}
	p := &intoPkg{target: u.Target}
	for i, ev := range u.Events {
		if i%every != 0 {
			continue
		}
		s := &Struct{Name: fmt.Sprintf("E%d", i)}
		e, err := p.planEvent(u, ev, s)
		if err != nil {
			continue
		}
		d.event(u, e, p.givens(e))
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

func (d *structDrawer) event(u *ir.Unit, e *intoEvent, has []*given) {
	ref := eventRefs(e.Event)[0]
	if unique := 0; true {
		for _, ev := range u.Events {
			for _, r := range eventRefs(ev) {
				if r == ref || ev.Variants != nil && strings.EqualFold(r, ref) {
					unique++
				}
			}
		}
		if unique != 1 || strings.TrimSpace(ref) != ref || strings.ContainsFunc(ref, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return
		}
	}
	fmt.Fprintf(&d.text, "//tracec:event %s\ntype %s struct {\n", ref, e.into.Name)
	count := map[string]int{}
	for _, g := range has {
		count[g.name]++
	}
	n := 0
	for _, g := range has {
		if count[g.name] > 1 || g.name == "-" || g.name == "" || strings.ContainsAny(g.name, ",`\"\\\n") || d.rng.IntN(5) < 2 {
			continue
		}
		typ, options := d.pick(g)
		if typ == "" {
			continue
		}
		if g.maybe {
			if d.rng.IntN(2) == 0 {
				options += ",zero"
			} else {
				fmt.Fprintf(&d.text, "\tHas%d bool `tracec:%s`\n", n, strconv.Quote(g.name+",ok"))
			}
		}
		fmt.Fprintf(&d.text, "\tF%d %s `tracec:%s`\n", n, typ, strconv.Quote(g.name+options))
		n++
	}
	d.text.WriteString("}\n\n")
}

// pick draws a type for a value, and the options that it needs.
func (d *structDrawer) pick(g *given) (typ, options string) {
	ints := []string{"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "int", "uint", "uintptr"}
	one := func(from ...string) string { return from[d.rng.IntN(len(from))] }
	switch {
	case g.many && g.shape == ofText:
		typ = one("[]string", "[][]byte")
	case g.many && g.shape == ofBlob:
		typ = "[][]byte"
	case g.many && g.shape == ofFloat:
		typ = one("[]float32", "[]float64")
	case g.many:
		if typ = "[]" + one(ints...); typ == "[]uint8" {
			typ = "[]uint16"
		}
	case g.shape == ofNumber:
		switch typ = one(append(ints, "bool", "time.Duration")...); {
		case typ == "time.Duration" && !g.time:
			options = "," + one("ns", "us", "ms", "s")
		case d.rng.IntN(3) == 0:
			typ = d.name(typ)
		}
	case g.shape == ofFloat:
		typ = one("float32", "float64")
	case g.shape == ofText:
		typ = one("string", "[]byte", fmt.Sprintf("[%d]byte", 1+d.rng.IntN(40)), d.name("string"))
	case g.shape == ofBlob:
		typ = one("[]byte", fmt.Sprintf("[%d]byte", 1+d.rng.IntN(40)))
	case g.shape == ofList && g.size > 0 && d.rng.IntN(2) == 0:
		typ = fmt.Sprintf("[%d]%s", 1+d.rng.IntN(2*g.size), one(ints[2:]...))
	case g.shape == ofList:
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
func (d *structDrawer) leave(g *given, typ string) bool {
	if strings.HasPrefix(typ, "Named") {
		_, rest, _ := strings.Cut(d.types.String(), "type "+typ+" ")
		typ, _, _ = strings.Cut(rest, "\n")
	}
	goal := &goal{}
	elem := typ
	if i := strings.IndexByte(typ, ']'); i >= 0 {
		elem = typ[i+1:]
		goal.n, _ = strconv.Atoi(typ[1:i])
		goal.kind = toList
		if goal.n > 0 {
			goal.kind = toArray
		}
		if strings.HasPrefix(elem, "float") {
			goal.kind = toFloats
		}
		if elem == "byte" {
			goal.kind = toBytes
			if goal.n > 0 {
				goal.kind = toChars
			}
		}
	}
	switch elem {
	case "byte", "[]byte", "string":
		if goal.n == 0 {
			return false
		}
	case "bool":
		goal.kind = toBool
	case "time.Duration":
		return false
	case "float32", "float64":
		if goal.num.Size = 8; goal.kind != toFloats {
			goal.kind = toFloat
		}
		if elem == "float32" {
			goal.num.Size = 4
		}
	default:
		bits, err := strconv.Atoi(strings.TrimLeft(elem, "uint"))
		goal.num.Size, goal.num.Signed = int8(bits/8), elem[0] == 'i'
		if err != nil {
			goal.num.Size = 4
		}
	}
	leave, why := conversion(g, goal, false)
	if why != "" {
		panic(g.name + " " + typ + ": " + why)
	}
	return leave != ""
}
