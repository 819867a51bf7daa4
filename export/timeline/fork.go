package timeline

import (
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// fork holds the open calls of a thread at a fork. A child begins with them.
type fork struct {
	time uint64
	syms []*uftrace.Symbol // outermost first, fork itself last
}

// maxForks bounds the forks kept for a thread. A child has its first record soon after the fork.
const maxForks = 16

// noteFork keeps the open calls of a thread that forks.
func (c *calls) noteFork(s *callstack.Step) {
	if !callstack.IsFork(s.Entry.Sym) {
		return
	}
	f := fork{time: s.Record.Time}
	callers := s.Callers()
	for i := range callers {
		f.syms = append(f.syms, callers[i].Sym)
	}
	f.syms = append(f.syms, s.Entry.Sym)
	list := &c.forks[s.Task.Index]
	if len(*list) == maxForks {
		*list = append((*list)[:0], (*list)[1:]...)
	}
	*list = append(*list, f)
}

// inherited returns the name of a call that was open at the start of a thread: the parent's call at
// the fork. around is the number of calls around it. The list of threads has the time of the fork.
// If it is missing, the function is unknown.
func (c *calls) inherited(task, around int) *Name {
	child := c.tasks[task]
	for i, parent := range c.tasks {
		if parent.TID != child.PPID {
			continue
		}
		list := c.forks[i]
		for k := len(list) - 1; k >= 0; k-- {
			if list[k].time > child.Start {
				continue
			}
			if syms := list[k].syms; around < len(syms) && syms[around] != nil {
				return c.symbol(syms[around])
			}
			break
		}
	}
	return c.names.of("", UnseenName)
}
