package uftrace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestErrors: every code, with its place.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"@arg1", "f:1:1: expected the name of a function before @ [uftrace-item]"},
		{"f@arg1x", `f:1:7: expected a spec such as arg1/i32, fparg2/64 or retval, found "arg1x" [uftrace-spec]`},
		{"f@arg", "f:1:6: expected the number of an argument after arg [uftrace-spec]"},
		{"f@retval2", "f:1:9: retval has no number [uftrace-spec]"},
		{"f@arg1/q", `f:1:8: unknown format "q": it is one of d i u x o s S c f p e: t [uftrace-format]`},
		{"f@arg1/32", "f:1:8: only fparg may have a size without a letter [uftrace-format]"},
		{"f@arg1/e", "f:1:8: expected the name of an enum after e: [uftrace-format]"},
		{"f@arg1/i:x", `f:1:9: only e and t have a name, found ":x" [uftrace-format]`},
		{"f@arg1/i24", "f:1:9: no value has 24 bits: 8, 16, 32, 64, or 80 of f [uftrace-size]"},
		{"f@arg1/u80", "f:1:9: only floating-point values have 80 bits [uftrace-size]"},
		{"f@arg1%", `f:1:8: expected a register or stack+N after %, found "" [uftrace-location]`},
		{"f@arg1%a-b", `f:1:8: expected a register or stack+N after %, found "a-b" [uftrace-location]`},
		{"f@arg1%rdi+rsi", `f:1:8: only structures may be in several registers, found "rdi+rsi" [uftrace-location]`},
		{"f@filter", `f:1:3: "filter" is an action of triggers [uftrace-action]`},
		{"f@speed=2", `f:1:3: unknown action "speed" [uftrace-action]`},
		{"f@depth", "f:1:3: expected depth=… [uftrace-action]"},
		{"f@libc,PLT", `f:1:8: the item has a module already, "libc", found "PLT" [uftrace-module]`},
		{"f@arg9999999999", `f:1:6: number "9999999999" is too big [uftrace-number]`},
		{"é@arg1\n;g@arg1/q", `f:1:7: expected a spec such as arg1/i32, fparg2/64 or retval, found "arg1\n" [uftrace-spec]
f:2:9: unknown format "q": it is one of d i u x o s S c f p e: t [uftrace-format]`},
	} {
		_, errs := ParseItems("f", c.text)
		if d := cmp.Diff(c.want, errs.Error()); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, d)
		}
	}
	_, errs := ParseItems("f", strings.Repeat("f", MaxTextBytes+1))
	if len(errs) != 1 || errs[0].Code != CodeLimit {
		t.Errorf("a text that is too long: %v", errs)
	}
	_, errs = ParseItems("f", strings.Repeat("@;", 2*MaxErrors))
	if len(errs) != MaxErrors {
		t.Errorf("%d errors", len(errs))
	}
}

func TestTriggers(t *testing.T) {
	items, errs := ParseTriggers("f", "a.*@depth=2,Filter,arg1/i32;b;;@x@read=proc/statm,libc;c@time=1us,retval/e:k%rax")
	want := []*Item{
		{Pattern: "a.*", Specs: []*Spec{{Index: 1, Format: &Format{Letter: 'i', Bits: 32}}},
			Actions: []*Action{{Name: "depth", Value: "2", HasValue: true}, {Name: "Filter"}}},
		{Pattern: "b"},
		{Actions: []*Action{}, Broken: true},
		{Pattern: "c", Specs: []*Spec{{Target: Result, Format: &Format{Letter: 'e', Name: "k"}, Location: &Location{Registers: []string{"rax"}, Text: "rax"}}},
			Actions: []*Action{{Name: "time", Value: "1us", HasValue: true}}},
	}
	want[2].Module = "libc"
	if d := cmp.Diff(want, items, ignorePlaces, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := errs.Error(); got != "f:1:32: expected the name of a function before @ [uftrace-item]\nf:1:33: unknown action \"x@read\" [uftrace-action]" {
		t.Error(got)
	}
}

// ignorePlaces compares trees without positions.
var ignorePlaces = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Pos" }, cmp.Ignore())

func show(enums []*Enum) string {
	var b strings.Builder
	for _, e := range enums {
		fmt.Fprintf(&b, "%s@%d:%d{", e.Name, e.Pos.Line, e.Pos.Column)
		for _, c := range e.Constants {
			fmt.Fprintf(&b, "%s=%d ", c.Name, c.Value)
		}
		b.WriteString("}")
	}
	return b.String()
}

func TestEnums(t *testing.T) {
	for _, c := range []struct{ text, want, errs string }{
		{"enum kind {food,tool=5,book}", "kind@1:1{food=0 tool=5 book=6 }", ""},
		{"enum a { X = 0x10, Y = 010, Z = -3, W, };enum b {V};\n enum {A}", "a@1:1{X=16 Y=8 Z=-3 W=-2 }b@1:42{V=0 }@2:2{A=0 }", ""},
		{"enum shop::kind<int> {A}", "shop::kind<int>@1:1{A=0 }", ""},
		{"kind {A=089,B=0x,C}", "", `f:1:16: expected a comma, found "x"`},
		{"enum a {A=99999999999999999999,B=-99999999999999999999}", "a@1:1{A=9223372036854775807 B=-9223372036854775808 }", ""},
		{"enum a {A=089,B}", "a@1:1{A=0 B=1 }", ""},
		{"enum a {A,", "", "f:1:11: expected an enum such as `enum kind {food,tool=5}`, found the end"},
		{"nonsense; enum b {B};enum c{,C,,D,}", "c@1:22{C=0 D=1 }", "f:1:9: expected an enum such as `enum kind {food,tool=5}`, found \";\""},
		{"enum a {1}enum b {B=1}", "b@1:11{B=1 }", "f:1:9: expected an enum such as `enum kind {food,tool=5}`, found \"1\""},
		{"", "", ""},
		{" ; ", "", ""},
	} {
		enums, errs := ParseEnums("f", c.text)
		if got := show(enums); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
		got := strings.ReplaceAll(errs.Error(), " [uftrace-enum]", "")
		if got != c.errs {
			t.Errorf("%q: errors\n%s, want\n%s", c.text, got, c.errs)
		}
	}
}
