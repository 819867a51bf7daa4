package tables

import (
	"slices"
	"strconv"

	"github.com/tracec/tracec/runtime/syscalls"
)

// A call is a kind of system call.
type call struct {
	name string
	// named is set after an event of syscalls for the call. Then its calls have both events, if the
	// recording has events of raw_syscalls.
	named bool
	traits
}

// traits holds the special properties of system calls.
type traits struct {
	exits     bool // it does not return
	clones    bool // a new thread also returns from it
	execs     bool // all threads of the process but one end with it
	sigreturn bool // it returns the result of another call
	restarts  bool // it continues an interrupted call
}

func traitsOf(name string) traits {
	is := func(names ...string) bool { return slices.Contains(names, name) }
	return traits{
		exits:     is("exit", "exit_group"),
		clones:    is("clone", "clone3", "fork", "vfork"),
		execs:     is("execve", "execveat"),
		sigreturn: is("rt_sigreturn", "sigreturn"),
		restarts:  is("restart_syscall"),
	}
}

// numbers finds system calls by number. Most are found without a map.
type numbers struct {
	table syscalls.Table
	low   [8192]*call
	high  map[int64]*call
}

// maxNumbers bounds the numbers outside low that are cached, since damaged recordings may have any
// number.
const maxNumbers = 1 << 12

func (n *numbers) of(number int64) *call {
	if number >= 0 && number < int64(len(n.low)) {
		if n.low[number] == nil {
			n.low[number] = n.read(number)
		}
		return n.low[number]
	}
	c := n.high[number]
	if c == nil {
		c = n.read(number)
		if n.high == nil {
			n.high = map[int64]*call{}
		}
		if len(n.high) < maxNumbers {
			n.high[number] = c
		}
	}
	return c
}

// read finds the name of a number. Without a name, the number is the name.
func (n *numbers) read(number int64) *call {
	name, ok := n.table[uint64(number)]
	if !ok {
		name = strconv.FormatInt(number, 10)
	}
	return &call{name: name, traits: traitsOf(name)}
}

// learn sets the name of a number in the recorded kernel.
func (n *numbers) learn(number int64, name string) {
	c := n.of(number)
	c.named = true
	if c.name != name {
		c.name, c.traits = name, traitsOf(name)
	}
}
