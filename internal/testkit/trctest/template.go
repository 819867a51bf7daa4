// Package trctest draws AIX templates and events, and renders events by a literal reading of
// docs/spec/aix.md, for tests of compilers and back ends.
package trctest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Hook is the hook id of the template from File to render.
const Hook = 0x5000

// File draws a template file: template 500, subroutines 501 to 503, the default template 008, and
// functions f and g. It has no errors, and no loop with very many turns.
func File() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		d := &drawer{t: t}
		var b strings.Builder
		for i := 3; i >= 1; i-- { // a subroutine calls only later ones
			d.subs = nil
			for j := i + 1; j <= 3; j++ {
				d.subs = append(d.subs, fmt.Sprintf("$50%d", j))
			}
			d.functions = i < 3
			fmt.Fprintf(&b, "50%d 1.0 %s %s\n", i, d.label(), d.items(3))
		}
		d.subs, d.functions, d.params = nil, false, true
		g := "{{ g(a, x) " + d.items(3) + " }}"
		f := "{{ f(a) " + d.items(3) + " g($a + 1, X1) }}"
		d.params = false
		fmt.Fprintf(&b, "008 1.0 %s %s %s\n", d.label(), f, g)
		d.subs, d.functions = []string{"$501", "$502", "$503", "$DEFAULT"}, true
		fmt.Fprintf(&b, "500 1.0 %s %s\n", d.label(), d.items(10))
		return b.String()
	})
}

type drawer struct {
	t         *rapid.T
	subs      []string // subroutines that may be called
	functions bool     // functions may be called
	params    bool     // parameters may be used: inside a function
	depth     int      // depth of braces
	loops     int
	choices   []int // 0, 1, 2 …
}

// n draws uniformly.
func (d *drawer) n(most int) int {
	for len(d.choices) <= most {
		d.choices = append(d.choices, len(d.choices))
	}
	return rapid.SampledFrom(d.choices[:most+1]).Draw(d.t, "n")
}

func (d *drawer) pick(list ...string) string { return list[d.n(len(list)-1)] }

func (d *drawer) label() string { return d.pick(`""`, `"@hidden"`, `"LABEL"`, `"LABEL "`, `word`) }

func (d *drawer) items(most int) string {
	var b strings.Builder
	for range rapid.SampledFrom([]int{0, 1, 2, most, most, most}).Draw(d.t, "items") {
		b.WriteString(d.item())
		b.WriteByte(' ')
	}
	return b.String()
}

func (d *drawer) block(most int) string {
	d.depth++
	defer func() { d.depth-- }()
	return "{ " + d.items(most) + "}"
}

func (d *drawer) item() string {
	kind := d.n(19)
	if d.depth > 2 && kind > 11 {
		kind -= 10
	}
	switch kind {
	case 0, 1:
		return d.pick(`"text"`, `" blank"`, `"x="`, `"a\nb"`, `""`, `"\t"`)
	case 2:
		return d.pick("word", "two words", "len=")
	case 3:
		return d.pick(`\n`, `\t`)
	case 4, 5, 6, 7:
		return d.code()
	case 8, 9:
		return d.macro()
	case 10:
		return "`q " + d.pick("X1", "$x", "$HD", "D2", "$y%U") + " u=" + d.pick("$x%X1", "$z") + d.pick("", " ") + "`"
	case 11:
		return d.assign()
	case 12, 13, 14:
		return d.choice()
	case 15:
		return d.loop()
	case 16:
		return d.flags()
	case 17, 18:
		return d.call()
	}
	if d.n(3) == 0 {
		return d.pick("$BREAK", "$SKIP", "$STOP", "$ERROR", "$NOPRINT")
	}
	return d.pick(`$BASEPOINTER`, `$DATAPOINTER%U`, `$RELLINENO`, `$LINENO`)
}

func (d *drawer) code() string {
	if d.n(3) == 0 {
		return d.pick("G8", "G9.3", "O1", "O2.0", "O0.3", "O1.5", "R0", "R1", "R3", "R20", "W0", "W1", "W2", "HB", "HT",
			"A0.3")
	}
	return d.value()
}

// value returns a code that reads a value.
func (d *drawer) value() string {
	return d.pick("X0", "X1", "X2", "X4", "X8", "X3", "X5", "X12", "X16", "XW", "D1", "D2", "D4", "D8", "DW", "U1",
		"U2", "U4", "U8",
		"UW", "o1", "o2", "o4", "oW", "B0.1", "B0.3", "B1", "B1.4", "B8", "B9.1", "A1", "A4", "A4.6", "A8.2", "A3.0",
		"S1", "S2",
		"E1", "E2", "E4", "EW", "F4", "F8", "T4", "P4", "PW")
}

// number returns a code whose value is a number.
func (d *drawer) number() string {
	return d.pick("X0", "X1", "X2", "X4", "X3", "XW", "D1", "D2", "U1", "U2", "o1", "B0.1", "B0.3", "B1", "X12", "HT",
		"HB", "E1")
}

func (d *drawer) name() string {
	if d.params && d.n(1) == 0 {
		return "$a"
	}
	return d.pick("$x", "$y", "$z")
}

