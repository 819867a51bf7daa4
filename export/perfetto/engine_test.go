package perfetto_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/export/perfetto"
	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/runtime/record"
)

// engine is the trace processor of Perfetto, as WebAssembly under Node (testdata/engine.cjs).
type engine struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// answer is what the engine says of a trace.
type answer struct {
	Errors  []string // of loading
	Results []struct {
		Error string
		Rows  [][]any // integers are texts
	}
}

// startEngine starts the trace processor of a folder of TRACEC_PERFETTO, v55 or v20.
func startEngine(t *testing.T, version string) *engine {
	t.Helper()
	root := os.Getenv("TRACEC_PERFETTO")
	if root == "" {
		root = filepath.Join(os.TempDir(), "consumers", "perfetto")
	}
	dir := filepath.Join(root, version)
	if _, err := os.Stat(filepath.Join(dir, "trace_processor.wasm")); err != nil {
		t.Skip("no trace processor: TRACEC_PERFETTO is no folder that holds v55 and v20: ", err)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(node, "testdata/engine.cjs", dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error("the trace processor: ", err)
		}
	})
	return &engine{in, bufio.NewReader(out)}
}

// ask loads a trace and answers queries.
func (e *engine) ask(t *testing.T, trace []byte, queries ...string) answer {
	t.Helper()
	name := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(name, trace, 0o666); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(name)
	job, err := json.Marshal(map[string]any{"trace": name, "queries": queries})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.in.Write(append(job, '\n')); err != nil {
		t.Fatal(err)
	}
	line, err := e.out.ReadBytes('\n')
	if err != nil {
		t.Fatal("the trace processor has ended: ", err)
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		t.Fatal(err)
	}
	for _, msg := range a.Errors {
		t.Error("the trace processor: ", msg)
	}
	for i, r := range a.Results {
		if r.Error != "" {
			t.Errorf("%s: %s", queries[i], r.Error)
		}
	}
	return a
}

// open opens a recording of any kind.
func open(t testing.TB, name string) record.Recording {
	t.Helper()
	rec, err := all.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func newReader(t testing.TB, rec record.Recording, opts ...dynamic.Option) *dynamic.Reader {
	t.Helper()
	r, err := dynamic.NewReader(rec, append(opts, dynamic.WithThreads())...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// export returns the trace of a recording.
func export(t testing.TB, rec record.Recording) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := perfetto.Write(&b, newReader(t, rec), perfetto.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
