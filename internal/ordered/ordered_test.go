package ordered_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/ordered"
)

type block struct{ in, out int }

// squares squares 0 to n-1 on workers, each after a delay that depends on the number.
func squares(
	ctx context.Context, workers, n int, change func(*ordered.Steps[*block]),
) (got []int, blocks int, err error) {
	next := 0
	s := ordered.Steps[*block]{
		New: func() *block { blocks++; return new(block) },
		Fill: func(b *block) error {
			if next == n {
				return io.EOF
			}
			b.in = next
			next++
			return nil
		},
		Work: func(_ int, b *block) error {
			for range b.in * 7919 % 13 {
				runtime.Gosched()
			}
			b.out = b.in * b.in
			return nil
		},
		Out: func(b *block) error { got = append(got, b.out); return nil },
	}
	if change != nil {
		change(&s)
	}
	err = ordered.Run(ctx, workers, s)
	return got, blocks, err
}

func TestRunKeepsTheOrder(t *testing.T) {
	for workers := 1; workers <= 8; workers++ {
		for _, n := range []int{0, 1, 5, 1000} {
			got, blocks, err := squares(context.Background(), workers, n, nil)
			if err != nil || len(got) != n || !slices.IsSorted(got) || blocks > 2*workers+2 {
				t.Errorf("%d workers, %d blocks: %d results, sorted %v, %d blocks made, %v", workers, n, len(got),
					slices.IsSorted(got), blocks, err)
			}
		}
	}
}

// TestRunEndsWithTheFirstError: if a step fails, all earlier blocks and no later blocks are passed
// on, and no goroutine is left.
func TestRunEndsWithTheFirstError(t *testing.T) {
	broken := errors.New("broken")
	before := runtime.NumGoroutine()
	for name, change := range map[string]func(*ordered.Steps[*block]){
		"Fill": func(s *ordered.Steps[*block]) {
			fill := s.Fill
			s.Fill = func(b *block) error {
				if err := fill(b); err != nil || b.in == 50 {
					return broken
				}
				return nil
			}
		},
		"Work": func(s *ordered.Steps[*block]) {
			work := s.Work
			s.Work = func(i int, b *block) error {
				if work(i, b); b.in >= 50 {
					return broken
				}
				return nil
			}
		},
		"Out": func(s *ordered.Steps[*block]) {
			out := s.Out
			s.Out = func(b *block) error {
				if b.in == 50 {
					return broken
				}
				return out(b)
			}
		},
	} {
		if got, _, err := squares(context.Background(), 3, 1000, change); err != broken || len(got) != 50 {
			t.Errorf("%s: %d results, %v", name, len(got), err)
		}
	}
	settle(t, before)
}

func TestRunEndsWithItsContext(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(context.Background())
	var seen atomic.Int64
	_, _, err := squares(ctx, 4, 1<<30, func(s *ordered.Steps[*block]) {
		s.Out = func(*block) error {
			if seen.Add(1) == 100 {
				cancel()
			}
			return nil
		}
	})
	if !errors.Is(err, context.Canceled) || seen.Load() != 100 {
		t.Errorf("%d blocks, %v", seen.Load(), err)
	}
	settle(t, before)
}

// settle waits until there are as many goroutines as before.
func settle(t *testing.T, before int) {
	t.Helper()
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}
