package callstack

// Stretches makes the walker one of stretches: it knows nothing of the calls before what it reads first, nor after a call of Stretch. It is to be called
// before anything is read.
func (w *Walker) Stretches() { w.stretch = newStretch(w.tasks) }

// Stretch returns what was followed since the last call. What it holds is the caller's.
func (w *Walker) Stretch() *Stretch { return w.stretch.end() }

// Halt says that what is read now depends on what was before in a way that a stretch does not tell: it will not fit.
func (w *Walker) Halt() { w.stretch.failed = true }

// Halted reports whether that has been said, or found: the rest need not be followed. It is false without stretches.
func (w *Walker) Halted() bool { return w.stretch != nil && w.stretch.failed }

// Fits reports whether a stretch is what follows the calls that the walker knows, and was taken for what it is. If it does not its records are to be read
// instead.
func (w *Walker) Fits(s *Stretch) bool {
	if s.failed {
		return false
	}
	for i := range s.tasks {
		p := &s.tasks[i]
		t := w.tasks[p.task]
		if t.lost {
			return false
		}
		if t.unsynced {
			t.sync(p.at, &p.first)
		}
		if !p.fits(t) {
			return false
		}
	}
	return true
}

// EndCall ends a call that ended in a stretch that fits, and began before: the next one of Ended.
func (w *Walker) EndCall(e *Ended) *Frame { return w.tasks[e.Task].end(e) }

// Join goes on to the end of a stretch, after the calls of Ended have been ended.
func (w *Walker) Join(s *Stretch) {
	s.join(w.tasks)
	for _, r := range s.read {
		w.ends.read[r.task] = r.time
	}
}

// special follows the call of a function that may not return to where it was called.
func (w *Walker) special(t *Task, k special) {
	switch k {
	case execs:
		t.doubt()
	case setsJump, jumps:
		w.jumpsIn(t)
	}
	w.jumps.entered(t, k)
}

// jumpsIn notes that a thread sets or reads where setjmp was called.
func (w *Walker) jumpsIn(t *Task) {
	t.doubt()
	w.mixed = w.mixed || w.jumper != nil && w.jumper != t
	w.jumper = t
}

// Mixed reports whether several threads have called setjmp or longjmp, whose places uftrace keeps together: then the order of their calls counts.
func (w *Walker) Mixed() bool { return w.mixed }
