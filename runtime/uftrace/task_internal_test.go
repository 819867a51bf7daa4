package uftrace

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestOwnSession compares the search among many entries with a walk over all of them. A process
// that forks for days has many.
func TestOwnSession(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		task, time := &Task{}, uint64(10)
		for range rng.IntN(6) {
			if n := len(task.sessions); n > 0 {
				task.sessions[n-1].to = time
			}
			ref := sessionRef{from: time, to: math.MaxUint64}
			if rng.IntN(2) == 0 {
				ref.session = &Session{}
			}
			task.sessions = append(task.sessions, ref)
			time += rng.Uint64N(3)
		}
		for at := range uint64(24) {
			s, from, to := task.ownSession(at)
			want, wantFrom, wantTo := task.mixedSession(at)
			if s != want || from != wantFrom || to != wantTo {
				t.Fatalf("%+v at %d: %p %d..%d, want %p %d..%d", task.sessions, at, s, from, to, want, wantFrom, wantTo)
			}
		}
	}
}
