package gen_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/perf/recorded"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/runtime/perf"
)

// perfFiles writes every nth of the samples of perf that are files.
func perfFiles(t *testing.T, every int) (names []string) {
	at, n := t.TempDir(), 0
	for _, s := range perftest.All(t) {
		if s.Data == nil {
			continue
		}
		if n++; n%every != 0 {
			continue
		}
		name := filepath.Join(at, s.Group+"."+s.Name)
		if err := os.WriteFile(name, s.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// describePerf returns a function that describes the samples and records of a file.
func describePerf(t *testing.T) func(name string) *ir.Unit {
	return func(name string) *ir.Unit {
		rec, err := perf.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		u, errs := recorded.Unit(rec, everything)
		if len(errs) > 0 {
			t.Error(name, errs)
		}
		return u
	}
}

// TestPerfAgreesWithInterp: generated decoders and interp agree on samples and side-band records of
// perf.data, and on random payloads. Each decoder also reads the other recordings, whose attributes
// request other fields.
func TestPerfAgreesWithInterp(t *testing.T) {
	every := 12
	if needs.LongProofs(t) {
		every = 3
	}
	_, check := agreeOnTraces(t, "perf", casesText(t, 10, 30), describePerf(t), perfFiles(t, every))
	afterAll(t)
	check(t)
}
