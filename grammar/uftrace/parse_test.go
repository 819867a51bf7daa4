package uftrace

import (
	"fmt"
	"strings"
	"testing"
)

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
		{"enum a { X = 0x10, Y = 010, Z = -3, W, };enum b {V};\n enum {A}",
			"a@1:1{X=16 Y=8 Z=-3 W=-2 }b@1:42{V=0 }@2:2{A=0 }", ""},
		{"enum shop::kind<int> {A}", "shop::kind<int>@1:1{A=0 }", ""},
		{"kind {A=089,B=0x,C}", "", `f:1:16: error: expected a comma, found "x"`},
		{"enum a {A=99999999999999999999,B=-99999999999999999999}",
			"a@1:1{A=9223372036854775807 B=-9223372036854775808 }", ""},
		{"enum a {A=089,B}", "a@1:1{A=0 B=1 }", ""},
		{"enum a {A,", "", "f:1:11: error: expected an enum such as `enum kind {food,tool=5}`, found the end"},
		{"nonsense; enum b {B};enum c{,C,,D,}", "c@1:22{C=0 D=1 }",
			"f:1:9: error: expected an enum such as `enum kind {food,tool=5}`, found \";\""},
		{"enum a {1}enum b {B=1}", "b@1:11{B=1 }",
			"f:1:9: error: expected an enum such as `enum kind {food,tool=5}`, found \"1\""},
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
