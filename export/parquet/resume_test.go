package parquet_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
)

// TestMain is also the process that TestKilled kills.
func TestMain(m *testing.M) {
	if args := os.Getenv("TRACEC_PARQUET_WRITE"); args != "" {
		words := strings.Split(args, "\n")
		var list []parquet.Source
		for _, path := range words[1:] {
			list = append(list, source(path))
		}
		if _, err := parquet.Write(context.Background(), words[0], list, parquet.Options{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	dir, err := os.MkdirTemp("", "parquet")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	writtenDir = dir
	code := needs.Run(m)
	os.RemoveAll(dir)
	os.Exit(code)
}

// some are recordings of all kinds.
var some = []string{
	"../../testdata/ftrace/amd64-extract.dat", "../../testdata/ftrace/amd64-date.dat",
	"../../testdata/ftrace/s390x-markers.dat", "../../testdata/ftrace/sid-zlib.dat",
	"../../testdata/uftrace/args-auto/data.tar.gz", "../../testdata/aix/shop64.trc",
	"../../testdata/lttng/synthetic/v26-le64-bigevent.tar.xz",
}

func sources(paths ...string) []parquet.Source {
	var list []parquet.Source
	for _, p := range paths {
		list = append(list, source(p))
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

// whole writes a data set in one go.
func whole(t *testing.T, o parquet.Options, paths ...string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if _, err := parquet.Write(t.Context(), dir, sources(paths...), o); err != nil {
		t.Fatal(err)
	}
	return tree(t, dir)
}

// compareTrees compares folders by names and bytes.
func compareTrees(t *testing.T, want, have map[string]string) {
	t.Helper()
	for name, text := range want {
		if got, ok := have[name]; !ok || got != text {
			t.Errorf("%s: differs, or is missing: %v", name, ok)
			if strings.HasSuffix(name, ".json") {
				t.Error(cmp.Diff(text, got))
			}
		}
	}
	for name := range have {
		if _, ok := want[name]; !ok {
			t.Errorf("%s should not be", name)
		}
	}
}

// TestSameBytes: the same input gives the same files, with any number of goroutines.
func TestSameBytes(t *testing.T) {
	for _, wide := range []bool{false, true} {
		want := whole(t, parquet.Options{Wide: wide, Workers: 1}, some...)
		for _, workers := range []int{2, 7} {
			compareTrees(t, want, whole(t, parquet.Options{Wide: wide, Workers: workers}, some...))
		}
	}
}

// endAfter is a context that is done after a number of calls.
type endAfter struct {
	context.Context
	left *atomic.Int64
}

func (e endAfter) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterrupted: an interrupted export leaves no partial file and no entry. A resumed export
// gives the same result as an uninterrupted one.
func TestInterrupted(t *testing.T) {
	want := whole(t, parquet.Options{}, some...)
	parts := t.TempDir() // the files before small ones are combined
	for _, path := range some {
		if _, err := parquet.WriteSource(t.Context(), parts, source(path), parquet.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	written := tree(t, parts)
	step := int64(9)
	if needs.LongProofs(t) {
		step = 3
	}
	for after := int64(0); after < 100; after += step {
		dir := t.TempDir()
		left := &atomic.Int64{}
		left.Store(after)
		_, err := parquet.Write(endAfter{t.Context(), left}, dir, sources(some...), parquet.Options{})
		if err == nil {
			continue
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d: %v", after, err)
		}
		named := map[string]bool{parquet.ManifestName: true, parquet.RecordingsName: true}
		if m, err := parquet.ReadManifest(dir); err == nil {
			for _, e := range m.Sources {
				for _, f := range e.Files {
					named[f.Path] = true
				}
			}
		}
		for name, text := range tree(t, dir) {
			// The next export removes a whole file that the manifest does not name yet.
			if !named[name] && written[name] != text {
				t.Errorf("after %d: %s is left", after, name)
			}
		}
		if _, err := parquet.Write(t.Context(), dir, sources(some...), parquet.Options{Resume: true}); err != nil {
			t.Fatal(err)
		}
		compareTrees(t, want, tree(t, dir))
	}
}

// TestKilled does the same with a killed process.
func TestKilled(t *testing.T) {
	want := whole(t, parquet.Options{}, some...)
	for _, delay := range needs.Some(t, []time.Duration{5, 20, 40, 60, 90, 140}, 3) {
		dir := t.TempDir()
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "TRACEC_PARQUET_WRITE="+strings.Join(append([]string{dir}, some...), "\n"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(delay * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if _, err := parquet.Write(t.Context(), dir, sources(some...), parquet.Options{Resume: true}); err != nil {
			t.Fatal(err)
		}
		compareTrees(t, want, tree(t, dir))
	}
}

// TestLeft: an export that resumes a killed one removes its unfinished files. Another export does
// not.
func TestLeft(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[a") // the name must not be read as a pattern
	if _, err := parquet.Write(t.Context(), dir, sources(some...), parquet.Options{}); err != nil {
		t.Fatal(err)
	}
	want := tree(t, dir)
	const end = ".0123abcd"
	for _, name := range []string{"." + parquet.ManifestName + end, "." + parquet.RecordingsName + end, ".part-0123"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := parquet.Write(t.Context(), dir, sources(some...), parquet.Options{}); err == nil {
		t.Error("written to")
	}
	if _, err := parquet.Write(t.Context(), dir, sources(some...), parquet.Options{Resume: true}); err != nil {
		t.Fatal(err)
	}
	compareTrees(t, want, tree(t, dir))
}

// TestResume: recordings in the manifest are not read again, under any name. A folder with a data
// set, or with parts of one, is not overwritten by mistake.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	if _, err := parquet.Write(t.Context(), dir, sources(some[:2]...), parquet.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := parquet.Write(t.Context(), dir, sources(some...), parquet.Options{}); err == nil ||
		!strings.Contains(err.Error(), "holds a data set") {
		t.Errorf("a second export into the folder: %v", err)
	}
	if _, err := parquet.Write(t.Context(), dir, sources(some...),
		parquet.Options{Resume: true, Wide: true}); err == nil {
		t.Error("a data set of another layout was continued")
	}
	read := 0
	o := parquet.Options{Resume: true, Progress: func(parquet.Source, *tracec.Reader) { read++ }}
	if _, err := parquet.Write(t.Context(), dir, sources(some...), o); err != nil {
		t.Fatal(err)
	}
	if read != len(some)-2 {
		t.Errorf("%d recordings were read, want %d", read, len(some)-2)
	}
	compareTrees(t, whole(t, parquet.Options{}, some...), tree(t, dir))
	if err := os.Remove(filepath.Join(dir, parquet.ManifestName)); err != nil {
		t.Fatal(err)
	}
	if _, err := parquet.Write(t.Context(), dir, sources(some...), parquet.Options{}); err == nil ||
		!strings.Contains(err.Error(), "did not end") {
		t.Errorf("files without a manifest: %v", err)
	}
}

// TestTwice: a recording with two names is in the data set once, with a warning.
func TestTwice(t *testing.T) {
	dir, copied := t.TempDir(), filepath.Join(t.TempDir(), "again.dat")
	text, err := os.ReadFile(some[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, text, 0o666); err != nil {
		t.Fatal(err)
	}
	var warned error
	m, err := parquet.Write(t.Context(), dir, sources(some[0], copied),
		parquet.Options{Warn: func(err error) { warned = err }})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Sources) != 1 || warned == nil || !strings.Contains(warned.Error(), "again.dat") {
		t.Errorf("%d sources, message %v", len(m.Sources), warned)
	}
}

// TestMissing: a recording that cannot be opened does not affect others, and the next export tries
// it again.
func TestMissing(t *testing.T) {
	dir, bad := t.TempDir(), filepath.Join(t.TempDir(), "bad.dat")
	if err := os.WriteFile(bad, []byte("no recording"), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := parquet.Write(t.Context(), dir, sources(bad, some[0]), parquet.Options{})
	if err == nil || len(m.Sources) != 2 {
		t.Fatalf("error %v, %d sources", err, len(m.Sources))
	}
	for _, e := range m.Sources {
		if broken := e.Path == filepath.ToSlash(bad); broken != (len(e.Errors) > 0) || broken != (e.Rows == 0) {
			t.Errorf("%s: %d rows, errors %q", e.Path, e.Rows, e.Errors)
		}
	}
	tries := 0
	parquet.Write(t.Context(), dir, []parquet.Source{{Path: bad, Open: source(bad).Open}},
		parquet.Options{Resume: true, Warn: func(error) { tries++ }})
	if m, err := parquet.ReadManifest(dir); err != nil || len(m.Sources) != 2 {
		t.Error(m, err)
	}
}

// TestMerge: writers that share only the folder give the same result as one writer.
func TestMerge(t *testing.T) {
	dir := t.TempDir()
	a, b := parquet.NewManifest(parquet.Options{}), parquet.NewManifest(parquet.Options{})
	for i, path := range some {
		e, err := parquet.WriteSource(t.Context(), dir, source(path), parquet.Options{})
		if err != nil {
			t.Fatal(err)
		}
		[]*parquet.Manifest{a, b}[i%2].Add(e)
	}
	if err := b.Merge(a); err != nil {
		t.Fatal(err)
	}
	if err := b.Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := b.Compact(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	compareTrees(t, whole(t, parquet.Options{}, some...), tree(t, dir))
}

// TestSlices: the slices of a recording, by processor and by time, together equal the whole.
func TestSlices(t *testing.T) {
	const path = "../../testdata/ftrace/amd64-extract.dat"
	whole := expect(t, path)
	dir := t.TempDir()
	m := parquet.NewManifest(parquet.Options{})
	middle := whole["sched.sched_switch"].lo/2 + whole["sched.sched_switch"].hi/2
	for cpu := range int32(2) {
		for i, o := range []record.Options{{CPUs: []int32{cpu}, Until: middle}, {CPUs: []int32{cpu}, Since: middle}} {
			s := source(path)
			s.Chosen = fmt.Sprintf("--cpu %d, half %d", cpu, i)
			s.Open = func(ctx context.Context) (*tracec.Reader, io.Closer, error) {
				o.Context = ctx
				return source(path, tracec.WithRecords(o)).Open(ctx)
			}
			e, err := parquet.WriteSource(t.Context(), dir, s, parquet.Options{})
			if err != nil {
				t.Fatal(err)
			}
			m.Add(e)
		}
	}
	if len(m.Sources) != 4 {
		t.Errorf("%d entries, want 4", len(m.Sources))
	}
	compareSums(t, whole, readAll(t, dir, m))
	before := len(filesOf(m))
	if err := errors.Join(m.Write(dir), m.Compact(t.Context(), dir)); err != nil {
		t.Fatal(err)
	}
	compareSums(t, whole, readAll(t, dir, m))
	after := len(filesOf(m))
	if after > before/2 || len(tree(t, dir)) != after+2 {
		t.Errorf("%d files became %d; %d are there with the manifest and the table of recordings", before, after,
			len(tree(t, dir)))
	}
	again := tree(t, dir)
	if err := m.Compact(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	compareTrees(t, again, tree(t, dir))
}
