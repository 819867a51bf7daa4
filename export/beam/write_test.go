package beam

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

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
)

func parquetSources(paths []string) []parquet.Source {
	var list []parquet.Source
	for _, path := range paths {
		list = append(list, parquet.Source{Path: path,
			Open: func(ctx context.Context) (*tracec.Reader, io.Closer, error) {
				job := &report.Job{Job: sources.Job{Path: path, Warn: func(error) {}}} // as tracec export
				rec, r, err := job.Events(ctx, &report.Options{}, tracec.WithThreads())
				return r, rec, err
			}})
	}
	return list
}

// tree returns the files of a folder with their contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func compareTrees(t *testing.T, want, have map[string]string) {
	t.Helper()
	for name, text := range want {
		if got, ok := have[name]; !ok || got != text {
			t.Errorf("%s: differs, or is missing: %v", name, ok)
		}
	}
	for name := range have {
		if _, ok := want[name]; !ok {
			t.Errorf("%s should not be", name)
		}
	}
}

// run runs the pipeline.
func run(t *testing.T, dir string, paths []string) {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	WriteDataSet(s, beam.CreateList(s, paths), dir, Options{Host: "here", Tool: "test"})
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
}

// damaged returns a truncated recording, one with changed bytes, and a file that is not a
// recording.
func damaged(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(text)
	for i := len(text)/4096 - 4; i < len(text)/4096; i++ {
		changed[i*4096+9] ^= 0x7f // length of the page's data
	}
	dir := t.TempDir()
	var list []string
	for name, b := range map[string][]byte{"cut.dat": text[:len(text)*2/3], "changed.dat": changed,
		"none.dat": []byte("no recording")} {
		list = append(list, filepath.Join(dir, name))
		if err := os.WriteFile(list[len(list)-1], b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(list)
	return list
}

// TestWriteDataSet: the data set equals the data set of parquet.Write, even after a second run, and
// after a run that was killed.
func TestWriteDataSet(t *testing.T) {
	paths := append(recordings(t), damaged(t)...)
	slices.Sort(paths)
	t.Logf("%d recordings", len(paths))
	o := parquet.Options{Host: "here", Tool: "test"}
	dir := t.TempDir()
	m, err := parquet.Write(t.Context(), dir, parquetSources(paths), o)
	if err == nil || m == nil {
		t.Fatal("the file that is no recording: ", err)
	}
	hurt := 0
	for _, e := range m.Sources {
		if e.Damage.Count > 0 || len(e.Errors) > 0 {
			hurt++
		}
	}
	if hurt < 3 {
		t.Errorf("the manifest has %d recordings that are damaged", hurt)
	}
	want := tree(t, dir)

	t.Run("new", func(t *testing.T) {
		dir := t.TempDir()
		run(t, dir, paths)
		compareTrees(t, want, tree(t, dir))
		run(t, dir, paths)
		compareTrees(t, want, tree(t, dir))
	})
	t.Run("killed", func(t *testing.T) {
		dir := t.TempDir()
		for i, s := range parquetSources(paths) {
			if _, err := parquet.WriteSource(t.Context(), dir, s, o); err != nil && i%2 == 0 {
				t.Log(err)
			}
			if i == len(paths)/2 {
				break
			}
		}
		stray(t, dir)
		run(t, dir, paths)
		compareTrees(t, want, tree(t, dir))
	})
	t.Run("continued", func(t *testing.T) {
		dir := t.TempDir()
		run(t, dir, paths[:len(paths)/2])
		stray(t, dir)
		run(t, dir, paths)
		compareTrees(t, want, tree(t, dir))
	})
}

// stray leaves the files of a killed writer: a part without a recording, and a folder of files that
// were not yet renamed.
func stray(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"host=here/date=2026-01-01/event=a.b/part-0123456789abcdef-00000.parquet",
		".part-123/x"} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("PAR1"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFileSystem: recordings are read from a file system of Beam, and the manifest has their paths
// there. Recordings that cannot be fetched stay in the manifest until they can.
func TestFileSystem(t *testing.T) {
	text, err := os.ReadFile("../../testdata/ftrace/amd64-date.dat")
	if err != nil {
		t.Fatal(err)
	}
	const there, later, last, cut = "memfs://test/date.dat", "memfs://test/later.dat", "memfs://test/last.dat",
		"memfs://test/cut.dat"
	memfs.Write(there, text)
	memfs.Write(cut, text[:len(text)/2])
	dir := t.TempDir()
	run(t, dir, []string{there, later, last, cut})
	m, err := parquet.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	rows, failed := map[string]int64{}, map[string]int{}
	for _, e := range m.Sources {
		rows[e.Path], failed[e.Path] = e.Rows, len(e.Errors)
		for _, text := range e.Errors {
			if !strings.HasPrefix(text, e.Path) {
				t.Errorf("%s: the error is of another path: %s", e.Path, text)
			}
		}
		for _, p := range e.Damage.Places {
			if p.File != e.Path {
				t.Errorf("%s: damage of %s", e.Path, p.File)
			}
		}
	}
	if len(m.Sources) != 4 || rows[there] == 0 || failed[there] != 0 || failed[later] != 1 || failed[last] != 1 {
		t.Errorf("rows %v, errors %v", rows, failed)
	}
	if text, err = os.ReadFile("../../testdata/ftrace/s390x-markers.dat"); err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile("../../testdata/ftrace/amd64-markers.dat")
	if err != nil {
		t.Fatal(err)
	}
	memfs.Write(later, text)
	memfs.Write(last, other)
	run(t, dir, []string{there, later, last, cut})
	if m, err = parquet.ReadManifest(dir); err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Sources {
		if e.Path != cut && (len(e.Errors) > 0 || e.Rows == 0) {
			t.Errorf("%s: %d rows, %q", e.Path, e.Rows, e.Errors)
		}
	}
	if len(m.Sources) != 4 {
		t.Errorf("%d entries", len(m.Sources))
	}
}

// TestMatch: a pipeline ends with an error when its glob finds nothing.
func TestMatch(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	Match(s, filepath.Join(t.TempDir(), "*.dat"))
	if err := ptest.Run(p); err == nil {
		t.Error("no error")
	}
}
