package parquet_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tracec/tracec/export/parquet"
)

// TestRows: the first rows decide the types of the columns, names are unique, and a file without
// rows has its columns.
func TestRows(t *testing.T) {
	for _, c := range []struct {
		rows [][]any
		want string // the types, then the rows
	}{
		{nil, "optional binary a (STRING) optional binary a_2 (STRING)"},
		{
			[][]any{{int64(1), nil}, {nil, "x"}, {int64(-2), ""}},
			"optional int64 a (INT(64,true)) optional binary a_2 (STRING)|1 <null>|<null> x|-2 ",
		},
		{[][]any{{int64(1), []byte{0, 'a'}}, {0.5, nil}}, "optional double a optional binary a_2|1 \x00a|0.5 <null>"},
	} {
		var b bytes.Buffer
		rows := parquet.NewRows(&b, []string{"a", "a"})
		for _, row := range c.rows {
			if err := rows.Add(row); err != nil {
				t.Fatal(err)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if got := readRows(t, b.Bytes()); got != c.want {
			t.Errorf("%v: %q, want %q", c.rows, got, c.want)
		}
	}
	rows := parquet.NewRows(&bytes.Buffer{}, []string{"n"})
	var err error
	for i := 0; i < 5000 && err == nil; i++ {
		err = rows.Add([]any{int64(i)})
	}
	if err == nil {
		err = rows.Add([]any{"text"})
	}
	if err == nil || !strings.Contains(err.Error(), "cast(n as text)") {
		t.Errorf("a text among integers: %v", err)
	}
}

// readRows returns the columns and the rows of a file.
func readRows(t *testing.T, file []byte) string {
	t.Helper()
	f, err := pq.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(f.Schema().String(), "{")
	text := strings.Join(strings.Fields(strings.NewReplacer(";", "", "}", "").Replace(list)), " ")
	for _, group := range f.RowGroups() {
		r := group.Rows()
		buf := make([]pq.Row, group.NumRows())
		n, _ := r.ReadRows(buf)
		for _, row := range buf[:n] {
			text += fmt.Sprintf("|%v %v", row[0], row[1])
		}
		r.Close()
	}
	return text
}
