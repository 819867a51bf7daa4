package csv_test

import (
	"bytes"
	stdcsv "encoding/csv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/csv"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
)

// TestNested: members of structures are columns, lists of structures are JSON.
func TestNested(t *testing.T) {
	const list = `[{"n":1,"tags":[5,6]},{"n":2,"tags":[7,8]}]`
	for fields, want := range map[csv.Fields][][]string{
		csv.Single: {
			{"a.x", "a.s", "b", "c.u", "c.f", "d"},
			{"-2", `a"b`, list, "0", "2.5", `[["p","q"]]`},
			{"-2", `a"b`, `[{"n":1,"tags":[5,6]},{"n":2,"tags":[7]}]`, "", "", ""},
		},
		csv.Object: {
			{"fields", "data"},
			{`{"a":{"x":-2,"s":"a\"b"},"b":` + list + `,"c":{"u":0,"f":2.5},"d":[["p","q"]]}`, ""},
			{`{"a":{"x":-2,"s":"a\"b"},"b":[{"n":1,"tags":[5,6]},{"n":2,"tags":[7]}],"c":null,"d":null}`, ""},
		},
	} {
		r, err := tracec.NewReader(lttngtest.Nested(t), tracec.WithEvents("f.e"))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := csv.Write(&out, r, csv.Options{Fields: fields}); err != nil {
			t.Fatal(err)
		}
		rows, err := stdcsv.NewReader(&out).ReadAll()
		if err != nil || len(rows) != 3 {
			t.Fatalf("%d rows: %v", len(rows), err)
		}
		for i := range rows {
			rows[i] = rows[i][8:]
		}
		if d := cmp.Diff(want, rows); d != "" {
			t.Errorf("%v (-want +have):\n%s", fields, d)
		}
	}
}
