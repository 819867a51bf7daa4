package stacks

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

// Specials knows the functions that change the order of calls, and where setjmp was called last. There is one such place
// for all threads, as in uftrace.
type Specials struct {
	bySymbol []special
	frames   int
	user     int
}

// NewSpecials looks at the names of all symbols of a recording.
func NewSpecials(symbols []*uftrace.Symbol) *Specials {
	sp := &Specials{bySymbol: make([]special, len(symbols))}
	for i, s := range symbols {
		sp.bySymbol[i] = specialNames[s.Name]
	}
	return sp
}

func (sp *Specials) of(s *uftrace.Symbol) special {
	if s == nil || uint(s.Index) >= uint(len(sp.bySymbol)) {
		return ordinary
	}
	return sp.bySymbol[s.Index]
}

// Entered follows a call that was pushed.
func (sp *Specials) Entered(t *Thread, s *uftrace.Symbol) {
	if k := sp.of(s); k != ordinary {
		sp.entered(t, k)
	}
}

func (sp *Specials) entered(t *Thread, k special) {
	switch k {
	case execs:
		t.Frames, t.user, t.over = t.Frames[:0], 0, 0
	case setsJump:
		sp.frames, sp.user = len(t.Frames), t.user
	case jumps:
		t.setDepth(sp.frames)
		t.user, t.over = sp.user, 0
	}
}

// Left follows a call that was popped.
func (sp *Specials) Left(t *Thread, s *uftrace.Symbol) {
	if sp.of(s) == setsJump {
		sp.frames, sp.user = len(t.Frames)+1, t.user+1
	}
}
