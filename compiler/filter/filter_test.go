package filter

import (
	enc "encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/filter"
	rec "github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// event has an int a, an unsigned b, an address p, numbers l and a text s.
var event = Event{
	System: "test", Names: []string{"x"}, Target: ir.Target{WordSize: 8},
	IR: &ir.Event{Group: "test", Name: "x", Size: 26, Fields: []*ir.Field{
		{Name: "a", Kind: ir.Int, Size: 4, Signed: true},
		{Name: "b", Kind: ir.Int, Offset: 4, Size: 8},
		{Name: "p", Kind: ir.Int, Offset: 12, Size: 8},
		{Name: "l", Kind: ir.Array, Offset: 20, Size: 6, Elem: 2, Signed: true},
		{Name: "s", Kind: ir.Tail, Offset: 26, Elem: 1, Text: true},
	}},
}

// names are the names of addresses.
type names map[uint64]string

func (n names) Symbol(addr uint64) (string, uint64, bool) { return n[addr], 0, n[addr] != "" }

func subject() *Subject {
	s := NewSubject(&render.Env{WordSize: 8, Symbols: names{0xffffffff81000010: "do_work"}})
	s.Comm = []byte("kworker/0:1")
	return s
}

func made(a int32, b uint64, text string) *rec.Record {
	d := enc.LittleEndian.AppendUint32(nil, uint32(a))
	d = enc.LittleEndian.AppendUint64(d, b)
	d = enc.LittleEndian.AppendUint64(d, 0xffffffff81000010)
	for _, v := range []int16{3, -4, 5} {
		d = enc.LittleEndian.AppendUint16(d, uint16(v))
	}
	return &rec.Record{Data: append(d, text...), CPU: 3, Time: 1000, Task: 42}
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
		{"a == 0xfffffffb", true, "a == 4294967291"},
		{"0xfffffffb != a", false, "4294967291 != a"},
		{"l == 0xfffc", true, "l == 65532"},
		{"b == 0xfffffffb", false, "b == 4294967291"},
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
		// && and || have the same precedence and group from the left.
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
		// Numbers above the signed range; trace-cmd shows them in this way.
		{`p > 0xffffffff81000000 && p < 0xffffffff82000000`, true, "(p > -2130706432) && (p < -2113929216)"},
		{`0xffffffff82000000 <= p`, false, "-2113929216 <= p"},
		{`p <= 18446744073709551615 && p > 9223372036854775807`, true, "(p <= -1) && (p > 9223372036854775807)"},
		{`a < 9223372036854775808 && a > -9223372036854775808`, true,
			"(a < -9223372036854775808) && (a > -9223372036854775808)"},
		{`p > 1.5 && 0xffffffff82000000 > 1.5`, true, "(p > 1.5) && (-2113929216 > 1.5)"},
		{`s ~ "hel*"`, true, `s ~ "hel*"`},
		{`s ~ "HEL*"`, false, `s ~ "HEL*"`},
		// Lists: one of 3, -4 and 5.
		{"l == 5", true, "l == 5"},
		{"l == 6", false, "l == 6"},
		{"l != 5", true, "l != 5"},
		{"!(l == 5)", false, "!(l == 5)"},
		{"l < 0 && l > 4", true, "(l < 0) && (l > 4)"},
		{"l & 4 == 4 && l + l == 10", true, "((l & 4) == 4) && ((l + l) == 10)"},
		{"(l == 5) == l - 2", true, "(l == 5) == (l - 2)"},
		{"l", true, "l"},
		{"l == \"\x03\"", true, "l == \"\x03\""},
		// Floats.
		{"a < -4.5 && a > -5.5", true, "(a < -4.5) && (a > -5.5)"},
		{"b / 1.6 == 5", true, "(b / 1.6) == 5"},
		{"b / 0.0 == 0", true, "(b / 0) == 0"},
		{"b == 8.0 && 8.0 == b", true, "(b == 8) && (8 == b)"},
		// Values that are missing in the record.
		{"common_pid == 42", true, "common_pid == 42"},
		{"CPU == 3 && TIMESTAMP >= 1000", true, "(CPU == 3) && (TIMESTAMP >= 1000)"},
		// A comparison with a field that the event lacks is false, and drops out.
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
		p := Compile(f, &event)
		s, r := subject(), made(-5, 8, "hello")
		if got := p.Pass(s, r); got != c.want {
			t.Errorf("%s: %v", c.cond, got)
		}
		if p.String() != c.text {
			t.Errorf("%s: shown as %s, want %s", c.cond, p, c.text)
		}
		if n := testing.AllocsPerRun(10, func() { p.Pass(s, r) }); n > 0 {
			t.Errorf("%s: %v allocations", c.cond, n)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`sched/.*: (a == 0x10 || !(COMM =~ "^k")) && b & 3 < -1, x`)
	f.Add(`a,b : 'x' != s`)
	f.Add("x: `l` + l > 1.5 && !(s ~ \"[a-z]*\") || p == 'do_work'")
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
		Compile(p, &event).Pass(subject(), made(-5, 8, "hello"))
	})
}

