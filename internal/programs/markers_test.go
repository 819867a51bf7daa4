package programs_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// openTrace opens an archive of a trace.
func openTrace(t *testing.T, name string, opts ...lttng.Option) *lttng.Recording {
	t.Helper()
	isTrace := func(p *input.Probe) bool { return p.Dir != nil && lttng.IsTrace(p.Dir) }
	in, err := input.Open(t.Context(), name, nil, 0, []input.Kind{{Detect: isTrace}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	rec, err := lttng.OpenFS(in.Dir, name, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// line is an event of a normalised text. Lines are sorted by time, then by bytes.
type line struct {
	time uint64
	text string
}

// markerLines prints a trace in the form of the normalised texts (shared/data/lttng/README.md).
func markerLines(t *testing.T, rec *lttng.Recording) []byte {
	t.Helper()
	var lines []line
	p, fields := programs.MarkerPrinter(rec.Traces()[0], nil), programs.NewMarkers(nil, nil)
	m := rec.Merge(record.Options{})
	perChannel := rec.Traces()[0].Info().Dialect >= lttng.V23
	for {
		records, entries, err := m.NextRun()
		for i, r := range records {
			e := &entries[i]
			if e.Marker == nil {
				t.Fatalf("an unknown event at offset %d", e.Offset)
			}
			file := rec.Files()[r.Stream]
			var b []byte
			if perChannel || rec.Traces()[0].Info().Dialect < lttng.V10 {
				b = append(append(b, e.Marker.Channel...), '.')
			}
			b = fmt.Appendf(b, "%s: %d.%09d (%s_%d)", e.Marker.Name, r.Time/1e9, r.Time%1e9, file.Channel, file.CPU)
			if text := fields.Append(nil, p, e.Marker, r.Data); len(text) > 0 {
				b = append(append(b, ' '), text...)
			}
			lines = append(lines, line{r.Time, string(append(b, '\n'))})
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.SortFunc(lines, func(a, b line) int {
		if a.time != b.time {
			if a.time < b.time {
				return -1
			}
			return 1
		}
		return strings.Compare(a.text, b.text)
	})
	var out bytes.Buffer
	for _, l := range lines {
		out.WriteString(l.text)
	}
	return out.Bytes()
}

func TestRealTraces(t *testing.T) {
	real := needs.Shared(t, "lttng/real")
	for _, c := range []struct{ name, old, new string }{
		{"trace-1021events-nolost-1cpu", "a35a422a88a7b6163de0b541292ed35e178b04f7937e72e283af6e88bdba32fc",
			"ff6e8fe616e61511c6825837909f996c62cd8aa034d0577ae54cbe5bdd3aeef8"},
		{"trace-698650events_3029lost-8CPU", "18091cf82e58f054bc900a3f2138153f732a02850101c0820d14560e5f8d8f4c",
			"bb2c598423d38c24787d99d8c145151b56414fe9cede7712842157bbd2da85c0"},
		{"trace-15316events_nolost_newformat", "1b768de9b55e1f9b0cf0c58829a2625f8b58c84f01f6af5a3d912b0d3c16c2f1",
			"58f57e23469613c818b20c115ae79ade7f581d1648991b254eb636f96425febf"},
		{"trace-2.6", "eca48a29a523cc68ccad5cefd2a1fdfcff65c70b2befb2a3ba2cd8149d78b039",
			"687e96dd9189ec85e7dd069e4b2e173b904fb432a8e1b8e3687efd2cb15c3ffd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "trace-698650events_3029lost-8CPU" || c.name == "trace-2.6" { // traces of megabytes
				needs.Proofs(t)
			}
			for f, want := range map[lttng.Formula]string{lttng.OldFormula: c.old, lttng.NewFormula: c.new} {
				rec := openTrace(t, filepath.Join(real, c.name+".tar.gz"), lttng.WithTime(f))
				text := markerLines(t, rec)
				if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != want {
					t.Errorf("formula %d: sha256 %s, want %s", f, got, want)
				}
				if d := rec.Damage(); len(d) > 0 {
					t.Errorf("damage: %v", d[0])
				}
			}
		})
	}
}

// TestSavedTexts compares with the original readers' texts in the archives.
func TestSavedTexts(t *testing.T) {
	list, err := filepath.Glob("../../testdata/lttng/*/*.tar.xz")
	if err != nil || len(list) < 14 {
		t.Fatalf("%d archives, want 14 or more; %v", len(list), err)
	}
	for _, name := range list {
		base := strings.TrimSuffix(filepath.Base(name), ".tar.xz")
		t.Run(base, func(t *testing.T) {
			hasText := func(p *input.Probe) bool { return p.Has(base + ".events.txt") }
			all, err := input.Open(t.Context(), name, nil, 0, []input.Kind{{Detect: hasText}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer all.Close()
			want, err := fs.ReadFile(all.Dir, base+".events.txt")
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Split(string(markerLines(t, openTrace(t, name))), "\n")
			if d := cmp.Diff(strings.Split(string(want), "\n"), got); d != "" {
				t.Errorf("(-saved +ours)\n%.2000s", d)
			}
		})
	}
}
