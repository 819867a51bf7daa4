package damage_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/record"
)

// TestOrder checks that the list, its order and the counts do not depend on the order in which
// damage is found, or on the number of goroutines that first keep their findings to themselves.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{3, damage.Max, 5 * damage.Max} {
		var all []*record.Damage
		for i := range n {
			all = append(all, &record.Damage{File: fmt.Sprint(i % 3), Offset: int64(i / 6), Skipped: 1,
				Err: errors.New(fmt.Sprint(i))})
		}
		want := listed(t, all, 1)
		for range 20 {
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			if d := cmp.Diff(want, listed(t, all, 1+r.IntN(4))); d != "" {
				t.Fatalf("%d places in another order (-first +now):\n%s", n, d)
			}
		}
	}
}

// listed distributes some damage over several logs and returns the list of all of them joined.
func listed(t *testing.T, all []*record.Damage, logs int) (lines []string) {
	var log damage.Log
	parts := make([]damage.Log, logs)
	for i, d := range all {
		parts[i%logs].Add(d, 0)
	}
	for i := range parts {
		log.Join(&parts[i])
	}
	for i, d := range log.List() {
		if lines = append(lines, d.Error()); i > 0 && log.List()[i-1].Offset > d.Offset &&
			log.List()[i-1].File == d.File {
			t.Errorf("%s is listed after what comes later", d)
		}
	}
	if want := min(len(all), damage.Max); len(lines) != want {
		t.Errorf("%d places are listed, want %d", len(lines), want)
	}
	return append(lines, fmt.Sprint(log.Stats()))
}
