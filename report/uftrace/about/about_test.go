package about_test

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report/uftrace/about"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
)

func run(t testing.TB, files fstest.MapFS, opts about.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := about.Run(t.Context(), uftracetest.Open(t, files), opts, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// explained are the outputs that differ for a reason in testdata/differences.md.
var explained = map[string]bool{
	"v3-binary-task/0.13/info.txt":      true, // uftrace does not read the names in the old task file here
	"v3-binary-task/0.19/info.txt":      true,
	"v3-binary-task/0.13/info-task.txt": true,
	"python/0.19/info-symbols.txt":      true, // symbols of the interpreter, which is not in the recording
}

func TestSaved(t *testing.T) {
	saved := map[string]about.Options{"info.txt": {}, "info-task.txt": {Task: true},
		"info-symbols.txt": {Symbols: true}}
	for _, name := range uftracetest.Saved(t) {
		t.Run(name, func(t *testing.T) {
			files := uftracetest.Files(t, name)
			for file, want := range uftracetest.Outputs(t, name) {
				opts, ok := saved[path.Base(file)]
				if !ok || explained[name+"/"+file] {
					continue
				}
				if path.Dir(file) == "0.19" {
					opts.Style = values.V019
				}
				if d := cmp.Diff(want, run(t, files, opts)); d != "" {
					t.Errorf("%s (-uftrace +ours):\n%s", file, d)
				}
			}
		})
	}
}

// TestLines changes lines of info. The wanted texts are uftrace 0.13's.
func TestLines(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"exit_status:0", "exit_status:256", "# exit status         : exited with code: 1"},
		{"exit_status:0", "exit_status:9", "# exit status         : terminated by signal: 9 (Killed)"},
		{"exit_status:0", "exit_status:134", "# exit status         : terminated by signal: 6 (Aborted)"},
		{"exit_status:0", "exit_status:65536", "# exit status         : terminated by finish trigger"},
		{"exit_status:0", "exit_status:127", "# exit status         : unknown exit status: 127"},
		{"exit_status:0", "exit_status:foo", "# exit status         : exited with code: 0"},
		{"maxrss=", "maxrss=abc", "# max rss             : 0 KB"},
		{"maxrss=", "maxrss=7.5 ", "# max rss             : 7 KB"},
		{"systime=", "systime=1234.56789 ", "# cpu time            : 1234.568 / 0.003 sec (sys / user)"},
		{"ctxsw=", "ctxsw=x", "# context switch      : 0 / 0 (voluntary / involuntary)"},
		{"loadinfo:", "loadinfo:1 ", "# system load         : 1.00 / 0.00 / 0.00 (1 / 5 / 15 min)"},
		{"cpuinfo:nr_cpus=2 / 2", "cpuinfo:nr_cpus=3", "# number of cpus      : 3 / 0 (online / possible)"},
		{"record_date:", "record_date:xx ", "# recorded on         : xx "},
		{"elapsed_time:", "elapsed_time:12.5 ", "# elapsed time        : 12.5 "},
	} {
		files := uftracetest.Files(t, "abc-full")
		data := bytes.Replace(files["info"].Data, []byte(c.from), []byte(c.to), 1)
		if bytes.Equal(data, files["info"].Data) {
			t.Fatalf("info has no %q", c.from)
		}
		files["info"] = &fstest.MapFile{Data: data}
		if out := run(t, files, about.Options{}); !strings.Contains(out, "\n"+c.want) {
			t.Errorf("%s: no %q in\n%s", c.to, c.want, out)
		}
	}
}

// TestMissing reads recordings without info, as a killed recorder leaves them.
func TestMissing(t *testing.T) {
	files := uftracetest.Files(t, "abc-full")
	delete(files, "info")
	for _, opts := range []about.Options{{}, {Task: true}, {Symbols: true}} {
		if out := run(t, files, opts); out == "" {
			t.Errorf("%+v: nothing", opts)
		}
	}
}

// TestSymbols reads the symbols of an installed program: the go command. Without a C compiler, a
// test program has no symbols.
func TestSymbols(t *testing.T) {
	files := uftracetest.Files(t, "abc-full")
	root, err := exec.Command(needs.Program(t, "go", "https://go.dev/dl"), "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(strings.TrimSpace(string(root)), "bin", "go")
	if f, err := elf.Open(exe); err == nil {
		_, err = f.Symbols()
		f.Close()
		if err != nil {
			needs.Skip(t, "need a go command that has its symbols", err)
		}
	}
	files["info"] = &fstest.MapFile{Data: bytes.Replace(files["info"].Data, []byte("exename:/srv/demo/abc"),
		[]byte("exename:"+exe), 1)}
	out := run(t, files, about.Options{Symbols: true})
	if !strings.HasPrefix(out, "Normal symbols\n==============\n[") && runtime.GOOS == "linux" {
		t.Errorf("%.300s", out)
	}
}

// TestProgramSymbols reads relocatable files: functions with several names, functions that C++
// generates for thread_local variables, with a linkage table and without. The texts are those of
// uftrace 0.13.
func TestProgramSymbols(t *testing.T) {
	for _, name := range []string{"plt.so", "got.so"} {
		exe, err := filepath.Abs(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(exe + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		files := uftracetest.Files(t, "abc-full")
		files["info"] = &fstest.MapFile{Data: bytes.Replace(files["info"].Data, []byte("exename:/srv/demo/abc"),
			[]byte("exename:"+exe), 1)}
		if d := cmp.Diff(string(want), run(t, files, about.Options{Symbols: true})); d != "" {
			t.Errorf("%s (-uftrace +ours):\n%s", name, d)
		}
	}
}

// TestDate: without a recorded date, the time of the file is printed. Sizes are also compared.
func TestDate(t *testing.T) {
	files := uftracetest.Files(t, "abc-full")
	info := bytes.Clone(files["info"].Data)
	info[24+1] &^= 1 << 3 // bit 11 of the info mask
	lines := bytes.SplitAfter(info, []byte("\n"))
	var kept []byte
	for _, l := range lines {
		if !bytes.HasPrefix(l, []byte("record_date:")) && !bytes.HasPrefix(l, []byte("elapsed_time:")) {
			kept = append(kept, l...)
		}
	}
	at := time.Date(2020, 2, 3, 4, 5, 6, 0, time.Local)
	files["info"] = &fstest.MapFile{Data: kept, ModTime: at}
	if out := run(t, files, about.Options{}); !strings.Contains(out,
		"# recorded on         : Mon Feb  3 04:05:06 2020\n") || strings.Contains(out, "elapsed") {
		t.Error(out)
	}
	for name, f := range files {
		if strings.HasSuffix(name, "32386.dat") {
			files[name] = &fstest.MapFile{Data: append(bytes.Clone(f.Data), make([]byte, 5080-len(f.Data))...)}
		}
	}
	if out := run(t, files, about.Options{Task: true}); !strings.Contains(out, fmt.Sprintf("%9s MB", "0.004")) {
		t.Error(out)
	}
}

func TestMade(t *testing.T) {
	uftracetest.CheckMade(t, "info", func(t *testing.T, rec *uftrace.Recording, args []string) string {
		var out bytes.Buffer
		if err := about.Run(t.Context(), rec, about.Options{Task: args[0] == "--task"}, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	})
}
