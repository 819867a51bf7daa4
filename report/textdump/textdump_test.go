package textdump_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/therootcompany/xz"

	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/runtime/lttng"
)

func open(t testing.TB, name string) *lttng.Recording {
	t.Helper()
	isTrace := func(p *input.Probe) bool { return p.Dir != nil && lttng.IsTrace(p.Dir) }
	in, err := input.Open(t.Context(), name, nil, 0, []input.Kind{{Detect: isTrace}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	rec, err := lttng.OpenFS(in.Dir, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// blocks returns the lines of a text. Lines with equal times are sorted, because their order in
// LTTV depends on the directory.
func blocks(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	time := func(s string) string {
		if f := strings.SplitN(s, " ", 3); len(f) == 3 && strings.HasSuffix(f[0], ":") {
			return f[1]
		}
		return ""
	}
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && time(lines[to]) != "" && time(lines[to]) == time(lines[from]) {
			to++
		}
		slices.Sort(lines[from:to])
		from = to
	}
	return lines
}

func compare(t *testing.T, rec *lttng.Recording, name, want string) {
	t.Helper()
	var out bytes.Buffer
	if err := textdump.Run(context.Background(), rec, textdump.Options{Name: name}, &out); err != nil {
		t.Fatal(err)
	}
	got, exp := blocks(out.String()), blocks(want)
	for i := range min(len(got), len(exp)) {
		if got[i] != exp[i] {
			t.Fatalf("line %d (-LTTV +ours)\n%s", i+1, cmp.Diff(exp[i], got[i]))
		}
	}
	if len(got) != len(exp) {
		t.Errorf("%d lines, want %d", len(got), len(exp))
	}
}

func TestRealTraces(t *testing.T) {
	shared := needs.Shared(t, "lttng")
	for _, name := range []string{"trace-1021events-nolost-1cpu", "trace-15316events_nolost_newformat", "trace-2.6"} {
		t.Run(name, func(t *testing.T) {
			if name == "trace-2.6" { // a trace of one megabyte
				needs.Proofs(t)
			}
			f, err := os.Open(filepath.Join(shared, "oracle", name+".textdump.txt.xz"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r, err := xz.NewReader(f, xz.DefaultDictMax)
			if err != nil {
				t.Fatal(err)
			}
			want, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, open(t, filepath.Join(shared, "real", name+".tar.gz")), name, string(want))
		})
	}
}

func TestSavedTexts(t *testing.T) {
	n := 0
	list, _ := filepath.Glob("../../testdata/lttng/*/*.tar.xz")
	for _, name := range list {
		base := strings.TrimSuffix(filepath.Base(name), ".tar.xz")
		file := base + ".textdump.txt"
		all, err := input.Open(t.Context(), name, nil, 0,
			[]input.Kind{{Detect: func(p *input.Probe) bool { return p.Has(file) }}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer all.Close()
		if all.Kind < 0 { // this version has no such text
			continue
		}
		n++
		want, err := fs.ReadFile(all.Dir, file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(base, func(t *testing.T) { compare(t, open(t, name), base, string(want)) })
	}
	if n < 2 {
		t.Errorf("%d texts, want 2 or more", n)
	}
}
