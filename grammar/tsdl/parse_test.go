package tsdl

import (
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestExpected checks that errors name the tokens that may follow, and their places.
func TestExpected(t *testing.T) {
	for _, c := range [][2]string{
		{`trace { major = ; };`, `1:17: expected a name, a number or a text in quotes, not ";"`},
		{`trace { major 1; };`, `1:15: expected a name, a type, "[", "=", ":=", ":", ",", "." or ";", not "1"`},
		{`trace { major. = 1; };`, `1:16: expected a name, not "="`},
		{`stream { id = 1 };`, `1:17: expected ";", not "}"`},
		{`stream { id = 1; ] };`, `1:18: expected a name, a type or "}", not "]"`},
		{`stream { packet.context := ; };`, `1:28: expected a name or a type, not ";"`},
		{`typealias integer { size = 8 ] } := u8;`, `1:30: expected ";", not "]"`},
		{`typealias integer { size : 8; } := u8;`, `1:26: expected "=", ":=" or ".", not ":"`},
		{`typealias integer { 8; } := u8;`, `1:21: expected a name or "}", not "8"`},
		{`typealias integer { size = ; } := u8;`, `1:28: expected a name, a number or a text in quotes, not ";"`},
		{`typealias integer { size = 8; } = u8;`, `1:33: expected a name, a type or ":=", not "="`},
		{`typedef u8 a[;];`, `1:14: expected a name, a number or a text in quotes, not ";"`},
		{`typedef u8 a[1};`, `1:15: expected "]", not "}"`},
		{`typedef u8 a 7;`, `1:14: expected a name, a type, "[", ":", "," or ";", not "7"`},
		{`struct s { u8 a } ;`, `1:17: expected a name, a type, "[", ":", "," or ";", not "}"`},
		{`struct { u8 a; } align(8};`, `1:25: expected ")", not "}"`},
		{`enum e : { A };`, `1:10: expected a name or a type, not "{"`},
		{`enum e : u8 { A = 1 ... };`, `1:25: expected a name, a number or a text in quotes, not "}"`},
		{`enum e : u8 { A B };`, `1:17: expected "}", "=" or ",", not "B"`},
		{`enum e : u8 { 7 };`, `1:15: expected a name, a text in quotes or "}", not "7"`},
		{`event { fields := struct { variant <t { u8 a; } v; }; };`, `1:39: expected ">" or ".", not "{"`},
		{`env { a = "x" "y"; };`, `1:15: expected ";", not "\"y\""`},
		{`event { a = b.; };`, `1:15: expected a name, not ";"`},
		{`event x { };`, `1:9: expected a name, a type, "[", ":", "," or ";", not "{"`},
		{`] ;`, `1:1: expected a name or a type, not "]"`},
	} {
		if got := errorOf(c[0]); got != c[1] {
			t.Errorf("%s\n- %s\n+ %s", c[0], c[1], got)
		}
	}
}

// errorOf returns the error of a text without its kind and code.
func errorOf(text string) string {
	err := Parse("", text, func(*Declaration) {})
	if err == nil {
		return "no error"
	}
	return strings.TrimSuffix(strings.Replace(err.Error(), "error: ", "", 1), " ["+CodeSyntax+"]")
}

// TestBroken checks that a broken declaration does not hide the one after it.
func TestBroken(t *testing.T) {
	var kinds []string
	text := "trace { =; };\nevent { id = 1; };\n; clock { name = c; };\nstream { id = 0;"
	err := Parse("", text, func(d *Declaration) { kinds = append(kinds, d.Block.Kind) })
	if diff := cmp.Diff([]string{"event", "clock"}, kinds); diff != "" {
		t.Error(diff)
	}
	if text = err.Error(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "1:9: ") ||
		!strings.Contains(text, "4:1: error: the text ends before this declaration does") {
		t.Error(err)
	}
}

// parsed parses the one declaration of a text.
func parsed(t *testing.T, text string) (d *Declaration) {
	t.Helper()
	if err := Parse("", text, func(x *Declaration) { d = x }); err != nil || d == nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

var noPlaces = cmpopts.IgnoreTypes(lexer.Position{})

// TestTree checks the trees of declarations.
func TestTree(t *testing.T) {
	name := func(names ...string) (list []*Word) {
		for _, n := range names {
			list = append(list, &Word{Name: n})
		}
		return list
	}
	number := func(n string) *Value { return &Value{Number: n} }
	text := Text("a\"b")
	for source, want := range map[string]*Entry{
		`typedef unsigned long a, b[2][n.m];`: {Typedef: &Fields{
			First: &Declarator{Words: name("unsigned", "long", "a")},
			Rest:  []*Declarator{{Words: name("b"), Lengths: []*Value{number("2"), {Path: []string{"n", "m"}}}}}}},
		`typealias integer { size = 8; } := void *;`: {Alias: &Alias{Type: []*Word{{Scalar: "integer { size = 8; }"}},
			Name: &Declarator{Words: name("void", "*")}}},
		`u8 x : 3;`: {Fields: &Fields{First: &Declarator{Words: name("u8", "x"), BitField: number("3")}}},
		`struct p { u8 a; } align(16);`: {Fields: &Fields{First: &Declarator{Words: []*Word{{Struct: &Struct{Name: "p",
			Align: number("16"), Body: &Body{Entries: []*Entry{{Fields: &Fields{First: &Declarator{
				Words: name("u8", "a")}}}}}}}}}}},
		`struct p align;`: {Fields: &Fields{First: &Declarator{Words: []*Word{{Struct: &Struct{Name: "p"}},
			{Name: "align"}}}}},
		`variant <stream.event.header.v> { string s; } v;`: {Fields: &Fields{First: &Declarator{Words: []*Word{
			{Variant: &Variant{Tag: &Value{Path: []string{"stream", "event", "header", "v"}}, Body: &Body{
				Entries: []*Entry{{Fields: &Fields{First: &Declarator{Words: []*Word{{Scalar: "string"},
					{Name: "s"}}}}}}}}}, {Name: "v"}}}}},
		`enum e : u8 { A, "a\"b" = -1 ... +2, C = 'c', };`: {Fields: &Fields{First: &Declarator{Words: []*Word{{
			Enum: &Enum{Name: "e", Container: name("u8"), Labels: &Labels{List: []*Label{{Name: "A"}, {Text: &text,
				First: &Value{Sign: "-", Number: "1"}, Last: &Value{Sign: "+", Number: "2"}},
				{Name: "C", First: &Value{Text: textOf("'c'")}}}}}}}}}},
		`model.emf->uri = string;`: {Setting: &Setting{Target: Target{Path: []string{"model", "emf", "uri"}},
			Value: &Value{Path: []string{"string"}}}},
		`fields := struct s;`: {Setting: &Setting{Target: Target{Path: []string{"fields"}},
			Type: []*Word{{Struct: &Struct{Name: "s"}}}}},
	} {
		if diff := cmp.Diff(want, parsed(t, source).Entry, noPlaces); diff != "" {
			t.Errorf("%s (-want +got):\n%s", source, diff)
		}
	}
	d := parsed(t, "event\n{ id = 1; };")
	if d.Block == nil || d.Block.Kind != "event" || len(d.Block.Body.Entries) != 1 ||
		d.Block.Body.Entries[0].Pos.Line != 2 {
		t.Errorf("%+v", d.Block)
	}
	s, err := ReadScalar(lexer.Position{Line: 7, Column: 3}, "integer { size = 8; map = clock.c.value; }")
	if err != nil || s.Kind != "integer" || len(s.Attributes) != 2 || s.Attributes[1].Pos.Column != 23 ||
		s.Attributes[1].Pos.Line != 7 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestDeep has declarations that are nested without braces, and with.
func TestDeep(t *testing.T) {
	for _, text := range []string{strings.Repeat("enum : ", 1<<16) + "int x;", strings.Repeat("struct { ", 1<<16) + ";",
		"typedef u8 a" + strings.Repeat("[1]", 1<<16) + " 7;"} {
		if err := Parse("", text, func(*Declaration) {}); err == nil {
			t.Errorf("%.40s…: no error", text)
		}
	}
	err := Parse("", strings.Repeat("] ;", 1000), func(*Declaration) {})
	if !strings.Contains(err.Error(), "950 more errors") {
		t.Errorf("%v", err)
	}
}

// FuzzParse parses any text.
func FuzzParse(f *testing.F) {
	f.Add("trace { major = 1; minor = 8; byte_order = le; };")
	f.Add("event { fields := struct { enum : u8 { A, B } t; variant <t> { u8 A; string B; } v; u8 a[2]; } align(8); };")
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		err := Parse("f", text, func(*Declaration) { n++ })
		if err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
	})
}
