package page

import "testing"

func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{
		"char *": "char *", "a\nb": `"a\nb"`, "": `""`, "/* x": `"/* x"`, "//go:embed x": `"//go:embed x"`,
		"é": `"\u00e9"`, "+build ignore": `"+build ignore"`, " x": `" x"`, "$D1%U": "$D1%U", "x ": "x", `"x`: `"x`,
	} {
		if got := Quoted(in); got != want {
			t.Errorf("Quoted(%q) = %s, want %s", in, got, want)
		}
	}
}
