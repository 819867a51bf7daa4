package callstack

import "github.com/tracec/tracec/runtime/uftrace"

// special is the kind of a function after which the calls of a thread do not nest as records do
// (uftrace.md 2.3).
type special uint8

const (
	ordinary special = iota
	execs            // the program is replaced by another one
	setsJump         // may return again
	jumps            // returns elsewhere
	forks            // returns twice
)

// specialOf returns the kind of the function with a name. It is called for each call.
func specialOf(name string) special {
	switch name {
	case "execl", "execlp", "execle", "execv", "execve", "execvp", "execvpe":
		return execs
	case "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp":
		return setsJump
	case "longjmp", "siglongjmp", "__longjmp_chk":
		return jumps
	case "fork", "vfork", "daemon":
		return forks
	}
	return ordinary
}

// IsFork reports whether a function returns twice: in the process that called it, and in a child.
func IsFork(s *uftrace.Symbol) bool { return s != nil && specialOf(s.Name) == forks }

// jumpTable knows the functions that change the order of calls, and the last call of setjmp. As in
// uftrace, all threads share that place (uftrace.md 2.3).
type jumpTable struct {
	bySymbol []special // by Symbol.Index
	slot     jumpSlot
}

// jumpSlot is the place of a call of setjmp.
type jumpSlot struct {
	frames, user, depth int
}

func newJumpTable(symbols []*uftrace.Symbol) jumpTable {
	table := make([]special, len(symbols))
	for i, s := range symbols {
		table[i] = specialOf(s.Name)
	}
	return jumpTable{bySymbol: table}
}

// of returns the special behavior of a function.
func (j *jumpTable) of(s *uftrace.Symbol) special {
	if len(j.bySymbol) == 0 || s == nil || uint(s.Index) >= uint(len(j.bySymbol)) {
		return ordinary
	}
	return j.bySymbol[s.Index]
}

// entered handles a special call that was pushed. It may return to another place.
func (j *jumpTable) entered(t *Task, s special) {
	switch s {
	case setsJump:
		j.slot = jumpSlot{frames: len(t.Stack), user: t.user}
	default:
		j.leaves(t, s)
	}
}

// leaves handles a call that does not return to its caller.
func (j *jumpTable) leaves(t *Task, s special) {
	switch s {
	case execs:
		t.Stack, t.Depth, t.user, t.over = t.Stack[:0], 0, 0, 0
	case jumps:
		t.resize(j.slot.frames)
		t.Depth, t.user, t.over = j.slot.depth, j.slot.user, 0
	}
}

// noteHidden is noteSpecial for a call that is not shown.
func (p *Player) noteHidden(t *Task, s special) {
	depth := t.Depth + 1
	if p.ahead.peeking && p.step.Task == t && p.step.Entry.Kind == uftrace.Enter {
		depth-- // uftrace counts a call only after it has read the next record
	}
	p.noteSpecial(t, s, depth)
}

// noteSpecial notes where setjmp and fork were called. The call is on the stack, and depth is the
// level below it.
func (p *Player) noteSpecial(t *Task, s special, depth int) {
	switch s {
	case forks:
		if t.forked = depth; p.filter.limited && p.filter.next.asleep {
			t.forked = t.forkedAsleep()
		}
	case setsJump:
		if p.filter.limited && p.filter.next.asleep {
			depth = 0
		}
		p.jumps.slot = jumpSlot{frames: len(t.Stack), user: t.user, depth: depth}
	}
}

// forkedAsleep returns the level of a child that was forked before tracing was first on. uftrace
// has counted no calls by then, but each fork is a level.
func (t *Task) forkedAsleep() int {
	if t.parent == nil {
		return 1
	}
	return t.parent.forked + 1
}

// noteMissed is noteSpecial for a call that was made at this level while tracing was off.
func (p *Player) noteMissed(t *Task, s special, level int) {
	switch {
	case s == setsJump:
		p.noteSpecial(t, s, t.Depth)
	case s == forks && p.filter.next.asleep:
		t.forked = t.forkedAsleep()
	case s == forks:
		t.forked = level
	}
}
