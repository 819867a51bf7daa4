// Package vettest runs analyzers on programs for tests.
package vettest

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// Run is analysistest.Run for packages of this module without its errors about facts, which are the
// memory of analyzers, not their results. dir is the root of the module.
func Run(t *testing.T, dir string, a *analysis.Analyzer, packages ...string) {
	t.Helper()
	analysistest.Run(findings{t}, dir, a, packages...)
}

type findings struct{ *testing.T }

// Errorf implements analysistest.Testing.
func (f findings) Errorf(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !strings.Contains(text, "unexpected fact: ") {
		f.Error(text)
	}
}
