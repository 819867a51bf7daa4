package render

// Hooks are the functions of AIX templates that have state or read tables of the recording.
// Arguments are passed by value so that a call allocates nothing.
type Hooks interface {
	// StartTimer remembers the time of this event for a and b.
	StartTimer(a, b uint64)
	// EndTimer returns the whole microseconds from the last StartTimer of a and b to this event and
	// clears that timer. ok is false if the timer was not running.
	EndTimer(a, b uint64) (microseconds uint64, ok bool)
	// ProcessPath appends the path of the executable of process pid and reports whether it is
	// known.
	ProcessPath(dst []byte, pid uint64) (out []byte, ok bool)
	// Call appends the text of the built-in function name, or nothing if there is no such function.
	Call(dst []byte, name string, args HookArgs) []byte
}

// HookArgs are the arguments of a built-in function: the first N elements of V.
type HookArgs struct {
	N int
	V [3]uint64
}

func (e *Env) hooks() Hooks {
	if e == nil {
		return nil
	}
	return e.Hooks
}

// StartTimer appends nothing and starts the timer of a and b: starttimer(a, b).
func StartTimer(dst []byte, env *Env, a, b uint64) []byte {
	if h := env.hooks(); h != nil {
		h.StartTimer(a, b)
	}
	return dst
}

// EndTimer appends the time since StartTimer(a, b) as `[7 usec]`, or nothing if that timer is not
// running: endtimer(a, b). The form and the whole microseconds follow the sample report in "Debug
// and Performance Tracing" (aix.md 3.5).
func EndTimer(dst []byte, env *Env, a, b uint64) []byte {
	h := env.hooks()
	if h == nil {
		return dst
	}
	us, ok := h.EndTimer(a, b)
	if !ok {
		return dst
	}
	return append(Udec(append(dst, '['), us), " usec]"...)
}

// ProcessPath appends the path of the executable of process pid, or pid in decimal if the path is
// unknown: Pm.
func ProcessPath(dst []byte, env *Env, pid uint64) []byte {
	if h := env.hooks(); h != nil {
		if out, ok := h.ProcessPath(dst, pid); ok {
			return out
		}
	}
	return Udec(dst, pid)
}

// HookCall0 appends the text of the built-in function name without arguments.
func HookCall0(dst []byte, env *Env, name string) []byte {
	return hookCall(dst, env, name, HookArgs{})
}

// HookCall1 is like [HookCall0] with one argument.
func HookCall1(dst []byte, env *Env, name string, a uint64) []byte {
	return hookCall(dst, env, name, HookArgs{1, [3]uint64{a}})
}

// HookCall2 is like [HookCall0] with two arguments.
func HookCall2(dst []byte, env *Env, name string, a, b uint64) []byte {
	return hookCall(dst, env, name, HookArgs{2, [3]uint64{a, b}})
}

// HookCall3 is like [HookCall0] with three arguments.
func HookCall3(dst []byte, env *Env, name string, a, b, c uint64) []byte {
	return hookCall(dst, env, name, HookArgs{3, [3]uint64{a, b, c}})
}

func hookCall(dst []byte, env *Env, name string, args HookArgs) []byte {
	if h := env.hooks(); h != nil {
		return h.Call(dst, name, args)
	}
	return dst
}

// HookLength returns the number of bytes after a hook word of 32 bits with upper half a. The low
// three bits of the type count the words, including the hook word.
func HookLength(a, _ uint64) uint64 {
	if a&7 == 0 {
		return 0
	}
	return 4 * (a&7 - 1)
}
