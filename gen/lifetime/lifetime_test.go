package lifetime_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/tracec/tracec/gen/lifetime"
)

//go:generate go run ../../cmd/tracec gen -pkg decoders -o testdata/decoders/decoders.go -events sched:sched_switch,irq:irq_handler_entry,raw_syscalls:sys_enter ../../testdata/ftrace/amd64-extract.dat

// findings leaves out what analysistest says of facts, which are how the analyzer remembers functions.
type findings struct{ *testing.T }

func (f findings) Errorf(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !strings.Contains(text, "unexpected fact: ") {
		f.T.Error(text)
	}
}

// TestKept: every mistake is found where it is, and nothing in programs that are correct.
func TestKept(t *testing.T) {
	const dir = "./gen/lifetime/testdata/"
	analysistest.Run(findings{t}, "../..", lifetime.Analyzer, dir+"kept", dir+"handed", "./cmd/internal/bench/testdata/entries", dir+"correct", dir+"copied")
}
