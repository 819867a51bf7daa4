package uftrace_test

import (
	"testing"

	"github.com/tracec/tracec/report/uftrace"
	"github.com/tracec/tracec/report/uftrace/values"
)

// TestStyleOf: the text changed between these versions. Symbols have sizes since 0.14, and thread
// ids have one more digit since 0.17.
func TestStyleOf(t *testing.T) {
	for version, want := range map[string]values.Style{
		"v0.9.4": values.V013, "v0.13 ( x86_64 dwarf )": values.V013, "v0.14": values.V014, "v0.16.1-2": values.V014,
		"v0.17": values.V019, "0.19": values.V019, "v1.0": values.V019,
	} {
		if got, ok := uftrace.StyleOf(version); got != want || !ok {
			t.Errorf("StyleOf(%q) = %d, %t, not %d", version, got, ok, want)
		}
	}
	if _, ok := uftrace.StyleOf("none"); ok {
		t.Error("StyleOf takes a text that is no version")
	}
}
