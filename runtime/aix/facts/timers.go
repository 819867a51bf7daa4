package facts

// timer identifies a timer by the arguments of starttimer.
type timer struct{ a, b uint64 }

// MaxTimers limits the running timers, to some 64 MiB. If there are more, templates start timers
// that nothing ends. The oldest are then dropped, half of them at a time.
const MaxTimers = 1 << 20

// Forgotten returns the number of running timers that were dropped: see MaxTimers.
func (f *Facts) Forgotten() int64 { return f.timers.forgotten }

// timers are the running timers.
type timers struct {
	young, old map[timer]uint64 // times at which they were started, in ns
	forgotten  int64
}

func (t *timers) start(id timer, at uint64) {
	if t.young == nil || len(t.young) >= MaxTimers/2 {
		t.forgotten += int64(len(t.old))
		t.old, t.young = t.young, map[timer]uint64{}
	}
	delete(t.old, id)
	t.young[id] = at
}

// end stops a timer and returns the time at which it was started. It returns false if the timer is
// not running.
func (t *timers) end(id timer) (uint64, bool) {
	for _, all := range []map[timer]uint64{t.young, t.old} {
		if at, ok := all[id]; ok {
			delete(all, id)
			return at, true
		}
	}
	return 0, false
}
