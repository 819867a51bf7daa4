package ftrace_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/testkit/hostile"
	"github.com/tracec/tracec/runtime/ftrace"
)

// TestFailingCalls makes each call to the file system fail, one at a time. Either the events are
// unchanged, or the error is reported.
func TestFailingCalls(t *testing.T) {
	for _, name := range []string{"amd64-markers", "amd64-instances", "i386-userstack", "s390x-markers", "sid-zlib",
		"amd64-date"} {
		b, err := os.ReadFile("../../testdata/ftrace/" + name + ".dat")
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			failingCalls(t, fstest.MapFS{"f": {Data: b}}, func(dir fs.FS) (*ftrace.Recording, error) {
				f, err := dir.Open("f")
				if err != nil {
					return nil, err
				}
				return ftrace.OpenReaderAt(f.(io.ReaderAt), int64(len(b)), "f")
			})
		})
	}
	t.Run("snapshot", func(t *testing.T) {
		failingCalls(t, memory(t, unpackSnapshot(t, "../../testdata/ftrace/amd64-snapshot.tar.zst")),
			func(dir fs.FS) (*ftrace.Recording, error) { return ftrace.OpenFS(dir, "f") })
	})
}

// memory holds the files of a directory, except for most descriptions of events.
func memory(t *testing.T, dir string) fstest.MapFS {
	files := fstest.MapFS{}
	all := os.DirFS(dir)
	err := fs.WalkDir(all, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "/format") && !strings.Contains(name, "/sched/") &&
			!strings.Contains(name, "/ftrace/") {
			return err
		}
		b, err := fs.ReadFile(all, name)
		files[name] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func failingCalls(t *testing.T, files fs.FS, open func(fs.FS) (*ftrace.Recording, error)) {
	rec, err := open(files)
	if err != nil {
		t.Fatal(err)
	}
	whole := streamsOf(rec)
	rec.Close()
	for _, short := range []bool{false, true} {
		for n := 0; ; n++ {
			dir := hostile.FailAt(files, n, short)
			rec, err := open(dir)
			if err != nil {
				what, _ := dir.Failed()
				if !errors.Is(err, hostile.ErrCall) {
					t.Errorf("call %d, %s: %v", n, what, err)
				}
				continue
			}
			got := streamsOf(rec)
			what, failed := dir.Failed()
			named := slices.ContainsFunc(rec.Damage(),
				func(d *ftrace.Damage) bool { return errors.Is(d, hostile.ErrCall) })
			if !named && !equalStreams(got, whole) {
				t.Errorf("call %d, %s (short %v): other events, and no word of it: %v", n, what, short, rec.Damage())
			}
			rec.Close()
			if !failed {
				if n < 4 {
					t.Errorf("%d calls", n)
				}
				break
			}
		}
	}
}

// streamsOf returns the data of the events of each stream.
func streamsOf(rec *ftrace.Recording) (all []string) {
	for _, b := range rec.Buffers() {
		for _, s := range b.Streams(ftrace.StreamOptions{}) {
			var data bytes.Buffer
			for {
				batch, err := s.Next()
				if err != nil {
					break
				}
				for _, r := range batch.Records {
					data.Write(r.Data)
				}
			}
			all = append(all, data.String())
		}
	}
	return all
}

// equalStreams compares streams. Streams without an event may be missing.
func equalStreams(a, b []string) bool {
	empty := func(s string) bool { return s == "" }
	return slices.Equal(slices.DeleteFunc(slices.Clone(a), empty), slices.DeleteFunc(slices.Clone(b), empty))
}
