package ordered_test

import (
	"context"
	"testing"

	"github.com/tracec/tracec/internal/ordered"
)

// TestText: the text of all workers together does not grow with their number. Each of a few workers
// may have the requested size.
func TestText(t *testing.T) {
	const most = 4 << 20
	if n := ordered.Text(2, most); n != most {
		t.Errorf("two workers make %d bytes, want %d", n, most)
	}
	for workers := 1; workers < 2000; workers++ {
		if n := ordered.Text(workers, most); n <= 0 || n*(workers+1) > 64<<20 {
			t.Errorf("%d workers make %d bytes each", workers, n)
		}
	}
}

// TestRunBoundsWorkers: many workers have at most as many blocks as one goroutine can fill.
func TestRunBoundsWorkers(t *testing.T) {
	got, blocks, err := squares(context.Background(), 500, 2000, nil)
	if err != nil || len(got) != 2000 || blocks > 2*16+2 {
		t.Errorf("%d results, %d blocks, %v", len(got), blocks, err)
	}
}
