package timeline

import (
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// fork holds the open calls of a thread at a fork: a child begins with them.
type fork struct {
	time uint64
	syms []*uftrace.Symbol // outermost first, fork itself last
}

// maxForks is the number of forks kept for a thread. A child reports its origin soon.
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

// inherited returns the name of a call at depth around that a thread was in from its start, which
// is its parent's call at the fork. The time of the fork is in the list of threads. If it is
// missing, the function is unknown.
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
