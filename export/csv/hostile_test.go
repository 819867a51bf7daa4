package csv_test

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
	export "github.com/tracec/tracec/export/csv"
	"github.com/tracec/tracec/internal/testkit/exporttest"
)

// TestHostile: names and texts of any bytes, which Python reads as encoding/csv does.
func TestHostile(t *testing.T) {
	rec := exporttest.Hostile(t)
	for _, o := range []export.Options{{}, {Fields: export.Single}} {
		check(t, "hostile", rec, o)
	}
	check(t, "hostile", rec, export.Options{}, tracec.WithEvents("plain"))
	for _, o := range []export.Options{{Fields: export.Single}, {CRLF: true, Options: columns.Options{Text: true}}} {
		out := write(t, rec, o)
		if !utf8.Valid(out) || bytes.ContainsRune(out, 0) {
			t.Errorf("%q", out)
		}
		checkPython(t, "hostile", out)
	}
	rows, err := csv.NewReader(bytes.NewReader(write(t, rec,
		export.Options{Fields: export.Single, Spreadsheet: true}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	formulas := 0
	for _, cells := range rows[1:] {
		for i, c := range cells {
			if _, err := strconv.ParseInt(c, 10, 64); err == nil || c == "" {
				continue
			}
			if strings.ContainsAny(c[:1], "=+-@\t\r") {
				t.Errorf("%s is %q", rows[0][i], c)
			}
			if c[0] == '\'' {
				formulas++
			}
		}
	}
	if formulas < 6 {
		t.Errorf("%d formulas", formulas)
	}
}
