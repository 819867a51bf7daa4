package perfetto_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/perfetto"
	"github.com/tracec/tracec/internal/testkit/perfettotest"
	"github.com/tracec/tracec/runtime/record"
)

// engine is the trace processor of Perfetto.
type engine struct{ *perfettotest.Engine }

func startEngine(t *testing.T, version string) *engine {
	t.Helper()
	return &engine{perfettotest.Start(t, version)}
}

func (e *engine) ask(t *testing.T, trace []byte, queries ...string) perfettotest.Answer {
	t.Helper()
	return e.Ask(t, trace, queries...)
}

// open opens a recording of any kind.
func open(t testing.TB, name string) record.Recording {
	t.Helper()
	rec, err := tracec.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func newReader(t testing.TB, rec record.Recording, opts ...tracec.Option) *tracec.Reader {
	t.Helper()
	r, err := tracec.NewReader(rec, append(opts, tracec.WithThreads())...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// export returns the trace of a recording.
func export(t testing.TB, rec record.Recording) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := perfetto.Write(&b, newReader(t, rec), perfetto.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
