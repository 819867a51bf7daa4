package export_test

import (
	"bytes"
	"testing"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/export"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/fixture"
	"github.com/tracec/tracec/runtime/uftrace"
)

func TestMade(t *testing.T) {
	fixture.CheckMade(t, "dump", func(t *testing.T, rec *uftrace.Recording, args []string) string {
		formats := map[string]export.Format{"--flame-graph": export.Flame, "--graphviz": export.Graphviz}
		var out bytes.Buffer
		if err := export.Run(t.Context(), rec, export.Options{Format: formats[args[0]]}, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	})
}
