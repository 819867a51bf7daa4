package trcfmt_test

import (
	"fmt"
	"strings"
	"testing"
)

// Values have the names that the text prints for them.
func TestNamesOfValues(t *testing.T) {
	for text, want := range map[string]string{
		`"is " $HD, 1 "new", 2 "paid ", 4 { "sent " X2 }, \* { "state " $HD }`: "is: ValueName 1 new, 2 paid, 4 sent",
		`X2, 0x10 "ten eleven", 11 { "a" \n }`:                                 "X2 at 2: ValueName 16 ten eleven",
		`$D1 & 3, 1 "one"`:                                                     "",
		"BITFLAGS $D2, 1 \"a \" \"b\", 0 \"none\", 2 `c `, & 30 10 \"d\"":      "D2: FlagNames 1 a, 18446744073709551615 , 0 none, 2 c, 48 , 16 d",
		`"n " $D1%U $D1, 7 "seven", 8 "eight"`:                                 "n: ValueName 7 seven, 8 eight",
	} {
		r, _ := compile(t, "010 1.0 L=APPL \"X\" "+text)
		var got []string
		for _, d := range r.Templates[0].Events[3].Values() {
			if d.Enum == nil {
				continue
			}
			var rows []string
			for _, row := range d.Enum.Table.Rows {
				rows = append(rows, fmt.Sprint(row.Value, " ", row.Text))
			}
			got = append(got, d.Name+": "+d.Enum.Func+" "+strings.Join(rows, ", "))
		}
		if have := strings.Join(got, "; "); have != want {
			t.Errorf("%s: %s, want %s", text, have, want)
		}
	}
	r, _ := compile(t, `010 1.0 L=APPL "X" "a " $D1%E4 "b " E4`)
	for _, d := range r.Templates[0].Events[0].Values() {
		if d.Enum == nil || len(d.Enum.Table.Rows) < 100 || d.Enum.Table.Rows[0].Text != "EPERM" {
			t.Errorf("%s has no names of errors", d.Name)
		}
	}
}
