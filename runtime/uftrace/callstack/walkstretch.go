package callstack

import "github.com/tracec/tracec/runtime/uftrace"

// Stretch returns the stretch followed since the last call. Its contents belong to the caller.
func (w *Walker) Stretch() *Stretch { return w.stretch.end() }

// Fits reports whether a stretch continues the calls that the walker knows, and whether its
// assumptions hold. If not, its records must be read instead.
func (w *Walker) Fits(s *Stretch) bool {
	if s.failed {
		return false
	}
	for i := range s.tasks {
		p := &s.tasks[i]
		t := w.tasks[p.task]
		if !p.known {
			continue
		}
		switch event := p.assumption.first.Kind == uftrace.Event; {
		case event && (t.lost || p.later() && !t.begun):
			return false
		case event:
			t.begun = true
		case t.unsynced:
			t.sync(p.at, &p.assumption.first)
		}
		if !p.fits(t, !w.opts.Events.Full) {
			return false
		}
	}
	return true
}

// Join continues at the end of a stretch, after the calls of Ended have been ended.
func (w *Walker) Join(s *Stretch) {
	s.join(w.tasks)
	for _, r := range s.read {
		w.ends.read[r.task], w.ends.perf[r.task] = r.time, r.perf
	}
}

// EndPerf sets the time of the last event of perf of any thread, if threads are followed one after
// the other.
func (w *Walker) EndPerf(last uint64) { w.ends.lastPerf = last }

// special handles the call of a function that may return to another place.
func (w *Walker) special(t *Task, k special) {
	switch k {
	case execs:
		t.doubt()
	case setsJump, jumps:
		w.jumpsIn(t)
	}
	w.jumps.entered(t, k)
}

// jumpsIn notes that a thread sets or reads the place of setjmp.
func (w *Walker) jumpsIn(t *Task) {
	t.doubt()
	w.mixed = w.mixed || w.jumper != nil && w.jumper != t
	w.jumper = t
}

// Mixed reports whether several threads have called setjmp or longjmp. uftrace keeps only one place
// for all threads, so the order of their calls matters.
func (w *Walker) Mixed() bool { return w.mixed }
