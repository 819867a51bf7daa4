package trcfmt

import (
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/grammar/diag"
)

// TestHead covers the first fields of a stanza, aix.md 1, 3.1 and 6.
func TestHead(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want Stanza
	}{
		{`1B0 1.0 L=APPL "a label" X4`, Stanza{Hook: HookID{"1B0", 0x1B00}, Version: 1, HasLevel: true, Level: Appl,
			Label: "a label", LabelQuoted: true}},
		{`1b00 12.34 L=KERN label X4`, Stanza{Hook: HookID{"1b00", 0x1B00}, Version: 12, Release: 34, HasLevel: true,
			Label: "label"}},
		{`F5F1 1.0 L=SVC @silent\n`, Stanza{Hook: HookID{"F5F1", 0xF5F1}, Version: 1, HasLevel: true, Level: SVC,
			Label: "@silent"}},
		{`010 1.0 L=INT ""`, Stanza{Hook: HookID{"010", 0x0100}, Version: 1, HasLevel: true, Level: Int,
			LabelQuoted: true}},
		{"  003 1.0 L=0 \"@\" X4", Stanza{Hook: HookID{"003", 0x0030}, Version: 1, HasLevel: true, Level: Zero,
			Label: "@", LabelQuoted: true}},
		{"010 \\\n 1.0 \\\n\t\"a \\\"b\\\"\tc\"", Stanza{Hook: HookID{"010", 0x0100}, Version: 1, Label: "a \"b\"\tc",
			LabelQuoted: true}},
		{`ABC 1.0 X4 X4`, Stanza{Hook: HookID{"ABC", 0xABC0}, Version: 1, Label: "X4"}},
		{`0010 1.0 low{{ $a }}`, Stanza{Hook: HookID{"0010", 0x10}, Version: 1, Label: "low"}},
	} {
		file, errs := Parse("f", []byte(tt.src))
		if len(errs) > 0 || len(file.Stanzas) != 1 {
			t.Errorf("%s: %v", tt.src, errs)
			continue
		}
		got := *file.Stanzas[0]
		got.Nodes, got.End = nil, lexer.Position{}
		if d := cmp.Diff(tt.want, got, samePlaces); d != "" {
			t.Errorf("%s: %s", tt.src, d)
		}
		checkFile(t, tt.src)
	}
}

