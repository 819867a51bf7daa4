package summary

import "github.com/tracec/tracec/runtime/uftrace"

// special is a function after which the calls of a thread do not nest as records do (uftrace.md 2.3).
type special uint8

const (
	ordinary special = iota
	execs            // the program is another one
	setsJump         // may return again
	jumps            // returns elsewhere
)

var specialNames = map[string]special{
	"execl": execs, "execlp": execs, "execle": execs, "execv": execs, "execve": execs, "execvp": execs, "execvpe": execs,
	"setjmp": setsJump, "_setjmp": setsJump, "sigsetjmp": setsJump, "__sigsetjmp": setsJump,
	"longjmp": jumps, "siglongjmp": jumps, "__longjmp_chk": jumps,
}

// newSpecials is the special of every symbol, by its index.
func newSpecials(symbols []*uftrace.Symbol) []special {
	table := make([]special, len(symbols))
	for i, s := range symbols {
		table[i] = specialNames[s.Name]
	}
	return table
}

func (c *collector) special(s *uftrace.Symbol) special {
	if i := int(s.Index); uint(i) < uint(len(c.specials)) {
		return c.specials[i]
	}
	return ordinary
}

// jumpSlot is where setjmp was called. There is one for all threads, as in uftrace (uftrace.md 2.3).
type jumpSlot struct {
	frames, user int
}

// enterSpecial follows a call that changes the order of the calls.
func (c *collector) enterSpecial(t *thread, s special) {
	switch s {
	case execs:
		t.frames, t.user, t.over = t.frames[:0], 0, 0
	case setsJump:
		c.jump = jumpSlot{frames: len(t.frames), user: t.user}
	case jumps:
		t.setDepth(c.jump.frames)
		t.user, t.over = c.jump.user, 0
	}
}
