package columns_test

import (
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/internal/testkit/exporttest"
)

// TestAllocations: an event does not allocate.
func TestAllocations(t *testing.T) {
	rec := exporttest.Open(t, "../../testdata/ftrace/amd64-syscalls.dat")
	r, err := tracec.NewReader(rec, tracec.WithThreads())
	if err != nil {
		t.Fatal(err)
	}
	w := columns.NewWriter(columns.JSON(false), 0, func(typ *tracec.Type) columns.Layout {
		return columns.Object(append(columns.Common(r, typ, columns.Options{Time: columns.Wall, Text: true}),
			columns.Fields(typ)...))
	})
	var buf []byte
	events := 0
	all := func() {
		for ev := range r.All() {
			buf = w.Append(buf[:0], ev)
			events++
		}
	}
	all() // compiles
	if n := testing.AllocsPerRun(2, all); n > float64(events)/40 {
		t.Errorf("%v allocations for %d events", n, events/4)
	}
}
