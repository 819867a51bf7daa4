package tables

import "github.com/tracec/tracec"

// dispatchRule follows that the dispatcher of AIX takes a thread. Nothing tells what becomes of the
// thread that ran before: it has no other state than Running.
func (s *scheduler) dispatchRule(t *tracec.Type, idle bool) rule {
	to := dispatchOf(t)
	return func(ev *tracec.Event) {
		cpu := s.at(ev.CPU)
		if cpu == nil || !s.w.placed(ev) {
			return
		}
		if *cpu != nil {
			s.finish(s.of(*cpu), ev.Time, Known)
		}
		if *cpu = nil; idle {
			return
		}
		if th := to.thread(s.w, ev); th != nil {
			s.dispatch(th, ev)
			*cpu = th
		}
	}
}

// dispatch begins that a thread runs. If it still ran on another processor, that has dispatched
// another thread unseen.
func (s *scheduler) dispatch(th *Thread, ev *tracec.Event) {
	th.ran = true
	st := s.of(th)
	if st.phase == onCPU {
		*s.at(st.row.CPU) = nil
		s.finish(st, 0, s.why(st))
	}
	s.begin(st, onCPU, running, ev.Time).CPU = ev.CPU
}
