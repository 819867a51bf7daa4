package perf_test

import (
	"bytes"
	"testing"

	compiler "github.com/tracec/tracec/compiler/perf"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/runtime/perf"
)

// TestCompile: all attributes and types of records have fields.
func TestCompile(t *testing.T) {
	for _, s := range perftest.All(t) {
		if s.Dir != nil {
			continue
		}
		r, err := perf.OpenReaderAt(bytes.NewReader(s.Data), int64(len(s.Data)), s.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range r.Attrs() {
			if _, err := compiler.Compile(e, r.Machine().BigEndian); err != nil {
				t.Errorf("%s %s: %v", s.Name, e.Name, err)
			}
		}
	}
}
