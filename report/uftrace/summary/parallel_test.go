package summary

import (
	"bytes"
	"io"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// TestWorkersAgree: several goroutines find the same as one, also in damaged recordings, for any
// division into slices.
func TestWorkersAgree(t *testing.T) {
	recordings := uftracetest.All(t)
	defer func(n int64) { sliceBytes = n }(sliceBytes)
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Any(t, recordings)
		sliceBytes = int64(32 << rapid.IntRange(0, 9).Draw(t, "slice"))
		o := Options{Table: Table{Like19: true, Fields: "total,self,self-min,total-max,call,size", SrcLine: true}}
		o.Play.Functions.NoLibcall = rapid.Bool().Draw(t, "no libcall")
		o.Play.Events.None, o.Play.Events.Full = rapid.IntRange(0, 3).Draw(t, "no event") == 1,
			rapid.Bool().Draw(t, "all events")
		o.Play.Events.NoSched = rapid.IntRange(0, 3).Draw(t, "no sched") == 1
		want := reported(t, files, o)
		o.Workers = rapid.IntRange(2, 5).Draw(t, "workers")
		if d := cmp.Diff(want, reported(t, files, o)); d != "" {
			t.Fatalf("%d bytes a slice (-1 +%d workers):\n%s", sliceBytes, o.Workers, d)
		}
	})
}

func reported(t *rapid.T, files fstest.MapFS, o Options) string {
	rec, err := uftrace.OpenFS(files, "x")
	if err != nil {
		return err.Error()
	}
	defer rec.Close()
	var out bytes.Buffer
	if err := Run(t.Context(), rec, o, &out); err != nil {
		return err.Error()
	}
	return out.String()
}

// TestSharesFit: slices read little of the recording twice, even if threads leave their processors
// and come back.
func TestSharesFit(t *testing.T) {
	defer func(n int64) { sliceBytes = n }(sliceBytes)
	sliceBytes = 64 << 10
	for name, o := range map[string]Options{
		"plain": {}, "event-full": {Play: callstack.Options{Events: callstack.Events{Full: true}}},
		"no-event": {Play: callstack.Options{Events: callstack.Events{None: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			uftracetest.FewTwice(t, 1.2, func(rec *uftrace.Recording, workers int, w io.Writer) error {
				o.Workers = workers
				return Run(t.Context(), rec, o, w)
			})
		})
	}
}
