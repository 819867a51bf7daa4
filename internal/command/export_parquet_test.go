//go:build unix

package command

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// TestParquetStopped stops exports to a data set at any time. With --resume the partial data set
// becomes equal to the data set of an undisturbed export. The folder contains nothing else.
func TestParquetStopped(t *testing.T) {
	in := inputs(t)
	args := []string{"export", "-q", "--to", "parquet", "-o", "set", in["uftrace"], in["lttng"], "@"}
	begin := time.Now()
	whole := command(t, args, in["trace.dat"])
	whole.ended(t, whole.Run(), exitOK, "")
	took := time.Since(begin)
	want := filesBelow(t, whole.Dir)
	r := rand.New(rand.NewPCG(33, 33))
	for i := range 9 {
		s := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL}[i%3]
		p := command(t, args, in["trace.dat"])
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Int64N(int64(took))))
		p.Process.Signal(s) // the process may have ended
		p.Wait()            // the error tells how it ended
		state := p.ProcessState
		status := state.Sys().(syscall.WaitStatus)
		if killed := status.Signaled() && status.Signal() == s; !killed && state.ExitCode() != 128+int(s) &&
			state.ExitCode() != exitOK {
			t.Errorf("%v: %v, %s", s, state, &p.messages)
		}
		again := command(t, slices.Insert(slices.Clone(args), 1, "--resume"), in["trace.dat"])
		again.Dir = p.Dir
		again.ended(t, again.Run(), exitOK, "")
		got := filesBelow(t, p.Dir)
		for name, text := range want {
			if got[name] != text {
				t.Errorf("%v: %s is not what it is without a run that was stopped before", s, name)
			}
		}
		for name := range got {
			if _, ok := want[name]; !ok {
				t.Errorf("%v: %s is left", s, name)
			}
		}
	}
}

// TestParquetPacked checks that a recording has the same tables in any packing.
func TestParquetPacked(t *testing.T) {
	for _, k := range kindsOfRecording {
		t.Run(k.name, func(t *testing.T) {
			plain := unpackedSample(t, filepath.Join("../../testdata", k.path))
			tables := func(path string) []string {
				dir := t.TempDir()
				if code, _, errs := tracec(nil, "export", "--to", "parquet", "-o", dir, path); code != exitOK {
					t.Errorf("%s: exit code %d, %s", path, code, errs)
				}
				list, err := filepath.Glob(filepath.Join(dir, "*", "*", "*"))
				if err != nil {
					t.Fatal(err)
				}
				for i := range list {
					list[i], _ = filepath.Rel(dir, list[i])
				}
				return list
			}
			want := tables(plain)
			if len(want) == 0 {
				t.Error("no tables")
			}
			for name, path := range packings(t, plain) {
				if got := tables(path); !slices.Equal(got, want) {
					t.Errorf("%s: tables %v, want %v", name, got, want)
				}
			}
		})
	}
}

// filesBelow returns the files below a folder with their contents.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
