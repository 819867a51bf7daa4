package filter

import (
	"errors"
	"strings"
	"testing"
)

func TestEvents(t *testing.T) {
	for _, c := range []struct {
		filter, system, event string
		want                  bool
	}{
		{"sched_switch", "sched", "sched_switch", true},
		{"SCHED_SWITCH", "sched", "sched_switch", true},
		{"sched", "sched", "sched_switch", true}, // a system
		{"swi", "sched", "sched_switch", false},  // the whole name must match
		{".*swi.*", "sched", "sched_switch", true},
		{"sched/", "sched", "sched_switch", true},
		{"sched/sched_wakeup", "sched", "sched_switch", false},
		{"s.*/.*switch", "sched", "sched_switch", true},
		{"irq/.*", "sched", "sched_switch", false},
		{"irq, sched_switch : a == 1", "sched", "sched_switch", true},
		{"std::vector::push: arg1 > 2", "prog", "std::vector::push", true},
		{"operator+: arg1 > 2", "prog", "operator+", true},
		{"sched:sched_switch: a == 1", "sched", "sched_switch", true},
		{"sched:sched_switch: a == 1", "irq", "sched_switch", false},
		{"irq:x,sched:sched_.*: a == 1", "sched", "sched_switch", true},
		{"prog:std::vector::push: arg1 > 2", "prog", "std::vector::push", true},
		{"prog:operator+: arg1 > 2", "prog", "operator+", true},
		{"kernel.sched: a == 1", "kernel", "sched", true},
		{"[[:alpha:]]+_switch: a == 1", "sched", "sched_switch", true},
		{"`f(int, char): x`: a == 1", "prog", "f(int, char): x", true},
		{"`prog:f(int)`: a == 1", "prog", "f(int)", true},
		{"`sched_.*`: a == 1", "sched", "sched_switch", false},
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
	got := f.Unmatched(func(yield func(system string, names ...string) bool) {
		_ = yield("irq", "irq_handler_entry") && yield("sched", "sched_switch")
	})
	if got == nil || got.Text != "nosuch" || got.Pos != 4 {
		t.Errorf("unmatched %v", got)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		filter string
		offset int
		msg    string
	}{
		{"", 0, "empty"},
		{"a,", 2, "the name of an event is missing"},
		{"irq:*: a == 1", 0, "events of a filter are regular expressions: irq:.*"},
		{"(: a == 1", 0, "bad regular expression"},
		{"x: a ==", 7, "expected a field, a number or a text, found the end"},
		{"x: a = 1", 5, `"=" compares by ==`},
		{"x: (a == 1", 10, "expected ), found the end"},
		{"x: a == 1 b == 2", 10, "unexpected `b`"},
		{`x: a == "open`, 8, "the quote is not closed"},
		{"x: a == 0x", 8, "not a number of 64 bits"},
		{"x: a == -9223372036854775809", 8, "more than 64 bits with its sign"},
		{"x: a == 12ab", 8, "not a number of 64 bits"},
		{`x: s < "a"`, 5, "a text can only be compared"},
		{`x: "a" == "a"`, 7, "a text can only be compared"},
		{`x: "a"`, 6, "a text is not a condition"},
		{`x: !"a"`, 7, "a text is not a condition"},
		{`x: !("a") && b`, 10, "a text is not a condition"},
		{`x: -"a" == 1`, 8, "a text has no sign"},
		{`x: 3 =~ "a"`, 5, "must be a field"},
		{`x: 3 ~ "a"`, 5, "must be a field"},
		{`x: a + 1 == "a"`, 9, "a text can only be compared with a field"},
		{"x: a & 1.5", 5, "& needs whole numbers"},
		{"x: ~1.5 == a", 8, "~ needs whole numbers"},
		{"x: a == 1.5.2", 8, "not a number of 64 bits"},
		{"x: `a == 1", 3, "the quote is not closed"},
		{`x: s =~ a`, 8, "quoted regular expression"},
		{`x: s =~ "("`, 8, "bad regular expression: missing )"},
		{`x: s ~ "[a"`, 7, "bad glob"},
		{"x: " + strings.Repeat("(", 1000), 203, "nested more than 200 levels deep"},
		{"x: " + strings.Repeat("!", 1000), 203, "nested more than 200 levels deep"},
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

// TestGlobs compares with globs in the kernel's filters: they match the whole text, with regard to
// case.
func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		glob, text string
		want       bool
	}{
		{"bash*", "bash", true}, {"bash*", "bash-5", true}, {"bash*", "xbash", false}, {"BASH", "bash", false},
		{"*sh", "bash", true}, {"b?sh", "bash", true}, {"b?sh", "bsh", false}, {"[ab]c", "ac", true},
		{"[!ab]c", "ac", false}, {"[!ab]c", "xc", true},
		{"[a-c]*", "cat", true}, {"[]x]", "]", true}, {"a.c", "abc", false}, {`a\*`, "a*", true}, {`a\*`, "ab", false},
		{"[a^]", "^", true},
		{"", "", true}, {"", "a", false}, {"a*b*c", "a\nbxxc", true},
	} {
		f, err := Parse(`x: s ~ "` + c.glob + `"`)
		if err != nil {
			t.Errorf("%s: %v", c.glob, err)
			continue
		}
		if got := f.Cond.(*Match).Regexp.MatchString(c.text); got != c.want {
			t.Errorf("%s: %q matches: %v", c.glob, c.text, got)
		}
	}
}

// TestQuotes parses the suggestions of messages.
func TestQuotes(t *testing.T) {
	for _, name := range []string{"prev_pid", "return value", "rw(FAILFAST)", "1st", "a-b", "std::x"} {
		f, err := Parse("x: " + QuoteField(name) + " == 1")
		if err != nil || f.Fields()[0].Name != name {
			t.Errorf("%s: %v", QuoteField(name), err)
		}
	}
	for _, name := range []string{"sched_switch", "sched/sched_switch", "f(int, char)", "a:b", "std::x", "operator+",
		"a b"} {
		f, err := Parse(QuoteEvent(name) + ": a == 1")
		system, event, ok := strings.Cut(name, "/")
		if !ok {
			system, event = "s", name
		}
		if err != nil || !f.Matches(system, event) || f.Matches(system, "x"+event) {
			t.Errorf("%s: %v", QuoteEvent(name), err)
		}
	}
}

// TestTry parses the filters that messages offer.
func TestTry(t *testing.T) {
	_, err := Parse("x: a = 1")
	var e *SyntaxError
	if !errors.As(err, &e) || e.Try != "x: a == 1" {
		t.Fatal(err)
	}
	e.Option = "-F"
	if got, want := e.Error(), "-F: column 6: \"=\" compares by ==\n  -F 'x: a == 1'"; got != want {
		t.Error(got)
	}
}
