package tables

import "github.com/tracec/tracec"

// dispatchRule returns the rule for AIX's dispatch of a thread. The further state of the thread
// that ran before is not recorded: threads have no state other than Running.
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

// dispatch begins the running state of a thread. If it still ran on another processor, that one has
// dispatched another thread unseen.
func (s *scheduler) dispatch(th *Thread, ev *tracec.Event) {
	th.ran = true
	st := s.of(th)
	if st.phase == onCPU {
		*s.at(st.row.CPU) = nil
		s.finish(st, 0, s.why(st))
	}
	s.begin(st, onCPU, running, ev.Time).CPU = ev.CPU
}
