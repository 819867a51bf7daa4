package process

// Mode is the mode of a process.
type Mode uint8

// The modes.
const (
	Unknown Mode = iota
	User
	Syscall
	Trap
	IRQ
	SoftIRQ
)

// String returns the name of the mode in the column of textDump.
func (m Mode) String() string {
	return [...]string{"MODE_UNKNOWN", "USER_MODE", "SYSCALL", "TRAP", "IRQ", "SOFTIRQ"}[min(m, SoftIRQ)]
}

// Process is a thread as shown in the columns.
type Process struct {
	PID, TGID, PPID int32
	Name, Brand     string
	stack           []Mode // never empty
	functions       []uint64
	kernel          bool // a thread of the kernel
}

// maxStack limits the stacks: exits can be missing.
const maxStack = 1024

func newProcess(pid int32) *Process { return &Process{PID: pid, stack: []Mode{Unknown}} }

// Mode returns the current mode of the process.
func (p *Process) Mode() Mode { return p.stack[len(p.stack)-1] }

// Function returns the function that it runs, or 0 if unknown.
func (p *Process) Function() uint64 {
	if len(p.functions) == 0 {
		return 0
	}
	return p.functions[len(p.functions)-1]
}

func (p *Process) push(m Mode) {
	if len(p.stack) >= maxStack {
		p.stack = append(p.stack[:1], p.stack[maxStack/2:]...)
	}
	p.stack = append(p.stack, m)
}

// pop leaves a mode. An exit without its entry changes nothing.
func (p *Process) pop(m Mode) {
	if n := len(p.stack); n > 1 && p.stack[n-1] == m {
		p.stack = p.stack[:n-1]
	}
}

func (p *Process) set(m Mode) { p.stack[len(p.stack)-1] = m }

func (p *Process) enter(f uint64) {
	if len(p.functions) >= maxStack {
		p.functions = append(p.functions[:0], p.functions[maxStack/2:]...)
	}
	p.functions = append(p.functions, f)
}

func (p *Process) leave() {
	if n := len(p.functions); n > 0 {
		p.functions = p.functions[:n-1]
	}
}

// settle sets the mode assumed for a process at the end of the dump.
func (p *Process) settle() {
	if p.stack[0] != Unknown {
		return
	}
	if p.kernel {
		p.stack[0] = Syscall
		return
	}
	p.stack[0] = User
	if len(p.stack) == 1 {
		p.stack = append(p.stack, Syscall)
	}
}

// processes finds processes by pid. Most pids are small, and are found by index.
type processes struct {
	small []*Process
	large map[int32]*Process
}

const (
	maxSmall     = 1 << 16
	maxProcesses = 1 << 20 // bound for a hostile trace
)

func (t *processes) get(pid int32) *Process {
	if uint(pid) < uint(len(t.small)) {
		return t.small[pid]
	}
	return t.large[pid]
}

func (t *processes) put(p *Process) {
	if pid := int(p.PID); pid >= 0 && pid < maxSmall {
		for len(t.small) <= pid {
			t.small = append(t.small, nil)
		}
		t.small[pid] = p
		return
	}
	if t.large == nil {
		t.large = map[int32]*Process{}
	}
	if len(t.large) >= maxProcesses { // no machine has had so many
		clear(t.large)
	}
	t.large[p.PID] = p
}

func (t *processes) remove(pid int32) {
	if uint(pid) < uint(len(t.small)) {
		t.small[pid] = nil
		return
	}
	delete(t.large, pid)
}

func (t *processes) each(fn func(*Process)) {
	for _, p := range t.small {
		if p != nil {
			fn(p)
		}
	}
	for _, p := range t.large {
		fn(p)
	}
}
