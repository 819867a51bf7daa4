package mem

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
)

// TestCut: the intact part of a truncated file is counted, and the damage is reported.
// (testdata/script/tracecmd_mem.txtar compares with trace-cmd.)
func TestCut(t *testing.T) {
	data, err := os.ReadFile("../../../testdata/ftrace/made-kmem.dat")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cut.dat")
	const half = 8192 + 16 + 300 // some events of the only page, which lies at 8192
	if err := os.WriteFile(path, data[:half], 0o644); err != nil {
		t.Fatal(err)
	}
	rec, err := ftrace.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	var out bytes.Buffer
	warnings := 0
	job := &report.Job{Job: sources.Job{Path: path, Warn: func(error) { warnings++ }}, Out: &out}
	if err := Run(context.Background(), rec, job); !errors.Is(err, report.ErrDamaged) || warnings == 0 {
		t.Errorf("%v, %d warnings", err, warnings)
	}
	if !strings.Contains(out.String(), " alpha\t") {
		t.Error(out.String())
	}
}
