package unit

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// drawn returns the text of n random templates, from hook F0000 on, with every construct of the
// language, nested.
func drawn(seed uint64, n int) string {
	d := &templateDrawer{rng: rand.New(rand.NewPCG(seed, 11))}
	fmt.Fprintf(&d.b, "001 1.0 @functions {{ either(v) $v, 1 \"ONE\", 2 { \"TWO\" X1 }, \\* $v }}\n")
	for i := range n {
		fmt.Fprintf(&d.b, "%04X 1.%d %s", 0x8000+16*i, i, d.one(`"LABEL"`, `@quiet`, `L=0 ""`, `L=APPL "two words"`))
		d.items(2 + d.rng.IntN(8))
		d.b.WriteByte('\n')
	}
	return d.b.String()
}

type templateDrawer struct {
	rng   *rand.Rand
	b     strings.Builder
	depth int
	value int // counted, so that labels differ
}

func (d *templateDrawer) one(choices ...string) string { return choices[d.rng.IntN(len(choices))] }

func (d *templateDrawer) write(format string, args ...any) { fmt.Fprintf(&d.b, " "+format, args...) }

func (d *templateDrawer) items(n int) {
	for range n {
		d.item()
	}
}

func (d *templateDrawer) code() string {
	return d.one("X1", "X2", "X4", "X8", "XW", "X3", "X12", "X0", "D1", "D2", "D4", "D8", "DW", "U2", "U4", "o4", "B0.1", "B0.3", "B1.2",
		"E2", "F4", "F8", "T4", "P4", "A4", "A8.12", "S1", "S2", "HB", "HT")
}

func (d *templateDrawer) number() string {
	return d.one("X1", "X2", "X4", "B0.2", "U2", "HT", "$D1", "$HD", "$D2%X1", "$D1%B0.4", "$D3%W2.5", "$m", "$k")
}

func (d *templateDrawer) label() {
	d.value++
	switch d.rng.IntN(3) {
	case 0:
		d.write(`"name %d="`, d.value)
	case 1:
		d.write("word%d", d.value)
	}
}

func (d *templateDrawer) item() {
	kind := d.rng.IntN(20)
	if d.depth > 2 && kind >= 10 && kind < 15 {
		kind = 0
	}
	switch kind {
	case 10, 11, 12:
		d.choice()
	case 13:
		d.label()
		d.write("LOOP %s {", d.one("B0.3", "$k", "$D1%B0.2", "$HD%B0.3"))
		d.within(1 + d.rng.IntN(2))
		d.write("}")
	case 14:
		d.write("BITFLAGS %s, 1 \"ONE \" \"one \", 2 \"TWO \", & 0C 4 \"FOUR \"", d.number())
	case 15:
		d.write("{{ $%s = %s }}", d.one("m", "k", "other"), d.one("X1", "X2", "D2", "$D1", "$D2 & 7", "X1 & 3", "$k + 1", "7"))
	case 16:
		d.write("%s", d.one("G4", "O2.0", "O1.3", "R1", "R0", "W1", "W2", `\n`, `\t`, "$PID", "$SVC", "$RELLINENO", "{{ $BASEPOINTER = 1 }}", "{{ $DATAPOINTER = 6 }}"))
	case 17:
		d.label()
		d.write("%s", d.one("$D1", "$D2%X4", "$D3%UW", "$HD", "$D1%D2", "$D4%B0.5", "$m%S1", "$k", "either($D1)", "either(X1)"))
	default:
		d.label()
		d.write("%s", d.code())
	}
}

func (d *templateDrawer) within(n int) {
	d.depth++
	d.items(n)
	d.depth--
}

func (d *templateDrawer) choice() {
	d.label()
	d.write("%s, 0 {", d.number())
	d.within(d.rng.IntN(3))
	d.write("}, 1 {")
	d.within(d.rng.IntN(3))
	if d.rng.IntN(6) == 0 {
		d.write("%s", d.one("$BREAK", "$SKIP", "$STOP", "$ERROR"))
	}
	d.write("}")
	if d.rng.IntN(2) == 0 {
		d.write(", \\* {")
		d.within(d.rng.IntN(2))
		d.write("}")
	}
}
