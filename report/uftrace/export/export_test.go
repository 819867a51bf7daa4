package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report/uftrace/export"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

func run(t testing.TB, files fstest.MapFS, opts export.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := export.Run(t.Context(), uftracetest.Open(t, files), opts, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var formats = map[string]export.Format{
	"chrome.json": export.Chrome, "flame.txt": export.Flame, "graphviz.dot": export.Graphviz,
}

func TestSaved(t *testing.T) {
	for _, name := range uftracetest.Saved(t) {
		t.Run(name, func(t *testing.T) {
			files := uftracetest.Files(t, name)
			for file, want := range uftracetest.Outputs(t, name) {
				format, ok := formats[path.Base(file)]
				if !ok {
					continue
				}
				opts := export.Options{Format: format}
				if path.Dir(file) == "0.19" {
					opts.Style = values.V019
				}
				if format == export.Chrome { // lost records give an empty element, which is not valid JSON
					want = strings.ReplaceAll(want, "\n,\n", "\n")
				}
				got := run(t, files, opts)
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s (-uftrace +ours):\n%s", file, d)
				}
				if format == export.Chrome && !json.Valid([]byte(got)) {
					t.Errorf("%s is no JSON", file)
				}
			}
		})
	}
}

// TestSampleTime compares with the output of uftrace 0.13 for events.data.
func TestSampleTime(t *testing.T) {
	got := run(t, uftracetest.Files(t, "events"), export.Options{Format: export.Flame, Sample: 7000})
	want := "main 14\nmain;step 14\nmain;alloc 5\nmain;alloc;malloc 2\nmain;alloc;memset 36\nmain;alloc;free 3\nmain;usleep 158\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestExact: uftrace cuts counts to as many digits as the path has characters.
func TestExact(t *testing.T) {
	files := uftracetest.Files(t, "events")
	for exact, want := range map[bool]string{false: "main 6997\n", true: "main 69974\n"} {
		got := run(t, files, export.Options{Format: export.Flame, Sample: 1, Exact: exact})
		if !strings.Contains(got, want) {
			t.Errorf("Exact %v: no %q in\n%s", exact, want, got)
		}
	}
}

// preempted returns a recording of a program that loses its processor.
func preempted(t *testing.T) fstest.MapFS {
	t.Helper()
	for _, c := range uftracetest.Cases(t) {
		for _, o := range c.Outputs {
			if strings.Contains(o.Text, "pre-empted") {
				return c.Files
			}
		}
	}
	t.Fatal("no made-up recording has a pre-empted thread")
	return nil
}

// TestPreempted: uftrace omits the begin of the time off the processor and prints its end.
func TestPreempted(t *testing.T) {
	files := preempted(t)
	count := func(out, phase string) int { return strings.Count(out, `"ph":"`+phase+`"`) }
	like := run(t, files, export.Options{})
	exact := run(t, files, export.Options{Exact: true})
	if count(like, "B") >= count(exact, "B") {
		t.Errorf("uftrace shows beginnings, too:\n%s", like)
	}
}

// TestHostileNames: names of functions, threads and the command line that are not text.
func TestHostileNames(t *testing.T) {
	files := uftracetest.Files(t, "abc-full")
	change := func(file, from, to string) {
		data := bytes.ReplaceAll(files[file].Data, []byte(from), []byte(to))
		if bytes.Equal(data, files[file].Data) {
			t.Fatalf("%s has no %q", file, from)
		}
		files[file] = &fstest.MapFile{Data: data}
	}
	change("abc.sym", " a\n", " a\"\\\x01\xff\x7f\u2028\n")
	change("info", "cmdline:uftrace record", "cmdline:uftrace\t\\x \xfe\" record")
	change("perf-cpu1.dat", "abc\x00", "\"\\\n\x00")
	for _, format := range []export.Format{export.Chrome, export.Flame, export.Graphviz, export.Mermaid} {
		for _, style := range []values.Style{values.V013, values.V019} {
			out := run(t, files, export.Options{Format: format, Style: style})
			if format != export.Chrome {
				continue
			}
			var got struct {
				TraceEvents []struct{ Name string }
				Metadata    struct {
					CommandLine string `json:"command_line"`
				}
			}
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatalf("%v in\n%s", err, out)
			}
			if want := "uftrace\t\\x \ufffd\" record -d rec/abc-full.data ./abc 2"; got.Metadata.CommandLine != want {
				t.Errorf("command line %q, want %q", got.Metadata.CommandLine, want)
			}
		}
	}
}

// TestValidJSON changes bytes of recordings. The output is valid JSON, with or without an error.
func TestValidJSON(t *testing.T) {
	recordings := uftracetest.All(t)
	rapid.Check(t, func(rt *rapid.T) {
		rec, err := uftrace.OpenFS(uftracetest.Damaged(rt, recordings, 8, false), "test")
		if err != nil {
			return
		}
		defer rec.Close()
		opts := export.Options{Exact: rapid.Bool().Draw(rt, "exact")}
		opts.Play = callstack.Options{Limits: callstack.Limits{Depth: rapid.IntRange(0, 3).Draw(rt, "depth"),
			Time: rapid.Uint64Range(0, 5000).Draw(rt, "time")}}
		var out bytes.Buffer
		_ = export.Run(context.Background(), rec, opts, &out)
		if !json.Valid(out.Bytes()) {
			rt.Fatalf("no JSON:\n%s", out.Bytes())
		}
		for _, f := range []export.Format{export.Flame, export.Graphviz, export.Mermaid} {
			opts.Format = f
			_ = export.Run(context.Background(), rec, opts, io.Discard)
		}
	})
}

// TestSourceLines compares with the output of uftrace 0.19 dump --chrome --srcline for a saved
// recording.
func TestSourceLines(t *testing.T) {
	want, err := os.ReadFile("testdata/srcline.json")
	if err != nil {
		t.Fatal(err)
	}
	rec := uftracetest.Open(t, uftracetest.Files(t, "v019-octal-f80"))
	var out bytes.Buffer
	if err := export.Run(t.Context(), rec, export.Options{Style: values.V019, SrcLine: true}, &out); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), out.String()); d != "" {
		t.Errorf("(-uftrace +ours):\n%s", d)
	}
}