func (d *drawer) macro() string {
	m := d.name()
	if d.n(2) == 0 {
		m = d.pick("$D1", "$D2", "$D5", "$L1", "$HD", "$HL", "$WORDSIZE", "$HOOKENV", "$GENERIC", "$PID", "$CPUID",
			"$SVC", "$EXECPATH", "$LOGFILE", "$TRACEID", "$TRACEENV", "$undefined", "$BUFF")
	}
	if d.n(1) == 0 {
		return m
	}
	return m + d.pick("%X", "%X1", "%X2", "%X3", "%X4", "%X8", "%X12", "%XW", "%D", "%D1", "%D2", "%D4", "%U", "%U1",
		"%U4", "%UW", "%o",
		"%o2", "%B", "%B0.1", "%B0.8", "%B2.3", "%B8", "%W0.3", "%W24.27", "%W8.8", "%E1", "%E4", "%F4", "%T4", "%P4",
		"%A2", "%S1")
}

func (d *drawer) expr() string {
	b := d.operand()
	for range d.n(3) {
		b += d.pick(" + ", " - ", " * ", " / ", " & ") + d.operand()
	}
	return b
}

func (d *drawer) operand() string {
	switch d.n(4) {
	case 0:
		return d.number()
	case 1:
		return d.pick("0", "1", "2", "7", "16", "0x10", "0xFF")
	case 2:
		return d.pick("$DATAPOINTER", "$BASEPOINTER", "$HL", "$D1", "$GENERIC", "$HD%B0.4", "$RELLINENO")
	}
	return d.name()
}

func (d *drawer) assign() string {
	switch d.n(7) {
	case 0:
		return "{{ " + d.name() + " }}"
	case 1:
		return "{{ $DATAPOINTER = " + d.pick("8", "$DATAPOINTER + 2", "$WORDSIZE", "X1 & 15", "$x & 31",
			"$DATAPOINTER") + " }}"
	case 2:
		return "{{ $BASEPOINTER = " + d.pick("0", "4", "1", "X1 & 7", "$BASEPOINTER + 1", "$x & 3", "$HOOKENV / 32") +
			" }}"
	}
	return "{{ " + d.name() + " = " + d.expr() + " }}"
}

func (d *drawer) choice() string {
	subject, values := d.value(), []string{"0", "1", "2", "3", "0x1", "o7", "10", "FF", "-1", "0x80", "65535", "0"}
	if d.n(1) == 0 {
		subject = d.macro()
	}
	if !strings.ContainsAny(subject, ".") && d.n(3) == 0 && strings.IndexByte("ASETPF", subject[0]) < 0 &&
		!strings.Contains(subject, "%") {
		subject += " & " + d.pick("0x0F", "1", "3", "7", "0F")
	}
	b := subject
	for i := range 1 + d.n(3) {
		match := values[d.n(len(values)-1)]
		switch {
		case i > 0 && d.n(4) == 0:
			match = `\*`
		case d.n(5) == 0:
			match = d.pick(`"abc"`, `"EPERM"`, `""`, `"0.0000E+00"`, `"hell"`, "00000000", "kread", "1.5", "0011",
				"0C77")
		}
		b += ", " + match + " " + d.result()
	}
	return b
}

func (d *drawer) result() string {
	switch d.n(5) {
	case 0:
		return "word"
	case 1, 2:
		return d.block(3)
	case 3:
		return d.code()
	case 4:
		return d.pick("$x", "$BREAK", "$ERROR", `"hit"`, `""`, "{{ $x = $x + 1 }}", "setdelim()",
			`{ "bad" $ERROR "more" }`)
	}
	return `"hit "`
}

func (d *drawer) loop() string {
	d.loops++
	defer func() { d.loops-- }()
	return "LOOP " + d.pick("B0.3", "B0.2", "$HD%B0.2", "$x%B0.3", "B0.4", "$n") + " " + d.block(4)
}

func (d *drawer) flags() string {
	subject := d.pick("X1", "X2", "$HD", "$x", "B1", "$D1", "U1")
	b := "BITFLAGS " + subject
	for range 1 + d.n(2) {
		b += ", " + d.pick(`1 "one "`, `0 "none"`, `10 "sixteen" "not "`, `o4 "four" " no"`, `& F0 10 "masked"`,
			`& 3 0 "low"`, `0x80 "high"`)
	}
	return b
}

func (d *drawer) call() string {
	switch d.n(6) {
	case 0:
		return d.pick("starttimer(1, 2)", "starttimer($x, 1)")
	case 1:
		return d.pick("endtimer(1, 2)", "endtimer($x, 1)")
	case 2:
		return d.pick("flih()", "resume()", "vnodetofilename(X1)", "vpagetofilename($D1, X1)", "setdelim()",
			"buftofilename("+d.expr()+")")
	case 3:
		if d.functions {
			return d.pick("f("+d.expr()+")", "g("+d.expr()+", "+d.expr()+")", "f()", "g(1, 2, X1)")
		}
	case 4, 5:
		if len(d.subs) > 0 {
			return d.pick(d.subs...)
		}
	}
	return "X1"
}
