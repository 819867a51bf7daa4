package uftrace

import (
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
)

// checkErrors: the places are within the text, in order, and no more than the limit.
func checkErrors(t *testing.T, text string, errs Errors) {
	t.Helper()
	if len(errs) > MaxErrors {
		t.Errorf("%d errors", len(errs))
	}
	last := 0
	for _, e := range errs {
		if e.Pos.Offset < last || e.Pos.Offset > len(text) || e.Pos.Line < 1 || e.Pos.Column < 1 || e.Pos.Filename != "f" || e.Msg == "" || e.Code == "" {
			t.Errorf("%q: %+v", text, e)
		}
		last = e.Pos.Offset
	}
}

func FuzzSpecs(f *testing.F) {
	for _, text := range []string{"arg1/i32,fparg2/64%stack+1,retval/e:kind%rax", "arg1/t16:rect%rdi+rsi", "@arg1/q,,fparg", "arg1/é%\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		specs, errs := ParseSpecs("f", text)
		checkErrors(t, text, errs)
		for _, s := range specs {
			if s.Pos.Offset >= len(text) {
				t.Errorf("%q: a spec at %v", text, s.Pos)
			}
		}
		if len(text) > 0 && text[0] != '@' && len(text) < 1000 {
			for i := range len(text) {
				if text[i] == ';' {
					return
				}
			}
			agree(t, text)
		}
	})
}

func FuzzItems(f *testing.F) {
	for _, text := range []string{"foo@arg1/i32,retval;bar.*@PLT,arg2", "f@depth=2,filter,time=1us,read=proc/statm;;@;@@", "operator new@arg1/u"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, parse := range []func(string, string) ([]*Item, Errors){ParseItems, ParseTriggers} {
			items, errs := parse("f", text)
			checkErrors(t, text, errs)
			broken, at := 0, -1
			for _, it := range items {
				if it.Pos.Offset <= at || it.Pos.Offset >= len(text) {
					t.Errorf("%q: an item at %v", text, it.Pos)
				}
				at = it.Pos.Offset
				if it.Broken {
					broken++
				}
			}
			if (broken > 0) != (len(errs) > 0) {
				t.Errorf("%q: %d broken items, errors %v", text, broken, errs)
			}
		}
	})
}

func FuzzEnums(f *testing.F) {
	for _, text := range []string{"enum kind {food,tool=5,book}", "enum a { X = 0x10, Y = 010, Z = -3, };enum b {V};", "enum {", "}{,=-"} {
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