// outline writes the items of a file in one line each.
func outline(f *File) string {
	var b strings.Builder
	for _, item := range f.Items {
		switch x := item.(type) {
		case *Comment:
			b.WriteString("comment " + x.Text)
		case *Delete:
			b.WriteString("delete " + x.Hook.Text)
		case *Junk:
			b.WriteString("junk " + x.Text)
		case *Stanza:
			if x.Add {
				b.WriteString("add ")
			}
			b.WriteString(x.Hook.Text + " " + show(x.Nodes))
			for _, c := range x.Comments {
				b.WriteString(" [" + c.Text + "]")
			}
			if x.Broken {
				b.WriteString(" broken")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestLines covers comments, continuation lines, and the lines between stanzas.
func TestLines(t *testing.T) {
	for _, tt := range []struct {
		name, src, want string
		errs            []string
	}{
		{"comments", "# one\n\n  # two \n010 1.0 x X4\n#three\n",
			"comment # one\ncomment # two\n010 X4\ncomment #three\n", nil},
		{"comment in a stanza", "010 1.0 x \\\n# one\n X4 \\\n# two \\\n X4\n# three\n",
			"010 X4 X4 [# one] [# two \\]\ncomment # three\n", nil},
		{"comment behind a stanza", "010 1.0 x X4 \\\n# one\n\n020 1.0 x\n", "010 X4\ncomment # one\n020 \n", nil},
		{"text with #", "010 1.0 x \\\n  # of X4\n", "010 '#'_ 'of'_ X4\n",
			[]string{"f:2:3: warning: hook 010: a line that starts with # is a comment only if # is in column 1: this is text [trcfmt-comment]"}},
		{"backslash at the end", "010 1.0 x X4 \\\n\n020 1.0 x X4 \\", "010 X4\n020 X4\n", nil},
		{"CRLF", "010 1.0 x \\\r\n X4\r\n# c\r\n020 1.0 x D4\r\n", "010 X4\ncomment # c\n020 D4\n", nil},
		{"blank behind the backslash", "010 1.0 x \\ \n X4\n", "010 X4\n",
			[]string{"f:1:11: warning: hook 010: blanks after the backslash: trcrpt may not accept it as a continuation of the line [trcfmt-continue]"}},
		{"no blank line between", "010 1.0 x X4 \\\n020 1.0 y X4\n# c\n030 1.0 z\n",
			"010 X4 broken\n020 X4\ncomment # c\n030 \n",
			[]string{"f:2:1: error: hook 010: its last line ends in a backslash, but no continuation follows [trcfmt-line]"}},
		{"comment between", "010 1.0 x X4 \\\n# c\n020 1.0 y X4\n", "010 X4 broken\ncomment # c\n020 X4\n",
			[]string{"f:3:1: error: hook 010: its last line ends in a backslash, but no continuation follows [trcfmt-line]"}},
		{"hook ids as match values", "010 1.0 x X2, \\\n100 a, \\\n200 b\n", "010 (switch X2 [100 'a'] [200 'b'])\n",
			nil},
		{"junk", "what \\\n is this\n010 1.0 x X4\n1B00F 1.0 x\n", "junk what \\\n is this\n010 X4\njunk 1B00F 1.0 x\n",
			[]string{
				`f:1:1: error: expected a hook id of three or four hexadecimal digits, found "what" [trcfmt-line]`,
				`f:4:1: error: expected a hook id of three or four hexadecimal digits, found "1B00F" [trcfmt-line]`}},
		{"star outside update files", "* note\n010 1.0 x X4\n", "comment * note\n010 X4\n", []string{
			"f:1:1: warning: * starts a comment only in update files, whose first line is `* /etc/trcfmt`: write # [trcfmt-comment]"}},
		{"update file", "* /etc/trcfmt\n* note\n+ 010 1.0 x \\\n* note\n X4\n+F5F1 1.0 y\n- 020\n-F5F2\n",
			"comment * /etc/trcfmt\ncomment * note\nadd 010 X4 [* note]\nadd F5F1 \ndelete 020\ndelete F5F2\n", nil},
		{"update file with mistakes", "* /etc/trcfmt\n010 1.0 x X4\n- 02\n- 020 1.0\n-\n",
			"comment * /etc/trcfmt\n010 X4 broken\njunk - 02\ndelete 020\njunk -\n",
			[]string{
				"f:2:1: error: hook 010: expected + or - before the hook id: this is an update file [trcfmt-update]",
				`f:3:1: error: expected a hook id of three or four hexadecimal digits after -, found "02" [trcfmt-update]`,
				`f:5:1: error: expected a hook id of three or four hexadecimal digits after -, found "" [trcfmt-update]`}},
		{"operators elsewhere", "+ 010 1.0 x\n- 020\n", "add 010  broken\ndelete 020\n", []string{
			"f:1:1: error: hook 010: + is an operator of update files, whose first line is `* /etc/trcfmt` [trcfmt-update]",
			"f:2:1: error: `- 020` is an operator of update files, whose first line is `* /etc/trcfmt` [trcfmt-update]"}},
	} {
		file, errs := Parse("f", []byte(tt.src))
		if d := cmp.Diff(tt.want, outline(file)); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
		if d := cmp.Diff(tt.errs, messages(errs)); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
		checkFile(t, tt.src)
	}
}

func messages(errs diag.List) []string {
	var out []string
	for _, e := range errs {
		out = append(out, e.Error())
	}
	return out
}

// TestErrors checks that an error has its position, and that all errors of a file are found.
func TestErrors(t *testing.T) {
	var all strings.Builder
	for _, tt := range []struct{ src, want string }{
		{"900", "1:4: error: hook 900: expected a version V.R, found the end of the stanza [trcfmt-version]|1:4: error: hook 900: expected an event label (\"\" for none), found the end of the stanza [trcfmt-label]"},
		{"900 1 x", `1:5: error: hook 900: expected a version V.R, found "1" [trcfmt-version]`},
		{"900 x X4", `1:5: error: hook 900: expected a version V.R, found "x" [trcfmt-version]`},
		{"900 1.0", `1:8: error: hook 900: expected an event label ("" for none), found the end of the stanza [trcfmt-label]`},
		{"900 1.0 $a", `1:9: error: hook 900: expected an event label ("" for none), found "$a" [trcfmt-label]`},
		{"900 1.0 L=USER x", `1:9: error: hook 900: expected L=APPL, L=SVC, L=KERN, L=INT or L=0, found "L=USER" [trcfmt-level]`},
		{"900 99999999999999999999.0 x", `1:5: error: hook 900: version "99999999999999999999.0" is too large [trcfmt-version]`},
		{"0015 1.0 x", "1:1: error: hook 0015: a hook id of four digits below 1000 must end in 0 [trcfmt-hook]"},
		{`900 1.0 x "open`, "1:11: error: hook 900: string without closing quote [trcfmt-string]"},
		{`900 1.0 "open`, "1:9: error: hook 900: string without closing quote [trcfmt-string]"},
		{"900 1.0 x `open", "1:11: error: hook 900: back quote without its partner [trcfmt-string]"},
		{"900 1.0 x X4, 1 a, \\n b", `1:20: error: hook 900: case expected after the comma (a match value and its result), found "\\n" [trcfmt-switch]`},
		{"900 1.0 x X4,", "1:14: error: hook 900: case expected after the comma (a match value and its result), found the end of the stanza [trcfmt-switch]"},
		{"900 1.0 x X4, 1, 2 b, 3 X17 X4,", `1:16: error: hook 900: expected the result of the case ("" for none), found "," [trcfmt-switch]|` +
			`1:25: warning: hook 900: "X17" is text: unknown format code [trcfmt-near]|` +
			`1:32: error: hook 900: case expected after the comma (a match value and its result), found the end of the stanza [trcfmt-switch]`},
		{"900 1.0 x a, b, c", `1:12: error: hook 900: a comma that does not follow a value: put text with commas in quotes, and results of several elements in braces [trcfmt-item]`},
		{"900 1.0 x \\*", `1:11: error: hook 900: \* outside the cases of a switch: is a comma missing before it? [trcfmt-switch]`},
		{"900 1.0 x \\q", `1:11: error: hook 900: expected \n, \t, \* or the end of the line after a backslash, found "q" [trcfmt-item]`},
		{"900 1.0 x LOOP 3 {X4}", `1:16: error: hook 900: expected a format code or a macro after LOOP (text in quotes), found "3" [trcfmt-loop]`},
		{"900 1.0 x LOOP X4 X4", `1:19: error: hook 900: expected { and the body of LOOP, found "X4" [trcfmt-loop]`},
		{"900 1.0 x LOOP X4 {X4", "1:19: error: hook 900: { of LOOP without } [trcfmt-item]"},
		{"900 1.0 x X4 } a", "1:14: error: hook 900: } without { [trcfmt-item]"},
		{"900 1.0 x { a }", "1:11: error: hook 900: { after no LOOP and no case [trcfmt-item]"},
		{"900 1.0 x BITFLAGS X4 1 \"a\"", `1:23: error: hook 900: expected a comma after the value of BITFLAGS, found "1" [trcfmt-bitflags]`},
		{"900 1.0 x BITFLAGS X4, \"a\"", `1:24: error: hook 900: expected a flag: a number and a string, found "\"a\"" [trcfmt-bitflags]`},
		{"900 1.0 x BITFLAGS X4, & 1 \"a\"", `1:28: error: hook 900: expected a flag: a number and a string, found "\"a\"" [trcfmt-bitflags]`},
		{"900 1.0 x BITFLAGS X4, 1, 2", `1:25: error: hook 900: expected the string of the flag, found "," [trcfmt-bitflags]`},
		{"900 1.0 x {{ $a = 1 }", "1:21: error: hook 900: expected }} at the end of an assignment: operators are + - * / &; found \"}\" [trcfmt-assign]"},
		{"900 1.0 x {{ $a = }}", `1:19: error: hook 900: expected a format code, a macro or a number, found "}}" [trcfmt-expr]`},
		{"900 1.0 x {{ $a = (1 + 2) }}", `1:19: error: hook 900: expected a format code, a macro or a number, found "(1" [trcfmt-expr]`},
		{"900 1.0 x {{ $a = 1F }}", `1:19: error: hook 900: expected a decimal number or 0x and hexadecimal digits, found "1F" [trcfmt-number]`},
		{"900 1.0 x {{ $a = 0x10000000000000000 }}",
			`1:19: error: hook 900: number "0x10000000000000000" has more than 64 bits [trcfmt-number]`},
		{"900 1.0 x {{ a = 1 }}", `1:14: error: hook 900: expected a macro or the head of a function after {{, found "a" [trcfmt-assign]`},
		{"900 1.0 x {{ $a%D = 1 }}", "1:14: error: hook 900: an assigned macro has no cast [trcfmt-assign]"},
		{"900 1.0 x {{ fa(a b) }}", `1:19: error: hook 900: expected , or ) after a parameter of "fa", found "b)" [trcfmt-function]`},
		{"900 1.0 x {{ fb(1) }}", `1:17: error: hook 900: expected a parameter of "fb" or ), found "1)" [trcfmt-function]`},
		{"900 1.0 x {{ fc(a) $a", "1:22: error: hook 900: expected }} at the end of function fc; found the end of the stanza [trcfmt-assign]"},
		{"900 1.0 x LOOP X4 {{{ fd(a) $a }}}", `1:20: error: hook 900: function "fd" defined inside braces or another function [trcfmt-function]`},
		{"900 1.0 x flih(", "1:16: error: hook 900: expected a format code, a macro or a number, found the end of the stanza [trcfmt-expr]"},
		{"900 1.0 x flih(1 2)", `1:18: error: hook 900: expected an operator, a comma or ) among the arguments of flih, found "2)" [trcfmt-call]`},
		{"900 1.0 x starttimer(1)", "1:11: error: hook 900: starttimer takes 2 arguments, not 1 [trcfmt-call]"},
	} {
		file, errs := Parse("", []byte(tt.src))
		if d := cmp.Diff(tt.want, strings.Join(messages(errs), "|")); d != "" {
			t.Errorf("%s: %s", tt.src, d)
		}
		if s := file.Stanzas[0]; !s.Broken || s.Source != tt.src {
			t.Errorf("%s: broken %v, source %q", tt.src, s.Broken, s.Source)
		}
		checkFile(t, tt.src)
		all.WriteString(tt.src + "\n90A 1.0 good X4\n")
	}
	file, _ := Parse("", []byte(all.String()))
	for i, s := range file.Stanzas {
		if good := i%2 == 1; good == s.Broken {
			t.Errorf("stanza %d, %s: broken %v", i, s.Source, s.Broken)
		}
	}
}

// TestPositions counts lines, characters and bytes.
func TestPositions(t *testing.T) {
	src := "# é\n010 1.0 x \"é\" X4 \\\n\t$a%X8, \\\n  1 one\n"
	file, errs := Parse("f", []byte(src))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s := file.Stanzas[0]
	sw := s.Nodes[2].(*Switch)
	got := []lexer.Position{s.Pos, s.Nodes[0].Position(), s.Nodes[1].Position(), sw.Pos, sw.Subject.(*Macro).Cast.Pos,
		sw.Cases[0].Pos, sw.Cases[0].Body[0].Position(), s.End}
	at := func(offset, line, column int) lexer.Position {
		return lexer.Position{Filename: "f", Offset: offset, Line: line, Column: column}
	}
	want := []lexer.Position{at(5, 2, 1), at(15, 2, 11), at(20, 2, 15), at(26, 3, 2), at(29, 3, 5), at(37, 4, 3),
		at(39, 4, 5), at(42, 4, 8)}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
