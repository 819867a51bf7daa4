package plugin

import (
	"math/bits"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// comm is a name field and its pid field.
type comm struct {
	name span
	pid  *interp.Reader
}

// put appends `name:pid` and offers the name to the table of threads.
func (m comm) put(dst []byte, c *Context, data []byte) []byte {
	name := render.CString(m.name.of(data))
	pid := m.pid.Uint(data)
	if c.SetComm != nil {
		c.SetComm(int32(pid), name)
	}
	dst = append(dst, name...)
	dst = append(dst, ':')
	return render.Dec(dst, int64(pid))
}

func putPrio(dst []byte, prio uint64) []byte {
	dst = append(dst, " ["...)
	dst = render.Dec(dst, int64(prio))
	return append(dst, ']')
}

// newSchedSwitch prints `comm:pid [prio] S ==> comm:pid [prio]`.
func newSchedSwitch(c *Context, l *layout) Handler {
	prev := comm{l.array("prev_comm"), l.num("prev_pid")}
	next := comm{l.array("next_comm"), l.num("next_pid")}
	prevPrio, nextPrio := l.num("prev_prio"), l.num("next_prio")
	state := l.num("prev_state")
	letters := stateLetters(l.ev)
	return func(dst []byte, r *record.Record) []byte {
		dst = prev.put(dst, c, r.Data)
		dst = putPrio(dst, prevPrio.Uint(r.Data))
		dst = append(dst, ' ')
		dst = letters.put(dst, state.Uint(r.Data))
		dst = append(dst, " ==> "...)
		dst = next.put(dst, c, r.Data)
		return putPrio(dst, nextPrio.Uint(r.Data))
	}
}

// newSchedWakeup prints `comm:pid [prio] CPU:000`. Older kernels also record whether the wakeup
// succeeded.
func newSchedWakeup(c *Context, l *layout) Handler {
	who := comm{l.array("comm"), l.num("pid")}
	prio, cpu := l.num("prio"), l.num("target_cpu")
	var success *interp.Reader
	old := l.has("success")
	if old {
		success = l.num("success")
	}
	return func(dst []byte, r *record.Record) []byte {
		dst = who.put(dst, c, r.Data)
		dst = putPrio(dst, prio.Uint(r.Data))
		if old {
			dst = append(dst, " success="...)
			dst = render.Dec(dst, int64(success.Uint(r.Data)))
		}
		dst = append(dst, " CPU:"...)
		return render.Int(dst, int64(cpu.Uint(r.Data)), render.Spec{Verb: 'd', Zero: true, Width: 3, Prec: -1})
	}
}

// states holds the letters of the bits of prev_state.
type states struct {
	letters [16]string
	mask    uint64 // bits that have a letter
}

// oldStates is the order of kernels before 4.2, for formats without a table. trace-cmd's plugin
// prints these for every kernel: W for the I of today's idle kernel threads, Z for X and X for Z, R
// for states with a higher bit.
var oldStates = [...]string{"S", "D", "T", "t", "Z", "X", "x", "W"}

// stateLetters takes the letters from the event's own print fmt.
func stateLetters(ev *ir.Event) (s states) {
	t := findTable(ev, func(t *ir.Table) bool {
		return len(t.Rows) > 1 && t.Rows[0].Value == 1 && t.Rows[0].Text == "S"
	})
	if t == nil {
		s.mask = 1<<len(oldStates) - 1
		copy(s.letters[:], oldStates[:])
		return s
	}
	for _, row := range t.Rows {
		for bit := range s.letters {
			if row.Value == 1<<bit {
				s.letters[bit] = row.Text
				s.mask |= row.Value
			}
		}
	}
	return s
}

// put appends the letters of v's bits, or R if no bit has a letter. Like the plugin, it does not
// show the preemption of a running thread (the kernel's `R+`).
func (s *states) put(dst []byte, v uint64) []byte {
	v &= s.mask
	if v == 0 {
		return append(dst, 'R')
	}
	for sep := false; v != 0; sep = true {
		bit := bits.TrailingZeros64(v)
		v &= v - 1
		if sep {
			dst = append(dst, '|')
		}
		dst = append(dst, s.letters[bit]...)
	}
	return dst
}

// StateNames returns a function for names of the lowest bit of a task's state. ev is a
// sched_switch, which defines the names. The name is R for no bit, and R+ for a preempted thread.
func StateNames(ev *ir.Event) func(v uint64) string {
	letters := stateLetters(ev)
	return func(v uint64) string {
		switch bit := bits.TrailingZeros64(v & letters.mask); {
		case v&letters.mask != 0:
			return letters.letters[bit]
		case v&(letters.mask+1) != 0:
			return "R+"
		}
		return "R"
	}
}
