package memory

import (
	"errors"
	"sync"
	"testing"

	"github.com/tracec/tracec/runtime/record"
)

func TestBudgetGivesHalfOfItsLimit(t *testing.T) {
	b := New(64 << 20)
	if err := b.Take(32 << 20); err != nil {
		t.Fatal(err)
	}
	var limit *LimitError
	if err := b.Take(1); !errors.As(err, &limit) || limit.Want != 1 || limit.Limit != 64<<20 {
		t.Fatalf("got %v", err)
	}
	b.Give(1)
	if err := b.Take(1); err != nil {
		t.Error(err)
	}
	if left := b.Left(); left != 0 {
		t.Errorf("%d bytes left, want 0", left)
	}
}

func TestBudgetRefusesWhatCannotBe(t *testing.T) {
	for _, n := range []int64{-1, 1 << 62} {
		b := New(0)
		if b.Take(n) == nil {
			t.Errorf("took %d bytes", n)
		}
		if got, want := b.Left(), int64(record.DefaultMemory/2); got != want {
			t.Errorf("%d bytes left after a refusal of %d, want %d", got, n, want)
		}
	}
	if got, want := New(1).Left(), int64(record.MinMemory/2); got != want {
		t.Errorf("%d bytes of the least budget, want %d", got, want)
	}
}

func TestBudgetNeverGivesMoreToManyAtOnce(t *testing.T) {
	b := New(record.MinMemory)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var taken int64
	for range 8 {
		wg.Go(func() {
			for b.Take(1<<10) == nil {
				mu.Lock()
				taken += 1 << 10
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if taken > record.MinMemory/2 {
		t.Errorf("took %d bytes of %d", taken, record.MinMemory/2)
	}
}

// TestTakeOnce: several readers of one text take its memory once.
func TestTakeOnce(t *testing.T) {
	b := New(0)
	before := b.Left()
	for range 1000 {
		if err := b.TakeOnce("the text of e", 1<<20); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.TakeOnce("the text of f", 1<<20); err != nil || before-b.Left() != 2<<20 {
		t.Errorf("%d bytes for two texts: %v", before-b.Left(), err)
	}
	for range 2 { // a refusal is not remembered as taken
		if b.TakeOnce("the text of g", before) == nil {
			t.Error("more than there is was given")
		}
	}
}
