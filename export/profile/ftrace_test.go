package profile

import (
	"testing"

	"github.com/tracec/tracec/report"
	reports "github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/runtime/record"
)

// openAny opens a recording of any kind.
func openAny(t *testing.T, path string) record.Recording {
	t.Helper()
	rec, err := report.Open(t.Context(), path, reports.Systems())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}
