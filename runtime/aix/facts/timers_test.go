package facts

import "testing"

// If there are too many timers, the latest are kept, and the others are counted.
func TestTimers(t *testing.T) {
	var all timers
	const n = MaxTimers + MaxTimers/4
	for i := range uint64(n) {
		all.start(timer{i, 1}, i)
	}
	lost := int64(0)
	for i := range uint64(n) {
		at, ok := all.end(timer{i, 1})
		if !ok {
			lost++
		} else if at != i {
			t.Fatalf("timer %d was started at %d", i, at)
		}
		if !ok && i > n/2 {
			t.Fatalf("timer %d is forgotten", i)
		}
	}
	if lost == 0 || lost != all.forgotten {
		t.Errorf("%d are lost, %d were counted", lost, all.forgotten)
	}
	all.start(timer{1, 2}, 5)
	all.start(timer{1, 2}, 7)
	if at, ok := all.end(timer{1, 2}); !ok || at != 7 {
		t.Errorf("started again: %d, %v", at, ok)
	}
	if _, ok := all.end(timer{1, 2}); ok {
		t.Error("it ended twice")
	}
}
