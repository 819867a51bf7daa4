package parquet_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/runtime/lttng"
)

// nested has structures in structures, lists of structures, and lists in lists.
const nested = `<event name="e">
	<field name="s"><struct><field name="x"><short/></field><field name="X"><uchar/></field>
		<field name="in"><struct><field name="name"><string/></field><field name="l"><array size="2"><char/></array></field></struct></field></struct></field>
	<field name="list"><sequence><uchar/><struct><field name="a"><uchar/></field>
		<field name="p"><struct><field name="f"><float size="4"/></field><field name="t"><string/></field></struct></field>
		<field name="each"><sequence><uchar/><short/></sequence></field></struct></sequence></field>
	<field name="rows"><array size="2"><sequence><uchar/><array size="2"><uchar/></array></sequence></array></field>
	<field name="end"><uint/></field></event>`

// TestNested: DuckDB reads members of structures and of lists of structures.
func TestNested(t *testing.T) {
	tr := &lttngtest.Trace{Order: binary.BigEndian, Word: 4, Description: nested}
	for i := range 300 {
		data := append([]byte{0xff, byte(255 - i%100), byte(i)}, fmt.Sprint("name", i, "\x00")...)
		data = append(data, 1, 2, byte(i%4))
		for j := range i % 4 {
			data = append(data, byte(j), 0x3f, 0xc0, 0, 0, 't', byte('0'+j), 0, 2, 0, byte(i), 0, 7)
		}
		data = append(data, byte(i%2)) // rows: [[], [[1, i]]] or [[[i, 2]], [[1, i]]]
		if i%2 == 1 {
			data = append(data, byte(i), 2)
		}
		data = append(data, 1, 1, byte(i))
		tr.Events = append(tr.Events, lttngtest.Event{Data: binary.BigEndian.AppendUint32(data, uint32(i))})
	}
	from, to := filepath.Join(t.TempDir(), "trace"), t.TempDir()
	if err := os.CopyFS(from, tr.Files()); err != nil {
		t.Fatal(err)
	}
	if _, err := parquet.Write(t.Context(), to, sources(from), parquet.Options{}); err != nil {
		t.Fatal(err)
	}
	table := fmt.Sprintf("read_parquet(%s)", quote(to+"/*/*/event=f.e/*.parquet"))
	queries := []string{
		"SELECT sum(s.x), sum(s.X_2), max(s.in.name), sum(s.in.l[2]), sum(\"end\") FROM " + table,
		"SELECT len(list), list[1].a, list[-1].a, list[1].p.f, list[-1].p.t, list[1].each, rows FROM " + table +
			` WHERE "end" IN (0, 1, 3, 299) ORDER BY "end"`,
		"SELECT typeof(s), typeof(list), typeof(rows) FROM " + table + " LIMIT 1",
	}
	var have strings.Builder
	for _, a := range duckdb(t, queries...) {
		for _, row := range a.Rows {
			for _, v := range row {
				if v == nil {
					have.WriteString("NULL ")
				} else {
					have.WriteString(*v + " ")
				}
			}
			have.WriteByte('\n')
		}
	}
	x, u := 0, 0
	for i := range 300 {
		x, u = x-1-i%100, u+i%256
	}
	want := fmt.Sprintf("%d %d name99 600 %d \n", x, u, 299*300/2) +
		"0 NULL NULL NULL NULL NULL [[],[[1,0]]] \n1 0 0 1.5 t0 [1,7] [[[1,2]],[[1,1]]] \n" +
		"3 0 2 1.5 t2 [3,7] [[[3,2]],[[1,3]]] \n3 0 2 1.5 t2 [43,7] [[[43,2]],[[1,43]]] \n" +
		`STRUCT(x SMALLINT, X_2 UTINYINT, "in" STRUCT("name" VARCHAR, l TINYINT[])) ` +
		`STRUCT(a UTINYINT, p STRUCT(f FLOAT, t VARCHAR), "each" SMALLINT[])[] UTINYINT[][][] ` + "\n"
	if d := cmp.Diff(want, have.String()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestNestedCut: for records that end anywhere, DuckDB reads the decoded values and null for the
// rest.
func TestNestedCut(t *testing.T) {
	t.Run("before the end", func(t *testing.T) { nestedCut(t, nested, `"end"`) })
	t.Run("in the last field", func(t *testing.T) {
		nestedCut(t, strings.Replace(nested, `<field name="end"><uint/></field>`, "", 1), "'none'")
	})
}

func nestedCut(t *testing.T, description, end string) {
	t.Helper()
	whole := append([]byte("\xff\xfe\x07name\x00\x01\x02\x02"),
		"\x05\x3f\xc0\x00\x00t\x00\x01\x00\x09"+"\x06\x3f\xc0\x00\x00u\x00\x00"+"\x00\x01\x08\x09"+
			"\x00\x00\x00\x08"...)
	tr := &lttngtest.Trace{Order: binary.BigEndian, Word: 4, Description: description, Task: 7}
	for n := range len(whole) + 1 {
		tr.Events = append(tr.Events, lttngtest.Event{Data: whole[:n]})
	}
	from, to := filepath.Join(t.TempDir(), "trace"), t.TempDir()
	if err := os.CopyFS(from, tr.Files()); err != nil {
		t.Fatal(err)
	}
	rec, err := lttng.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec, tracec.WithEvents("f.e"))
	if err != nil {
		t.Fatal(err)
	}
	var want, have []string
	for ev := range r.All() {
		row := fmt.Sprint(len(ev.Data))
		for i := range ev.Type.Fields {
			v, ok := ev.At(i)
			row += " " + nullJSON(&ev.Type.Fields[i], v, ok)
		}
		if len(ev.Type.Fields) == 3 {
			row += " none"
		}
		want = append(want, row)
	}
	if _, err := parquet.Write(t.Context(), to, sources(from), parquet.Options{}); err != nil {
		t.Fatal(err)
	}
	sql := fmt.Sprintf(`SELECT to_json(s), to_json(list), to_json(rows), %s FROM read_parquet(%s, union_by_name=true) ORDER BY time`, end, quote(to+"/*/*/event=f.e/*.parquet"))
	for i, row := range duckdb(t, sql)[0].Rows {
		text := fmt.Sprint(i)
		for _, v := range row {
			if v == nil {
				text += " null"
			} else {
				text += " " + strings.ReplaceAll(*v, "X_2", "X")
			}
		}
		have = append(have, text)
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// nullJSON returns a value as JSON, with null for missing values.
func nullJSON(f *tracec.Field, v tracec.Value, ok bool) string {
	var parts []string
	switch {
	case !ok:
		return "null"
	case f.Kind == tracec.Struct:
		for i := range f.Fields {
			m, has := v.At(i)
			parts = append(parts, fmt.Sprintf("%q:%s", f.Fields[i].Name, nullJSON(&f.Fields[i], m, has)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case f.Kind == tracec.List && f.Elem == tracec.Struct:
		for i := range v.Len() {
			parts = append(parts, nullJSON(&tracec.Field{Kind: tracec.Struct, Fields: f.Fields}, v.Elem(i), true))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return string(columns.AppendValue(nil, f, v))
}

// TestDescribe: types that differ only inside a structure do not share tables.
func TestDescribe(t *testing.T) {
	member := func(name string, k tracec.Kind, size int, optional bool) tracec.Field {
		return tracec.Field{Name: name, Kind: k, Size: size, Optional: optional}
	}
	x := member("x", tracec.Int, 4, false)
	in := func(k, elem tracec.Kind, members ...tracec.Field) *tracec.Type {
		inner := tracec.Field{Name: "in", Kind: tracec.Struct, Fields: members}
		return &tracec.Type{Name: "e", Fields: []tracec.Field{{Name: "s", Kind: k, Elem: elem,
			Fields: []tracec.Field{inner}}}}
	}
	seen := map[[32]byte]int{}
	for i, typ := range []*tracec.Type{
		in(tracec.Struct, 0, x), in(tracec.List, tracec.Struct, x), in(tracec.Struct, 0), in(tracec.Struct, 0, x, x),
		in(tracec.Struct, 0, member("y", tracec.Int, 4, false)),
		in(tracec.Struct, 0, member("x", tracec.Uint, 4, false)),
		in(tracec.Struct, 0, member("x", tracec.Int, 8, false)), in(tracec.Struct, 0, member("x", tracec.Int, 4, true)),
	} {
		h := parquet.Describe(typ)
		if j, ok := seen[h]; ok {
			t.Errorf("types %d and %d have one hash", j, i)
		}
		seen[h] = i
	}
	// A member of the structure, and a field after it.
	after := in(tracec.Struct, 0)
	after.Fields = append(after.Fields, x)
	if parquet.Describe(after) == parquet.Describe(in(tracec.Struct, 0, x)) {
		t.Error("a member is as a field after the structure")
	}
}

// TestOptional: DuckDB distinguishes a missing structure from a structure with missing members.
func TestOptional(t *testing.T) {
	const (
		u8       = `{"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "big-endian"}`
		selector = `{"type": "fixed-length-boolean", "length": 8, "byte-order": "big-endian"}`
	)
	member := func(name, class string) string { return fmt.Sprintf(`{"name": %q, "field-class": %s}`, name, class) }
	optional := func(by, class string) string {
		return fmt.Sprintf(`{"type": "optional", "selector-field-location": {"path": [%q]}, "field-class": %s}`,
			by, class)
	}
	structure := func(members ...string) string {
		return `{"type": "structure", "member-classes": [` + strings.Join(members, ", ") + `]}`
	}
	inner := structure(member("a", u8), member("y", selector), member("b", optional("y", u8)),
		member("z", selector), member("in", optional("z", structure(member("c", u8)))))
	metadata := "\x1e{\"type\": \"preamble\", \"version\": 2}\n\x1e{\"type\": \"trace-class\"}\n" +
		"\x1e{\"type\": \"data-stream-class\"}\n" +
		"\x1e{\"type\": \"event-record-class\", \"name\": \"e\", \"payload-field-class\": " +
		structure(member("x", selector), member("s", optional("x", inner)), member("n", u8),
			member("l", `{"type": "static-length-array", "length": 1, "element-field-class": `+inner+"}")) + "}\n"
	stream := "\x00\x07" + "\x01\x00\x00" + // n, and a of the element of l
		"\x01\x05\x01\x06\x01\x08\x07" + "\x01\x01\x02\x01\x03" + // everything
		"\x01\x05\x00\x00\x07" + "\x01\x00\x01\x04" // only a of s and of l, and l.in.c
	from, to := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"metadata": metadata, "stream": stream} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := parquet.Write(t.Context(), to, sources(from), parquet.Options{}); err != nil {
		t.Fatal(err)
	}
	var have []string
	sql := fmt.Sprintf("SELECT s.value IS NULL, s.value.in.value IS NULL, to_json(s), to_json(l) FROM read_parquet(%s)",
		quote(to+"/*/*/*/*.parquet"))
	for _, row := range duckdb(t, sql)[0].Rows {
		text := ""
		for _, v := range row {
			if v == nil {
				text += " NULL"
			} else {
				text += " " + *v
			}
		}
		have = append(have, text)
	}
	want := []string{
		` true true {"value":null} [{"a":1,"y":0,"b":{"value":null},"z":0,"in":{"value":null}}]`,
		` false false {"value":{"a":5,"y":1,"b":{"value":6},"z":1,"in":{"value":{"c":8}}}} ` +
			`[{"a":1,"y":1,"b":{"value":2},"z":1,"in":{"value":{"c":3}}}]`,
		` false true {"value":{"a":5,"y":0,"b":{"value":null},"z":0,"in":{"value":null}}} ` +
			`[{"a":1,"y":0,"b":{"value":null},"z":1,"in":{"value":{"c":4}}}]`,
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
