package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// fails is a writer that calls a function after some bytes.
type fails struct {
	left int
	then func() error
}

func (f *fails) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, f.then()
	}
	return len(b), nil
}

// TestWorkersEnd: an error of the writer ends all goroutines, and so does the end of the context.
func TestWorkersEnd(t *testing.T) {
	defer func(n int64) { pieceBytes = n }(pieceBytes)
	pieceBytes = 80
	before, full := runtime.NumGoroutine(), errors.New("full")
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range uftracetest.Saved(t) {
		files := uftracetest.Files(t, name)
		whole := len(run(t, uftracetest.Open(t, files),
			Options{Play: callstack.Options{Limits: callstack.Limits{Depth: 3}}}))
		for range needs.Cases(t, 2, 10) {
			at, o := r.IntN(whole), Options{Workers: 4}
			o.Play.Limits.Depth = 3 * r.IntN(2)
			ctx, cancel := context.WithCancel(t.Context())
			end := func(w io.Writer) error { return Run(ctx, uftracetest.Open(t, files), o, w) }
			if err := end(&fails{at, func() error { return full }}); !errors.Is(err, full) {
				t.Fatalf("%s, after %d bytes: %v", name, at, err)
			}
			if err := end(&fails{at, func() error { cancel(); return nil }}); err != nil &&
				!errors.Is(err, context.Canceled) {
				t.Fatalf("%s, after %d bytes: %v", name, at, err)
			}
			cancel()
		}
	}
	for wait := time.Millisecond; runtime.NumGoroutine() > before; wait *= 2 {
		if wait > time.Second {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(wait)
	}
}

// TestWorkersAgree: several goroutines print the same as one, also for damaged recordings, for any
// division into pieces.
func TestWorkersAgree(t *testing.T) {
	recordings := uftracetest.All(t)
	defer func(n int64) { pieceBytes = n }(pieceBytes)
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Any(t, recordings)
		for range 4 {
			pieceBytes = int64(16 << rapid.IntRange(0, 9).Draw(t, "piece"))
			o := anyOptions(t)
			want := printed(t, files, o)
			o.Workers = rapid.IntRange(2, 5).Draw(t, "workers")
			if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(printed(t, files, o), "\n")); d != "" {
				t.Fatalf("%d bytes a piece (-1 +%d workers):\n%s", pieceBytes, o.Workers, d)
			}
		}
	})
}

// anyOptions draws options that allow printing on several goroutines.
func anyOptions(t *rapid.T) Options {
	var o Options
	o.Layout.NoMerge, o.Text.NoComment, o.Text.SrcLine = rapid.Bool().Draw(t, "no merge"),
		rapid.Bool().Draw(t, "no comment"), rapid.Bool().Draw(t, "source")
	o.Play.Events.None, o.Play.Events.Full = rapid.Bool().Draw(t, "no event"), rapid.Bool().Draw(t, "all events")
	if fields := rapid.SliceOfNDistinct(rapid.SampledFrom(fieldNames[:]), 0, 5, rapid.ID).Draw(t,
		"fields"); len(fields) > 0 {
		o.Layout.Fields = strings.Join(fields, ",")
	} else {
		o.Layout.Fields = rapid.SampledFrom([]string{"", "none", "all"}).Draw(t, "few or all")
	}
	o.Play.Limits.Depth = max(0, rapid.IntRange(-3, 4).Draw(t, "depth"))
	if rapid.Bool().Draw(t, "colors") {
		o.Layout.Color = color.New("\x1b")
	}
	return o
}

func printed(t *rapid.T, files fstest.MapFS, o Options) string {
	rec, err := uftrace.OpenFS(files, "x")
	if err != nil {
		return err.Error()
	}
	defer rec.Close()
	var out bytes.Buffer
	if err := Run(t.Context(), rec, o, &out); err != nil {
		fmt.Fprintln(&out, err)
	}
	var damage []string
	for _, d := range rec.Damage() {
		damage = append(damage, fmt.Sprintln(d))
	}
	return out.String() + strings.Join(damage, "")
}

// TestPiecesFit: pieces read little of the recording twice, even if threads leave their processors
// and come back.
func TestPiecesFit(t *testing.T) {
	defer func(n int64) { pieceBytes = n }(pieceBytes)
	pieceBytes = 128 << 10
	// Files of perf are read a second time in advance. Each piece reads a little of each file
	// twice. Pieces begun before names were known are read again.
	const times = 1.8
	for name, o := range map[string]Options{
		"plain": {}, "no-merge": {Layout: Layout{NoMerge: true}},
		"event-full": {Play: callstack.Options{Events: callstack.Events{Full: true}}},
		"no-event":   {Play: callstack.Options{Events: callstack.Events{None: true}}},
		"depth":      {Play: callstack.Options{Limits: callstack.Limits{Depth: 2}}},
		"fields":     {Layout: Layout{Fields: "all"}},
	} {
		t.Run(name, func(t *testing.T) {
			uftracetest.FewTwice(t, times, func(rec *uftrace.Recording, workers int, w io.Writer) error {
				o.Workers = workers
				return Run(t.Context(), rec, o, w)
			})
		})
	}
}
