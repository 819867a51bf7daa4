package exports

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestSplitQuery: the last of several arguments is the query, unless it is a file.
func TestSplitQuery(t *testing.T) {
	for args, want := range map[string]string{
		"a.dat":                "",
		"a.dat|select 1":       "select 1",
		"a.dat|b.dat|select 1": "select 1",
		"a.dat|sql_test.go":    "",
	} {
		files, query := splitQuery(strings.Split(args, "|"))
		if query != want || len(files) == 0 || slices.Contains(files, "select 1") {
			t.Errorf("%s: files %q, query %q", args, files, query)
		}
	}
}

// TestRows prints values of all types in all forms.
func TestRows(t *testing.T) {
	for form, c := range map[string]struct {
		make func(*strings.Builder) answer
		want string
	}{
		"csv": {func(b *strings.Builder) answer { return newCSVRows(b) }, "a,a\n1,\n-0.5,\"x,\ny\"\n+Inf,00ff\n"},
		"json": {func(b *strings.Builder) answer { return newJSONRows(b) }, `[
    {"a": 1, "a_2": null},
    {"a": -0.5, "a_2": "x,\ny"},
    {"a": "+Inf", "a_2": "00ff"}
  ]
}
`},
	} {
		var b strings.Builder
		rows := c.make(&b)
		err := rows.Columns([]string{"a", "a"})
		for _, row := range [][]any{{int64(1), nil}, {-0.5, "x,\ny"}, {math.Inf(1), []byte{0, 255}}} {
			if err == nil {
				err = rows.Row(row)
			}
		}
		if err := rows.end(false, err); err != nil || !strings.HasSuffix(b.String(), c.want) {
			t.Errorf("%s: %v\n%s", form, err, &b)
		}
	}
}
