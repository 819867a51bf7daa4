package uftrace

import (
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/tracec/tracec/grammar/diag"
)

// checkErrors checks that the positions are within the text, in order, and no more than the limit.
func checkErrors(t *testing.T, text string, errs diag.List) {
	t.Helper()
	if len(errs) > MaxErrors {
		t.Errorf("%d errors", len(errs))
	}
	last := 0
	for _, e := range errs {
		if e.Pos.Offset < last || e.Pos.Offset > len(text) || e.Pos.Line < 1 || e.Pos.Column < 1 ||
			e.Pos.Filename != "f" || e.Msg == "" || e.Code == "" {
			t.Errorf("%q: %+v", text, e)
		}
		last = e.Pos.Offset
	}
}

func FuzzEnums(f *testing.F) {
	for _, text := range []string{"enum kind {food,tool=5,book}", "enum a { X = 0x10, Y = 010, Z = -3, };enum b {V};",
		"enum {", "}{,=-"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		enums, errs := ParseEnums("f", text)
		checkErrors(t, text, errs)
		inside := func(p lexer.Position) bool { return p.Offset >= 0 && p.Offset < len(text) && p.Filename == "f" }
		for _, e := range enums {
			if !inside(e.Pos) {
				t.Errorf("%q: an enum at %v", text, e.Pos)
			}
			for _, c := range e.Constants {
				if !inside(c.Pos) || text[c.Pos.Offset:c.Pos.Offset+len(c.Name)] != c.Name {
					t.Errorf("%q: constant %s at %v", text, c.Name, c.Pos)
				}
			}
		}
	})
}