// TestArguments: the kernel records an int argument of a system call as a word. Filters see the int
// that is shown, in either byte order, and the word for trace-cmd.
func TestArguments(t *testing.T) {
	f := &ir.Field{Name: "dfd", Kind: ir.Int, Size: 8, Value: ir.I32}
	for _, big := range []bool{false, true} {
		var order enc.ByteOrder = enc.LittleEndian
		if big {
			order = enc.BigEndian
		}
		data := make([]byte, 8)
		order.PutUint64(data, 0xffffff9c) // AT_FDCWD, with garbage in the upper half of the register
		for cond, want := range map[string][2]bool{
			"dfd == -100": {true, false}, "dfd < 0": {true, false}, "dfd == 0xffffff9c": {true, true},
			"dfd == 4294967196": {true, true}, "dfd > 4294967195": {false, true},
		} {
			for i, words := range []bool{false, true} {
				e := &Event{Target: ir.Target{WordSize: 8, BigEndian: big}, Words: words,
					IR: &ir.Event{Size: 8, Fields: []*ir.Field{f}}}
				g, err := grammar.Condition(cond)
				if err != nil {
					t.Fatal(err)
				}
				p := Compile(g, e)
				if got := p.Pass(subject(), &rec.Record{Data: data}); got != want[i] {
					t.Errorf("%s, words %v, big-endian %v: %v", cond, words, big, got)
				}
			}
		}
	}
}

// TestLongChains: thousands of conditions need memory in proportion to their number.
func TestLongChains(t *testing.T) {
	const n = 20000
	cond := strings.Repeat("a == 1 || ", n) + "a == 2"
	g, err := grammar.Parse("x: " + cond)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p := Compile(g, &event)
	runtime.ReadMemStats(&after)
	size := after.TotalAlloc - before.TotalAlloc
	if size > 1000*n {
		t.Errorf("%d conditions take %d bytes", n, size)
	}
	if got := p.String(); len(got) < len(cond) {
		t.Errorf("its text has %d bytes", len(got))
	}
}

func TestFiltersTakeMemory(t *testing.T) {
	var b strings.Builder
	b.WriteString("x: a == 0")
	for i := 1; i < 1000; i++ {
		b.WriteString([]string{" || a != 7", " && b != 7"}[i%2])
	}
	list, err := Parse([]string{b.String()})
	if err != nil {
		t.Fatal(err)
	}
	ev, errFull := event, errors.New("full")
	for _, left := range []int64{0, 1 << 30} {
		var what string
		ev.Hold = func(of string, bytes int64) error {
			if what = of; bytes > left {
				return errFull
			}
			return nil
		}
		p := list.Compile(&ev)
		if !strings.HasPrefix(what, `filter "x: `) || !strings.HasSuffix(what, `…" of x`) ||
			(p.Constant < 0) != (left == 0) {
			t.Errorf("%d bytes left: asked for %q, constant %d", left, what, p.Constant)
		}
		if (p.Refused != nil) != (left == 0) || left == 0 &&
			(!errors.Is(p.Refused, errFull) || !strings.HasPrefix(p.Refused.Error(), what)) {
			t.Errorf("%d bytes left: %v", left, p.Refused)
		}
	}
	ids, err := Parse([]string{"x: a == 1" + strings.Repeat(" || a == 5", 5000)})
	if err != nil {
		t.Fatal(err)
	}
	ev.Hold = func(_ string, bytes int64) error {
		if bytes > 1000 {
			t.Errorf("%d bytes for one number", bytes)
		}
		return nil
	}
	ids.Compile(&ev)
}
