package perf

import (
	"strings"
	"testing"
)

// TestNamesBounded has many threads with the longest names that records can hold.
func TestNamesBounded(t *testing.T) {
	n := (&Recording{}).Names()
	long := strings.Repeat("x", 60000)
	for tid := range int32(2000) {
		n.set(tid, thread{comm: long + string(rune('a'+tid%26))})
	}
	if n.bytes > mostNames || len(n.threads) > 300 {
		t.Errorf("%d bytes of %d threads", n.bytes, len(n.threads))
	}
	n.set(1, thread{comm: "sh"})
	if n.threads[1].comm != "sh" {
		t.Errorf("%.10q", n.threads[1].comm)
	}
}
