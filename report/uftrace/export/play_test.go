package export_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report/uftrace/export"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestWalkerIsPlayer: a player writes the same as a walker, also for damaged recordings. A
// selection of all threads requires a player.
func TestWalkerIsPlayer(t *testing.T) {
	recordings := uftracetest.All(t)
	for _, c := range uftracetest.Cases(t) {
		recordings["made-"+c.Name] = c.Files
	}
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Damaged(t, recordings, 3, rapid.Bool().Draw(t, "cut"))
		opts := export.Options{
			Format: rapid.SampledFrom([]export.Format{export.Chrome, export.Flame, export.Graphviz}).Draw(t, "format"),
			Exact:  rapid.Bool().Draw(t, "exact"), Sample: rapid.SampledFrom([]uint64{0, 1, 7, 1000}).Draw(t, "sample"),
		}
		opts.Play.Events.Full = rapid.Bool().Draw(t, "all events")
		var texts [2]string
		for i := range texts {
			rec, err := uftrace.OpenFS(files, "damaged")
			if err != nil {
				t.Skip("cannot be opened: ", err)
			}
			if i == 1 {
				for _, task := range rec.Tasks() {
					opts.Play.Scope.TIDs = append(opts.Play.Scope.TIDs, task.TID)
				}
			}
			shown := false
			opts.Shown = &shown
			var out bytes.Buffer
			err = export.Run(t.Context(), rec, opts, &out)
			if err != nil && !errors.Is(err, uftrace.ErrCorrupt) && !errors.Is(err, uftrace.ErrTruncated) {
				t.Fatal(err)
			}
			texts[i] = fmt.Sprint(shown, err, out.String())
		}
		if d := cmp.Diff(texts[0], texts[1]); d != "" {
			t.Fatalf("-walker +player:\n%s", d)
		}
	})
}
