package filter

import (
	enc "encoding/binary"
	"errors"
	"testing"

	grammar "github.com/tracec/tracec/grammar/filter"
)

var symbol = []byte("do_work")

// event returns one with an int a, an unsigned b, a text s and an address p whose symbol is "do_work".
func event(name string) (Field, bool) {
	switch name {
	case "a":
		return Field{Signed: true, Int: func(d []byte) uint64 { return uint64(int64(int32(enc.LittleEndian.Uint32(d)))) }}, true
	case "b":
		return Field{Int: func(d []byte) uint64 { return enc.LittleEndian.Uint64(d[4:]) }}, true
	case "s":
		return Field{Bytes: func(d []byte) []byte { return d[12:] }}, true
	case "p":
		return Field{
			Int:   func([]byte) uint64 { return 0xffffffff81000010 },
			Bytes: func([]byte) []byte { return symbol },
		}, true
	}
	return Field{}, false
}

func subject(a int32, b uint64, s string) *Subject {
	d := enc.LittleEndian.AppendUint32(nil, uint32(a))
	d = enc.LittleEndian.AppendUint64(d, b)
	return &Subject{Data: append(d, s...), CPU: 3, TimeNS: 1000, Comm: []byte("kworker/0:1")}
}

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		cond string
		want bool
		text string
	}{
		{"a == -5", true, "a == -5"},
		{"a == 0xfffffffffffffffb", true, "a == -5"},
		{"a < 0", true, "a < 0"},
		{"a > -6 && a <= -5 && a >= -5", true, "((a > -6) && (a <= -5)) && (a >= -5)"},
		{"b > -1", true, "b > -1"},
		{"b < a", false, "b < a"},
		{"a < b", true, "a < b"},
		{"b == 010", true, "b == 8"},
		{"b & 8", true, "b & 8"},
		{"b & 7", false, "b & 7"},
		{"b & 12 == 8", true, "(b & 12) == 8"},
		{"(b | 1) == 9", true, "(b | 1) == 9"},
		{"b ^ 8", false, "b ^ 8"},
		{"b * 2 + 1 == 17", true, "((b * 2) + 1) == 17"},
		{"b / 0 == 0 && b % 0 == 0", true, "((b / 0) == 0) && ((b % 0) == 0)"},
		{"a / 2 == -2", true, "(a / 2) == -2"},
		{"a % 2 == -1", true, "(a % 2) == -1"},
		{"-a == 5", true, "-a == 5"},
		{"~b == -9", true, "~b == -9"},
		{"3 == 3", true, "3 == 3"},
		{"!(a == 1)", true, "!(a == 1)"},
		{"! a == 1 && b == 8", true, "(!(a == 1)) && (b == 8)"},
		{"!!(a == 1)", false, "!(!(a == 1))"},
		{"(a == -5) == 1", true, "(a == -5) == 1"},
		// && and || bind equally, from the left.
		{"a == -5 || a == 1 && b == 9", false, "((a == -5) || (a == 1)) && (b == 9)"},
		{"a == -5 || (a == 1 && b == 9)", true, "(a == -5) || ((a == 1) && (b == 9))"},
		// Texts.
		{`s == "hello"`, true, `s == "hello"`},
		{`"hello" == s`, true, `s == "hello"`},
		{`s != 'hello'`, false, `s != "hello"`},
		{`s =~ "^HEL+o$"`, true, `s =~ "^HEL+o$"`},
		{`s !~ "x"`, true, `s !~ "x"`},
		{`s == s`, true, `s == s`},
		{`COMM == "kworker/0:1"`, true, `COMM == "kworker/0:1"`},
		{`COMM =~ "^kw"`, true, `COMM =~ "^kw"`},
		{`p == "do_work"`, true, `p == "do_work"`},
		{`p == 0xffffffff81000010`, true, "p == -2130706416"},
		// What is not in the record.
		{"CPU == 3 && TIMESTAMP >= 1000", true, "(CPU == 3) && (TIMESTAMP >= 1000)"},
		// A field that the event lacks is false, and drops out.
		{"nosuch == 1", false, "FALSE"},
		{"nosuch != 1", false, "FALSE"},
		{"!(nosuch == 1)", true, "TRUE"},
		{"nosuch == 1 || a == -5", true, "a == -5"},
		{"a == -5 && nosuch == 1", false, "FALSE"},
		{`nosuch =~ "x" || a == -5`, true, "a == -5"},
		{`a =~ "x"`, false, "FALSE"},
		{"s == 3", false, "FALSE"},
		{"s & 3", false, "FALSE"},
	} {
		f, err := grammar.Parse("x: " + c.cond)
		if err != nil {
			t.Errorf("%s: %v", c.cond, err)
			continue
		}
		p := Compile(f, event)
		s := subject(-5, 8, "hello")
		if got := p.Pass(s); got != c.want {
			t.Errorf("%s: %v", c.cond, got)
		}
		if p.String() != c.text {
			t.Errorf("%s: shown as %s, want %s", c.cond, p, c.text)
		}
		if n := testing.AllocsPerRun(10, func() { p.Pass(s) }); n > 0 {
			t.Errorf("%s: %v allocations", c.cond, n)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`sched/.*: (a == 0x10 || !(COMM =~ "^k")) && b & 3 < -1, x`)
	f.Add(`a,b : 'x' != s`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := grammar.Parse(text)
		if err != nil {
			var syntax *grammar.SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(text) {
				t.Fatalf("error %#v", err)
			}
			_ = err.Error()
			return
		}
		Compile(p, event).Pass(subject(-5, 8, "hello"))
	})
}
