package parquet_test

import (
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"math/big"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/parquet"
)

// TestWideTexts: the texts in the table of all events have the same hashes as the Go decoders'
// texts.
func TestWideTexts(t *testing.T) {
	duckdb(t, "SELECT 1") // skips the test without DuckDB
	var queries []query
	for _, path := range recordings(t) {
		dir := t.TempDir()
		m, err := parquet.Write(t.Context(), dir, []parquet.Source{source(path)}, parquet.Options{Wide: true})
		if err != nil && len(m.Sources) == 0 {
			t.Fatal(err)
		}
		want := expectTexts(t, path)
		if len(want) == 0 {
			continue
		}
		sql := "SELECT event, count(*), sum(coalesce(md5_number_lower(text), 0)) FROM " + from(dir+"/*/*/*.parquet") +
			" GROUP BY ALL"
		queries = append(queries, query{sql, func(a answer) {
			t.Run(filepath.Base(path), func(t *testing.T) { compareTexts(t, want, a, m.Sources[0].Events) })
		}})
	}
	ask(t, queries)
}

// compareTexts compares DuckDB's results with the decoders' and with the numbers of rows in the
// manifest.
func compareTexts(t *testing.T, want map[string]*hashed, found answer, manifest []parquet.EventRow) {
	have, rows := map[string]string{}, map[string]int64{}
	for _, r := range found.Rows {
		have[*r[0]] = *r[1] + " " + *r[2]
	}
	for _, e := range manifest {
		rows[e.Event] = e.Rows
	}
	for event, w := range want {
		if have[event] != w.String() {
			t.Errorf("%s: %s, want %s", event, have[event], w)
		}
		if rows[event] != w.rows {
			t.Errorf("%s: %d rows in the manifest, want %d", event, rows[event], w.rows)
		}
	}
	if len(have) != len(want) {
		t.Errorf("%d events, want %d", len(have), len(want))
	}
}

// hashed holds the rows of an event and the sum of the hashes of their texts.
type hashed struct {
	rows int64
	sum  big.Int
}

func (h *hashed) String() string { return fmt.Sprint(h.rows, " ", &h.sum) }

func expectTexts(t *testing.T, path string) map[string]*hashed {
	t.Helper()
	r, closer, err := source(path).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	want := map[string]*hashed{}
	for ev := range r.All() {
		name := ev.Type.Name
		if ev.Type.System != "" {
			name = ev.Type.System + "." + name
		}
		if ev.Type.Exit {
			name += ".return"
		}
		h := want[name]
		if h == nil {
			h = &hashed{}
			want[name] = h
		}
		h.rows++
		if text, ok := ev.AppendText(nil); ok {
			sum := md5.Sum([]byte(escaped(string(text))))
			h.sum.Add(&h.sum, new(big.Int).SetUint64(binary.LittleEndian.Uint64(sum[8:])))
		}
	}
	return want
}

// escaped returns a text with \x for invalid UTF-8.
func escaped(s string) string {
	var b strings.Builder
	for i, r := range s {
		if r == '\uFFFD' && s[i] != 0xef {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
