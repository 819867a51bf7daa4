package ftrace_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
)

// unpackSnapshot extracts an archive and returns the directory in it.
func unpackSnapshot(t testing.TB, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	dir, top := t.TempDir(), ""
	for r := tar.NewReader(d); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return filepath.Join(dir, top)
		}
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, filepath.Clean("/"+h.Name))
		if h.FileInfo().IsDir() {
			os.MkdirAll(name, 0o755)
			continue
		}
		top, _, _ = strings.Cut(strings.TrimPrefix(h.Name, "./"), "/")
		os.MkdirAll(filepath.Dir(name), 0o755)
		text, err := io.ReadAll(r)
		if err == nil {
			err = os.WriteFile(name, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// kernelLine is COMM-PID (TGID) [CPU] FLAGS TIME: TEXT.
var kernelLine = regexp.MustCompile(`^(.*)-(\d+)\s+(?:\(\s*[-\d]+\) )?\[(\d+)\] \S+\s+([\d.]+): (.*)`)

// TestSnapshotsAgainstKernel compares every record with the kernel's own text of the same buffer:
// CPU, pid and time, and the event if the text names it.
func TestSnapshotsAgainstKernel(t *testing.T) {
	recordings := needs.Shared(t, "ftrace")
	archives, _ := filepath.Glob(filepath.Join(recordings, "*/raw-*.tar.zst"))
	if len(archives) == 0 {
		t.Fatal("no snapshots in ", recordings)
	}
	for _, a := range needs.Some(t, archives, 2) {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(a, recordings+"/"), ".tar.zst"), func(t *testing.T) {
			dir := unpackSnapshot(t, a)
			rec, err := ftrace.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			text, err := os.ReadFile(filepath.Join(dir, "trace.kernel.txt"))
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, []byte("# tracer: function_graph")) {
				// Its text has no times and not a line for each record.
				if s := digest(t, rec); s.Records < 50000 {
					t.Errorf("%d records", s.Records)
				}
			} else {
				compareKernel(t, rec, text)
			}
			for _, d := range rec.Damage() {
				t.Error(d)
			}
		})
	}
}

func compareKernel(t *testing.T, rec *ftrace.Recording, text []byte) {
	t.Helper()
	names := eventNames(rec)
	known := map[string]bool{}
	for _, n := range names {
		known[n] = true
	}
	m := rec.Merge(ftrace.StreamOptions{})
	next, stop := iter.Pull2(m.All())
	defer stop()
	n := 0
	for line := range bytes.Lines(text) {
		f := kernelLine.FindSubmatch(line)
		if f == nil || line[0] == '#' {
			continue
		}
		r, _, ok := next()
		if !ok {
			t.Fatalf("record %d: the end, %v, but the kernel has %q", n, m.Err(), line)
		}
		n++
		got := fmt.Sprintf("%d %d %s", r.CPU, r.Task, shownTime(r.Time, "."))
		if want := fmt.Sprintf("%s %s %s", cpuNumber(f[3]), f[2], f[4]); got != want {
			t.Fatalf("record %d: got %q, the kernel has %q", n, got, line)
		}
		if name, _, ok := strings.Cut(string(f[5]), ":"); ok && known[name] && name != names[r.ID] {
			t.Fatalf("record %d: got %s, the kernel has %q", n, names[r.ID], line)
		}
	}
	if r, _, ok := next(); ok || n == 0 || m.Err() != nil {
		t.Errorf("%d records in the kernel's text, then got %+v, %v", n, r, m.Err())
	}
}

// TestSnapshotOddFiles adds files to a snapshot that never end or cannot be read. They must be
// damage, and all other files must be read.
func TestSnapshotOddFiles(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		needs.Skip(t, "need Unix devices", err)
	}
	for _, name := range []string{"saved_cmdlines", "trace_clock", "events/ftrace/print/format",
		"per_cpu/cpu1/trace_pipe_raw"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			dir := unpackSnapshot(t, "../../testdata/ftrace/amd64-snapshot.tar.zst")
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("/dev/zero", path); err != nil {
				needs.Skip(t, "need symbolic links", err)
			}
			rec, err := ftrace.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			rec.Comm(1)
			list := rec.Damage()
			if len(list) != 1 || list[0].File != path || !errors.Is(list[0], ftrace.ErrCorrupt) {
				t.Errorf("damage %v, want that %s is no regular file", list, path)
			}
		})
	}
}

// TestSnapshotDeadLinks adds dead links to a snapshot. Their targets are lost, which must be
// damage.
func TestSnapshotDeadLinks(t *testing.T) {
	for name, lost := range map[string]string{
		"saved_cmdlines": "", "trace_clock": "", "events/ftrace/print/format": "", "per_cpu/cpu1/trace_pipe_raw": "",
		"per_cpu/cpu1": "per_cpu/cpu1/trace_pipe_raw",
	} {
		dir := unpackSnapshot(t, "../../testdata/ftrace/amd64-snapshot.tar.zst")
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("nowhere", path); err != nil {
			needs.Skip(t, "need symbolic links", err)
		}
		rec, err := ftrace.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		rec.Comm(1)
		if lost != "" {
			path = filepath.Join(dir, filepath.FromSlash(lost))
		}
		if list := rec.Damage(); len(list) != 1 || list[0].File != path || !errors.Is(list[0], fs.ErrNotExist) {
			t.Errorf("%s: damage %v", name, list)
		}
		rec.Close()
	}
}
