package aix_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tracec/tracec/runtime/aix"
)

// FuzzOpen opens and walks any bytes, once as the detected kind and once as a log file of each
// kernel.
func FuzzOpen(f *testing.F) {
	for _, kernel64 := range []bool{false, true} {
		events := busy(rand.New(rand.NewPCG(31, 32)), kernel64, 20)
		f.Add(stream(f, events, kernel64, 1000), uint8(0))
		f.Add(logFile(f, events, kernel64, aix.LogOptions{BufferSize: 400, Buffers: 2}), uint8(0))
	}
	f.Fuzz(func(t *testing.T, b []byte, kind uint8) { survive(t, b, aix.WithKind(aix.Kind(kind%6))) })
}
