package replay

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/uftracetest"
)

// fails is a writer that calls then after some bytes.
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

// TestWorkersEnd: a writer that fails and a context that is done end all goroutines.
func TestWorkersEnd(t *testing.T) {
	defer func(n int) { blockLines = n }(blockLines)
	blockLines = 3
	before, full := runtime.NumGoroutine(), errors.New("full")
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range uftracetest.Saved(t) {
		files := uftracetest.Files(t, name)
		whole := len(run(t, uftracetest.Open(t, files), Options{}))
		for range 10 {
			at := r.IntN(whole)
			ctx, cancel := context.WithCancel(t.Context())
			end := func(w io.Writer) error { return Run(ctx, uftracetest.Open(t, files), Options{Workers: 4}, w) }
			if err := end(&fails{at, func() error { return full }}); !errors.Is(err, full) {
				t.Fatalf("%s, after %d bytes: %v", name, at, err)
			}
			if err := end(&fails{at, func() error { cancel(); return nil }}); err != nil && !errors.Is(err, context.Canceled) {
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
