package summary

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/uftracetest"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// TestWorkersAgree: several goroutines find the same as one, also in damaged recordings, however these are cut.
func TestWorkersAgree(t *testing.T) {
	recordings := uftracetest.All(t)
	defer func(n int64) { sliceBytes = n }(sliceBytes)
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Any(t, recordings)
		sliceBytes = int64(32 << rapid.IntRange(0, 9).Draw(t, "slice"))
		o := Options{Like19: true, Fields: "total,self,self-min,total-max,call,size", SrcLine: true}
		o.Play.NoLibcall = rapid.Bool().Draw(t, "no libcall")
		o.Play.NoEvent, o.Play.EventFull = rapid.IntRange(0, 3).Draw(t, "no event") == 1, rapid.Bool().Draw(t, "all events")
		o.Play.NoSched = rapid.IntRange(0, 3).Draw(t, "no sched") == 1
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

// TestSharesFit: where threads leave their processors and come back slices are what they are taken for: little is read twice.
func TestSharesFit(t *testing.T) {
	defer func(n int64) { sliceBytes = n }(sliceBytes)
	sliceBytes = 64 << 10
	files := uftracetest.Switching(t)
	for _, o := range []Options{{}, {Play: callstack.Options{EventFull: true}}, {Play: callstack.Options{NoEvent: true}}} {
		text, read := [2]string{}, [2]int64{}
		for i, workers := range []int{1, 3} {
			c := &uftracetest.Counted{FS: files}
			rec, err := uftrace.OpenFS(c, "x")
			if err != nil {
				t.Fatal(err)
			}
			o.Workers = workers
			var out strings.Builder
			if err := Run(t.Context(), rec, o, &out); err != nil {
				t.Fatal(err)
			}
			text[i], read[i] = out.String(), c.Bytes.Load()
			rec.Close()
		}
		if d := cmp.Diff(text[0], text[1]); d != "" {
			t.Errorf("%+v (-1 +3 workers):\n%s", o, d)
		}
		if read[1] > read[0]*6/5 {
			t.Errorf("%+v: %d bytes were read, %d by one goroutine", o, read[1], read[0])
		}
	}
}
