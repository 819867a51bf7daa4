package trcfile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// file makes a template file of random stanzas in order, with comments between them. Some stanzas
// have two lines.
func file(t *rapid.T, name string) string {
	var b strings.Builder
	for id := range 12 {
		switch rapid.IntRange(0, 4).Draw(t, name+"kind") {
		case 0:
			fmt.Fprintf(&b, "%03X %d.%d \"label\" \\\n\tX4\n", id+16,
				rapid.IntRange(0, 3).Draw(t, name+"v"), rapid.IntRange(0, 3).Draw(t, name+"r"))
		case 1:
			fmt.Fprintf(&b, "%03X %d.0 \"%d\"\n", id+16, rapid.IntRange(0, 3).Draw(t, name+"v"),
				rapid.Int().Draw(t, name+"text"))
		}
	}
	return b.String()
}

// TestUndo: the undo file of any update restores the original file.
func TestUndo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := file(t, "before")
		var ops strings.Builder
		ops.WriteString(Header + "\n")
		for l := range strings.Lines(file(t, "ops")) {
			if l[0] != '\t' {
				l = "+ " + l
			}
			ops.WriteString(l)
			if rapid.IntRange(0, 3).Draw(t, "delete") == 0 && !strings.HasSuffix(l, "\\\n") {
				fmt.Fprintf(&ops, "- %03X\n", rapid.IntRange(16, 28).Draw(t, "id"))
			}
		}
		rule := Rule(rapid.IntRange(0, 2).Draw(t, "rule"))
		r, err := Update(Parse("before", []byte(before)), Parse("ops", []byte(ops.String())), rule)
		if err != nil {
			t.Fatal(err)
		}
		if r.Undo == nil {
			if diff := cmp.Diff(before, string(r.Text)); diff != "" {
				t.Fatal("nothing to undo, but: ", diff)
			}
			return
		}
		back, err := Update(Parse("after", r.Text), Parse("undo", r.Undo), AnyVersion)
		if err != nil {
			t.Fatalf("%v\n%s", err, r.Undo)
		}
		if diff := cmp.Diff(before, string(back.Text)); diff != "" {
			t.Fatalf("%s\nops:\n%s\nundo:\n%s", diff, ops.String(), r.Undo)
		}
	})
}

// TestPlaces: a file without a newline at its end, comments before and after stanzas, and stanzas
// with errors unrelated to the update.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ before, ops, want string }{
		{"100 1.0 \"a\"", "+ 200 1.0 \"b\"", "100 1.0 \"a\"\n200 1.0 \"b\"\n"},
		{"200 1.0 \"a\"", "+ 100 1.0 \"b\"", "100 1.0 \"b\"\n200 1.0 \"a\""},
		{"# only a comment", "+ 100 1.0 \"b\"", "# only a comment\n100 1.0 \"b\"\n"},
		{"# head\n200 1.0 \"a\"\n# tail\n", "+ 100 1.0 \"b\"\n- 200", "# head\n100 1.0 \"b\"\n# tail\n"},
		{"100 1.0 \"open\n200 1.0 \"a\"\n", "+ 200 1.0 \"b\"", "100 1.0 \"open\n200 1.0 \"b\"\n"},
		{"1000 1.0 \"a\"\n", "- 100", ""},
		{"100 1.0 \"a\" \\\n# inside\n\tX4\n# behind\n", "- 1000", "# behind\n"},
	} {
		r, err := Update(Parse("before", []byte(c.before)), Parse("ops", []byte(Header+"\n"+c.ops)), SameOrLater)
		if err != nil {
			t.Errorf("%q: %v", c.before, err)
			continue
		}
		if diff := cmp.Diff(c.want, string(r.Text)); diff != "" {
			t.Errorf("%q: %s", c.before, diff)
		}
	}
}

// FuzzUpdate: an update must not lose or invent lines of files that it cannot parse.
func FuzzUpdate(f *testing.F) {
	f.Add("100 1.0 \"a\"\n", "+ 100 1.0 \"b\"\n")
	f.Add("# x\n100 1.0 \"a\" \\\n\n200", "- 100\n+ 300 0.0 @x {")
	f.Fuzz(func(t *testing.T, before, ops string) {
		src := Parse("before", []byte(before))
		var all strings.Builder
		for _, p := range pieces(src) {
			all.WriteString(p.text)
		}
		if all.String() != before {
			t.Fatalf("pieces of %q make %q", before, all.String())
		}
		r, err := Update(src, Parse("ops", []byte(Header+"\n"+ops)), AnyVersion)
		if (r == nil) == (err == nil) {
			t.Fatal("neither result nor error, or both")
		}
	})
}
