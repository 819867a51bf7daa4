package callstack

import "github.com/tracec/tracec/runtime/uftrace"

// special is a function after which the calls of a thread do not nest as records do (uftrace.md 2.3).
type special uint8

const (
	ordinary special = iota
	execs            // the program is another one
	setsJump         // may return again
	jumps            // returns elsewhere
	forks            // returns twice
)

var specials = map[string]special{
	"execl": execs, "execlp": execs, "execle": execs, "execv": execs, "execve": execs, "execvp": execs, "execvpe": execs,
	"setjmp": setsJump, "_setjmp": setsJump, "sigsetjmp": setsJump, "__sigsetjmp": setsJump,
	"longjmp": jumps, "siglongjmp": jumps, "__longjmp_chk": jumps,
	"fork": forks, "vfork": forks, "daemon": forks,
}

// specialTable is the special of every symbol, by its index.
func specialTable(symbols []*uftrace.Symbol) []special {
	table := make([]special, len(symbols))
	for i, s := range symbols {
		table[i] = specials[s.Name]
	}
	return table
}

// special tells what is special about a function.
func (p *Player) special(s *uftrace.Symbol) special {
	if int(s.Index) < len(p.specials) {
		return p.specials[s.Index]
	}
	return ordinary
}

// noteSpecial remembers where setjmp and fork were called, whether the call is shown or not. The call is on the stack
// and, when it is shown, counted in the level.
func (p *Player) noteSpecial(t *Task, s special, shown bool) {
	depth := t.Depth
	if !shown {
		depth++
		if p.peeking && p.step.Task == t && p.step.Entry.Kind == uftrace.Enter {
			depth-- // uftrace counts a call in when it has seen what follows
		}
	}
	switch s {
	case forks:
		t.forked = depth
	case setsJump:
		p.jump = jumpSlot{frames: len(t.Stack), user: t.user, depth: depth}
	}
}

// stray follows a call that is shown and does not return to where it was made.
func (p *Player) stray(t *Task, s special) {
	switch s {
	case execs:
		t.Stack, t.Depth, t.user, t.over = t.Stack[:0], 0, 0, 0
	case jumps:
		t.resize(p.jump.frames)
		t.Depth, t.user, t.over = p.jump.depth, p.jump.user, 0
	}
}
