package filter

import (
	enc "encoding/binary"
	"errors"
	"strings"
	"testing"
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
		f, err := Parse("x: " + c.cond)
		if err != nil {
			t.Errorf("%s: %v", c.cond, err)
			continue
		}
		p := f.Compile(event)
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

func TestEvents(t *testing.T) {
	for _, c := range []struct {
		filter, system, event string
		want                  bool
	}{
		{"sched_switch", "sched", "sched_switch", true},
		{"SCHED_SWITCH", "sched", "sched_switch", true},
		{"sched", "sched", "sched_switch", true}, // a system
		{"swi", "sched", "sched_switch", false},  // all of a name must match
		{".*swi.*", "sched", "sched_switch", true},
		{"sched/", "sched", "sched_switch", true},
		{"sched/sched_wakeup", "sched", "sched_switch", false},
		{"s.*/.*switch", "sched", "sched_switch", true},
		{"irq/.*", "sched", "sched_switch", false},
		{"irq, sched_switch : a == 1", "sched", "sched_switch", true},
	} {
		f, err := Parse(c.filter)
		if err != nil {
			t.Errorf("%s: %v", c.filter, err)
			continue
		}
		if got := f.Matches(c.system, c.event); got != c.want {
			t.Errorf("%s: %v", c.filter, got)
		}
	}
}

func TestUnmatched(t *testing.T) {
	f, err := Parse("irq,nosuch,sched")
	if err != nil {
		t.Fatal(err)
	}
	got := f.Unmatched(func(yield func(system, event string) bool) {
		_ = yield("irq", "irq_handler_entry") && yield("sched", "sched_switch")
	})
	if got != "nosuch" {
		t.Errorf("unmatched %q", got)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		filter string
		offset int
		msg    string
	}{
		{"", 0, "an event name is missing"},
		{"a,", 0, "an event name is missing"},
		{"(: a == 1", 0, "bad regular expression"},
		{"x: a ==", 7, "expected a field, a number or a text, found the end"},
		{"x: a = 1", 5, `unexpected "="`},
		{"x: (a == 1", 10, "expected ), found the end"},
		{"x: a == 1 b == 2", 10, "unexpected `b`"},
		{`x: a == "open`, 8, "the quote is not closed"},
		{"x: a == 0x", 8, "not a number of 64 bits"},
		{"x: a == 12ab", 8, "not a number of 64 bits"},
		{`x: s < "a"`, 5, "a text can only be compared"},
		{`x: "a" == "a"`, 7, "a text can only be compared"},
		{`x: "a"`, 6, "a text is not a condition"},
		{`x: -"a" == 1`, 8, "a text has no sign"},
		{`x: 3 =~ "a"`, 5, "must be a field"},
		{`x: s =~ a`, 8, "quoted regular expression"},
		{`x: s =~ "("`, 8, "bad regular expression"},
		{"x: " + strings.Repeat("(", 1000), 203, "nested too deep"},
		{"x: " + strings.Repeat("!", 1000), 203, "nested too deep"},
		{"x: \x80", 3, `unexpected "\x80"`},
	} {
		_, err := Parse(c.filter)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%.20s: error %v", c.filter, err)
			continue
		}
		if syntax.Offset != c.offset || !strings.Contains(syntax.Msg, c.msg) {
			t.Errorf("%.20s: %d: %s, want %d: %s", c.filter, syntax.Offset, syntax.Msg, c.offset, c.msg)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`sched/.*: (a == 0x10 || !(COMM =~ "^k")) && b & 3 < -1, x`)
	f.Add(`a,b : 'x' != s`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(text) {
				t.Fatalf("error %#v", err)
			}
			_ = err.Error()
			return
		}
		p.Compile(event).Pass(subject(-5, 8, "hello"))
	})
}
