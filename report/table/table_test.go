package table_test

import (
	"testing"

	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/report/table"
)

// TestTable: columns are as wide as their cells, also with wide characters and line breaks.
func TestTable(t *testing.T) {
	c := table.Table{Columns: []table.Column{{Head: "N"}, {Head: "NAME", Left: true}, {Head: "LAST", Left: true}}}
	c.Add("1", "日本", "x")
	c.Add("1000", "a\nb\tc\r\x00", "")
	c.Add("", "e\u0301", "z")
	got := string(c.AppendRow(c.Append(nil), []string{"10000", "", "later\n"}))
	want := "" +
		"   N  NAME         LAST\n" +
		"   1  日本         x\n" +
		"1000  a\\nb\\tc\\r\\0\n" +
		"      e\u0301            z\n" +
		"10000               later\\n\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestCut: the last column is cut to the width of lines, but a few characters always remain.
func TestCut(t *testing.T) {
	for width, want := range map[int]string{0: "N  NAME\n1  0123456789日本\n", 14: "N  NAME\n1  0123456789…\n",
		5: "N  NAME\n1  0123456…\n", 17: "N  NAME\n1  0123456789日本\n"} {
		c := table.Table{Width: width, Columns: []table.Column{{Head: "N"}, {Head: "NAME", Left: true}}}
		c.Add("1", "0123456789日本")
		if got := string(c.Append(nil)); got != want {
			t.Errorf("%d: %q, want %q", width, got, want)
		}
	}
}

// TestColours: colours do not count for the width.
func TestColours(t *testing.T) {
	s := style.Of(nil, "always")
	c := table.Table{Style: s, Columns: []table.Column{{Head: "AT", Meaning: style.Faint}, {Head: "X", Left: true}}}
	c.Add("1", "y")
	if got, want := string(c.Append(nil)), "AT  X\n "+s.Paint(style.Faint, "1")+"  y\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
