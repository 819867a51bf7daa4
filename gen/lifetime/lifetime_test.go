package lifetime_test

import (
	"testing"

	"github.com/tracec/tracec/gen/lifetime"
	"github.com/tracec/tracec/internal/testkit/vettest"
)

//go:generate go run ../../cmd/tracec gen -pkg decoders -o testdata/decoders/decoders.go -events sched:sched_switch,irq:irq_handler_entry,raw_syscalls:sys_enter ../../testdata/ftrace/amd64-extract.dat

// TestKept: every mistake is found at its place. In correct programs nothing is found.
func TestKept(t *testing.T) {
	const dir = "./gen/lifetime/testdata/"
	vettest.Run(t, "../..", lifetime.Analyzer, dir+"kept", dir+"handed", "./cmd/internal/bench/testdata/entries",
		dir+"correct", dir+"copied")
}
