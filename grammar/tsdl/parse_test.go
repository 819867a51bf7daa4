package tsdl

import (
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

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

// TestExplained checks the places and the words of errors.
func TestExplained(t *testing.T) {
	for text, want := range map[string]string{
		"trace { major = ; };":                     `1:17: error: ";" is in the place of a number, a text or a path`,
		"trace { major = 1 minor = 2; };":          `1:19: error: "minor" is in the place of ";"`,
		"trace {\n\ta = +;\n};":                    `2:7: error: ";" is in the place of a number, a text or a path`,
		"trace { =; };":                            `1:9: error: "=" is not expected here`,
		"event { fields := ; };":                   `1:19: error: ";" is in the place of a type or a name`,
		"event { fields := struct { u8 ; } };":     `1:35: error: "}" is in the place of ";"`,
		"event { fields := struct { u8 id } };":    `1:34: error: "}" is in the place of ";"`,
		"enum e : u8 { A = , B };":                 `1:19: error: "," is in the place of a number, a text or a path`,
		"enum e : u8 { A = 1 ... };":               `1:25: error: "}" is in the place of a number, a text or a path`,
		"enum e : u8 { A B };":                     `1:17: error: "B" is not expected here`,
		"typealias integer { size = ; } := u8;":    `1:28: error: ";" is in the place of a number, a text or a path`,
		"typealias integer { size 8; } := u8;":     `1:26: error: "8" is in the place of "=" or ":="`,
		"struct { enum : u8 { A, 7 } a; u8 b; } ;": `1:25: error: "7" is not expected here`,
		"event [ ];":                               `1:7: error: "[" is in the place of ";"`,
		"] ;":                                      `1:1: error: "]" is not expected here`,
	} {
		err := Parse("", text, func(*Declaration) {})
		if err == nil || !strings.Contains(err.Error(), want+" [") {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
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
	text, letter := Text("a\"b"), Text("c")
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
				{Name: "C", First: &Value{Text: &letter}}}}}}}}}},
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
	if d.Block == nil || d.Block.Kind != "event" || len(d.Block.Entries) != 1 ||
		d.Block.Entries[0].Pos.Line != 2 {
		t.Errorf("%+v", d.Block)
	}
	s, err := ReadScalar(lexer.Position{Line: 7, Column: 3}, "integer { size = 8; map = clock.c.value; }")
	if err != nil || s.Kind != "integer" || len(s.Attributes) != 2 || s.Attributes[1].Pos.Column != 23 ||
		s.Attributes[1].Pos.Line != 7 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestDeep has declarations that are nested with braces and without.
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
