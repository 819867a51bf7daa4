package timeline

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
)

// The spans of a thread end with it, whether their ends are recorded or not. Its end is its last
// switch. Without a switch it is the last event after an announced exit.

// dead reports whether a switch leaves a thread that never runs again.
func (t *Timeline) dead(ru *rule, ev *tracec.Event) bool {
	if ru.depth < 0 {
		return false
	}
	v, ok := ev.At(ru.depth)
	if !ok || v.Kind() > tracec.Uint || v.Uint() == 0 {
		return false
	}
	n := v.Uint()
	if n < uint64(len(t.states)) && t.states[n] != 0 {
		return t.states[n] == isDead
	}
	name, ok := kernel.State(ev.Type, ru.depth, n)
	dead := ok && kernel.Dead(name)
	if n < uint64(len(t.states)) {
		if t.states[n] = isAlive; dead {
			t.states[n] = isDead
		}
	}
	return dead
}

// Properties of a state.
const (
	isAlive = 1 + iota
	isDead
)

// gone ends all spans of a thread.
func (t *Timeline) gone(task int32, time uint64) {
	for _, kind := range [...]TrackKind{Thread, Functions} {
		if tr := t.tracks.find(kind, task); tr != nil {
			tr.dying = false
			t.leave(tr, time)
		}
	}
}

// doExit notes that a thread exits. It may still have events after that.
func doExit(t *Timeline, ru *rule, ev *tracec.Event) {
	t.instant(t.thread(Thread, ev), ru.name, ev)
	pid, ok := ev.Bits(ru.call)
	if !ok || int32(pid) <= 0 {
		return
	}
	for _, kind := range [...]TrackKind{Thread, Functions} {
		if tr := t.tracks.find(kind, int32(pid)); tr != nil {
			tr.dying = true
		}
	}
}

// doFork ends the spans of an old thread with the number of a new one.
func doFork(t *Timeline, ru *rule, ev *tracec.Event) {
	pid, ok := ev.Bits(ru.call)
	for _, kind := range [...]TrackKind{Thread, Functions} {
		if tr := t.tracks.find(kind, int32(pid)); ok && int32(pid) > 0 && tr != nil && tr.dying {
			tr.dying = false
			t.leave(tr, max(tr.last, tr.ended))
		}
	}
	t.instant(t.thread(Thread, ev), ru.name, ev)
}
