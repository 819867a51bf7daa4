package profile

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// imported is the output of testdata/speedscope.cjs for a file.
type imported struct {
	Error     string
	Name      string
	Active    int
	Profiles  []struct{ Name, Unit string }
	Functions map[string]struct{ Self, Total int64 }
}

// speedscope reads profiles by the importers of speedscope (npm package speedscope 1.25.0).
func speedscope(t *testing.T, files ...string) []imported {
	t.Helper()
	const folder = "node_modules/speedscope/dist/release"
	release := filepath.Join(needs.Consumer(t, "TRACEC_SPEEDSCOPE", "speedscope", folder), folder)
	node := needs.Program(t, "node", "apt-get install nodejs")
	cmd := exec.Command(node, append([]string{"testdata/speedscope.cjs", release}, files...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	var list []imported
	for line := range strings.Lines(string(out)) {
		var x imported
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err, line)
		}
		if x.Error != "" {
			t.Errorf("%s: %s", files[len(list)], x.Error)
		}
		list = append(list, x)
	}
	if len(list) != len(files) {
		t.Fatalf("%d answers to %d files: %s", len(list), len(files), stderr.String())
	}
	return list
}

// formats are the file names of the formats.
var formats = map[Format]string{Pprof: "p.pb.gz", Folded: "p.folded", Speedscope: "p.speedscope.json"}

// writeAll writes a profile in all formats and returns the names of the files.
func writeAll(t *testing.T, p *Profile) map[Format]string {
	t.Helper()
	dir := t.TempDir()
	files := map[Format]string{}
	for f, name := range formats {
		var b bytes.Buffer
		if err := p.Write(&b, f); err != nil {
			t.Fatal(err)
		}
		files[f] = filepath.Join(dir, name)
		if err := os.WriteFile(files[f], b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// folded sums up the lines of folded stacks: self and total of each function and of each thread.
func folded(t *testing.T, name string) (functions, threads map[string]sums) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	functions, threads = map[string]sums{}, map[string]sums{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		i := strings.LastIndexByte(line, ' ')
		n, err := strconv.ParseInt(line[i+1:], 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		stack := strings.Split(line[:i], ";")
		s := threads[stack[0]]
		s.total += n
		threads[stack[0]] = s
		stack = stack[1:]
		for k, f := range stack {
			x := functions[f]
			if k == len(stack)-1 {
				x.self += n
			}
			if !slices.Contains(stack[:k], f) {
				x.total += n
			}
			functions[f] = x
		}
	}
	return functions, threads
}

// checkFormats checks that all formats of a profile have the same sums.
func checkFormats(t *testing.T, p *Profile, index string) {
	t.Helper()
	files := writeAll(t, p)
	packed, err := os.ReadFile(files[Pprof])
	if err != nil {
		t.Fatal(err)
	}
	want := top(t, packed, index)
	if len(want) == 0 {
		t.Fatal("an empty profile")
	}
	maps.DeleteFunc(want, func(_ string, s sums) bool { return s.total == 0 })
	got, threads := folded(t, files[Folded])
	if !maps.Equal(got, want) {
		t.Errorf("folded sums are\n%v, those of pprof\n%v", got, want)
	}
	order := []Format{Pprof, Folded, Speedscope}
	for i, x := range speedscope(t, files[Pprof], files[Folded], files[Speedscope]) {
		for f, w := range want {
			// it counts frames of one name and several modules twice
			if g := x.Functions[f]; g.Self != w.self || g.Total < w.total {
				t.Errorf("speedscope has of %s %v for %s, pprof has %v", formats[order[i]], g, f, w)
			}
			delete(x.Functions, f)
		}
		for f, g := range x.Functions {
			if _, ok := threads[f]; !ok && g.Total != 0 {
				t.Errorf("speedscope has of %s %v for %s, which pprof does not have", formats[order[i]], g, f)
			}
		}
		if order[i] != Speedscope {
			continue
		}
		if len(x.Profiles) != len(threads) {
			t.Errorf("%d profiles of %d threads", len(x.Profiles), len(threads))
		}
		for _, th := range x.Profiles {
			if _, ok := threads[th.Name]; !ok {
				t.Errorf("no thread %s", th.Name)
			}
		}
	}
}

// TestFormats: folded stacks have the sums of pprof, and speedscope reads the same sums from all
// three formats.
func TestFormats(t *testing.T) {
	all := recordings(t)
	for _, name := range []string{"cpp-auto", "threads", "longjmp-signal", "forkexec", "args-auto", "kernel-events"} {
		t.Run(name, func(t *testing.T) {
			p := collect(t, all[name](t), Options{})
			checkFormats(t, p, "time")
		})
	}
	for _, o := range []Options{{}, {Value: Self}, {Value: Calls}} {
		t.Run("ftrace "+o.Value, func(t *testing.T) {
			rec := openAny(t, "../../testdata/ftrace/amd64-syscalls.dat")
			index := "time"
			if o.Value == Calls {
				index = Calls
			}
			o.Warn = func(text string) { t.Log(text) } // some system calls are open when the recording ends
			checkFormats(t, collect(t, rec, o), index)
		})
	}
	t.Run("field", func(t *testing.T) {
		rec := openAny(t, "../../testdata/ftrace/made-kmem.dat")
		checkFormats(t, collect(t, rec, Options{Value: "bytes_req"}), "bytes_req")
	})
}
