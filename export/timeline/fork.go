package timeline

import (
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// fork is what a thread was in when it forked: a child begins there.
type fork struct {
	time uint64
	syms []*uftrace.Symbol // outermost first, fork itself last
}

// maxForks is how many forks of a thread are kept. A child says when it came, and does so soon.
const maxForks = 16

// noteFork keeps what a thread is in that forks.
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

// inherited returns the name of a call that a thread was in from its start, with so many calls
// around: that of its parent when it forked. The list of threads says when that was. Without it the
// function is not known.
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
