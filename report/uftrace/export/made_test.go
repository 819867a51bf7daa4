package export_test

import (
	"bytes"
	"testing"

	"github.com/tracec/tracec/internal/uftracetest"
	"github.com/tracec/tracec/report/uftrace/export"
	"github.com/tracec/tracec/runtime/uftrace"
)

func TestMade(t *testing.T) {
	for args, format := range map[string]export.Format{"--flame-graph": export.Flame, "--graphviz": export.Graphviz} {
		uftracetest.CheckMade(t, "dump "+args, func(t *testing.T, rec *uftrace.Recording, _ []string) string {
			var out bytes.Buffer
			if err := export.Run(t.Context(), rec, export.Options{Format: format}, &out); err != nil {
				t.Fatal(err)
			}
			return out.String()
		})
	}
}
