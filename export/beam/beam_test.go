package beam_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/export/beam"
	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/report/all"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

func init() {
	register.Function1x1(rowKey)
	register.Function2x1(countText)
}

// rowKey is what rows of two readings of a recording have in common.
func rowKey(r beam.Row) string {
	sum := int64(0)
	for i, f := range r.Fields {
		sum += int64(i+1) * (f.Int + int64(len(f.Text)))
	}
	return fmt.Sprint(filepath.Base(r.Path), " ", r.System, ":", r.Event, " ", r.Time, " ", r.CPU, " ", r.Task, " ", r.Comm, " ", sum)
}

func countText(key string, n int) string { return fmt.Sprint(n, " ", key) }

// recordings are those of the repository, of all kinds, and of the shared data up to n of them.
func recordings(t *testing.T, n int) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{
		"../../testdata/ftrace/*.dat", "../../testdata/ftrace/*.tar.zst", "../../testdata/aix/*.trc", "../../testdata/uftrace/*/data.tar.gz", "../../testdata/lttng/*/*.tar.xz",
		"../../../shared/data/ftrace/*/*.dat",
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			abs, err := filepath.Abs(name)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, abs)
		}
	}
	if len(list) < 20 {
		t.Fatalf("only %d recordings", len(list))
	}
	return list[:min(n, len(list))]
}

func anyOf(list []string) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = x
	}
	return out
}

// TestReadTrace: every event of a recording is in one row, however it is split.
func TestReadTrace(t *testing.T) {
	paths := []string{
		"../../testdata/ftrace/amd64-extract.dat", "../../testdata/ftrace/s390x-markers.dat", "../../testdata/aix/shop64.trc",
		"../../testdata/uftrace/args-auto/data.tar.gz", "../../testdata/lttng/synthetic/v26-be32-aligned.tar.xz",
	}
	want := map[string]int{}
	for _, path := range paths {
		rec, err := all.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := dynamic.NewReader(rec, dynamic.WithThreads())
		if err != nil {
			t.Fatal(err)
		}
		for ev := range r.All() {
			row := beam.Row{Path: path, System: ev.Type.System, Event: ev.Type.Name, Time: int64(ev.Time), CPU: ev.CPU, Task: ev.Task, Comm: ev.Comm()}
			for f, v := range ev.Fields() {
				row.Fields = append(row.Fields, beam.NewField(f, v))
			}
			want[rowKey(row)]++
		}
		rec.Close()
	}
	var lines []any
	for key, n := range want {
		lines = append(lines, countText(key, n))
	}
	for _, slices := range []int{1, 7} {
		p, s := sdk.NewPipelineWithRoot()
		rows := beam.ReadTrace(s, sdk.Create(s, anyOf(paths)...), beam.Options{Slices: slices})
		passert.Equals(s, sdk.ParDo(s, countText, stats.Count(s, sdk.ParDo(s, rowKey, rows))), lines...)
		if err := ptest.Run(p); err != nil {
			t.Fatalf("%d slices: %v", slices, err)
		}
	}
}

// write writes a data set by a pipeline.
func write(t *testing.T, dir string, paths []string) {
	t.Helper()
	p, s := sdk.NewPipelineWithRoot()
	beam.WriteDataSet(s, dir, sdk.Create(s, anyOf(paths)...), beam.SetOptions{Tool: "test"})
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
}

// sources are what parquet.Write gets for paths.
func sources(paths []string) (list []parquet.Source) {
	for _, path := range paths {
		list = append(list, parquet.Source{Path: path, Open: func(ctx context.Context) (*dynamic.Reader, io.Closer, error) {
			rec, err := all.Open(ctx, path)
			if err != nil {
				return nil, nil, err
			}
			r, err := dynamic.NewReader(rec, dynamic.WithThreads())
			return r, rec, err
		}})
	}
	return list
}

// contents are the files of a data set.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func compare(t *testing.T, what, dir string, want map[string]string) {
	t.Helper()
	got := contents(t, dir)
	if d := cmp.Diff(got[parquet.ManifestName], want[parquet.ManifestName]); d != "" {
		t.Errorf("%s: manifests differ (-beam +export):\n%.3000s", what, d)
	}
	if !maps.Equal(got, want) {
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s: %s differs: %d bytes, want %d", what, name, len(got[name]), len(want[name]))
			}
		}
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
}

// damaged returns two recordings that are damaged: one is cut, in the other are bytes that do not belong there.
func damaged(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		t.Fatal(err)
	}
	broken := bytes.Clone(text)
	copy(broken[len(broken)/2:], bytes.Repeat([]byte{0xA5}, 3000))
	dir := t.TempDir()
	list := []string{filepath.Join(dir, "cut.dat"), filepath.Join(dir, "broken.dat")}
	for i, b := range [][]byte{text[:len(text)-5000], broken} {
		if err := os.WriteFile(list[i], b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// TestWriteDataSet: the data set of a pipeline is that of an export, also when it runs again, and when one before was killed.
func TestWriteDataSet(t *testing.T) {
	paths := append(recordings(t, 48), damaged(t)...)
	if huge := os.Getenv("TRACEC_HUGE"); huge != "" {
		paths = append(paths, huge)
	}
	paths = append(paths, filepath.Join(t.TempDir(), "missing.dat"))
	exported := t.TempDir()
	if _, err := parquet.Write(t.Context(), exported, sources(paths), parquet.Options{Tool: "test"}); err == nil {
		t.Error("a recording that is missing was exported")
	}
	want := contents(t, exported)
	if len(want) < 50 {
		t.Fatalf("only %d files", len(want))
	}
	dir := t.TempDir()
	write(t, dir, paths)
	compare(t, "at first", dir, want)
	write(t, dir, paths)
	compare(t, "again", dir, want)

	killed := t.TempDir()
	for i, s := range sources(paths) {
		if i%2 == 0 {
			if _, err := parquet.WriteSource(t.Context(), killed, s, parquet.Options{Tool: "test"}); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
	write(t, killed, paths)
	compare(t, "after one that was killed", killed, want)
}
