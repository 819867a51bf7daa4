package aix

import (
	"strconv"
	"strings"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// maxKnown limits the threads and the processes that a Context remembers. A system has far fewer,
// but a damaged trace can name any number.
const maxKnown = 1 << 17

// Context is the state of the current event, from the events so far: its process and its processor.
// It is for one goroutine.
//
// The payloads of the hooks that record this state are not published (see Layouts). Without
// layouts, only the thread id of each entry is known, and the processor of entries and files that
// have one.
type Context struct {
	layouts   *Layouts
	threads   map[uint64]*thread
	processes map[int64]*process
	cpus      map[int32]*processor

	tid    uint64
	cpu    int32
	begun  bool
	at     *processor // the current processor, even if its number is unknown
	now    *thread    // the current thread; nil if unknown
	total  int
	traced int

	memory *memory.Budget
	full   func(offset int64, err error) // called once, when no memory is left
	offset int64                         // of the current event
}

// The memory of a thread, a process and a processor, with their places in the maps.
const (
	threadBytes    = 2 * (int64(unsafe.Sizeof(thread{})) + 16)
	processBytes   = 2 * (int64(unsafe.Sizeof(process{})) + 16)
	processorBytes = 2 * (int64(unsafe.Sizeof(processor{})) + 16)
)

type thread struct {
	pid      int64
	cpu      int32 // processor on which it was dispatched; -1 if unknown
	priority int
	svc      string
	lost     bool // there was no memory to store it
}

type process struct {
	name, path string
	lost       bool // there was no memory to store it
}

type processor struct {
	tid   uint64
	known bool // the running thread is known
	depth int
}

// Context returns the context of the recording's beginning, as NewContext does. Its memory counts
// against the memory of the recording. State for which there is no memory is unknown, which is
// damage.
func (r *Recording) Context(layouts *Layouts) *Context {
	c := NewContext(r.Info(), layouts)
	c.memory = r.memory
	c.full = func(offset int64, err error) {
		r.damage.Add(&Damage{File: r.info.Name(), Offset: offset,
			Want: "memory for the names of threads and processes", Err: err}, 0)
	}
	return c
}

// NewContext returns the context of a recording's beginning. layouts may be nil. Without layouts
// only the data of the entries themselves are known. Its memory limit is the default of a
// recording.
func NewContext(info *Info, layouts *Layouts) *Context {
	c := &Context{
		layouts: layouts, cpu: -1,
		threads: map[uint64]*thread{}, processes: map[int64]*process{}, cpus: map[int32]*processor{},
		memory: memory.New(0), full: func(int64, error) {},
	}
	c.at = &processor{}
	c.cpus[-1] = c.at
	if info != nil {
		c.traced = info.TracedCPUs()
	}
	return c
}

// Update reads one event and makes it the current one. Events must come in time order.
func (c *Context) Update(r *record.Record, e *Entry) {
	if e.TID != c.tid || !c.begun {
		c.tid, c.now, c.begun = e.TID, nil, true
		if len(c.threads) > 0 { // without layouts there are no threads
			c.now = c.threads[e.TID]
		}
	}
	cpu := r.CPU
	if cpu < 0 && c.now != nil {
		cpu = c.now.cpu
	}
	if cpu != c.cpu {
		c.cpu, c.at = cpu, c.processor(cpu)
	}
	if c.layouts.has(r.ID) {
		if l := c.layouts.of(r.ID, r.Data, e); l != nil {
			c.apply(l, r.Data, e)
		}
	}
}

func (c *Context) processor(cpu int32) *processor {
	p := c.cpus[cpu]
	if p == nil {
		p = &processor{}
		if len(c.cpus) < maxCPUs && c.take(processorBytes) {
			c.cpus[cpu] = p
		}
	}
	return p
}

// take takes memory. If there is not enough, the state that needs it stays unknown.
func (c *Context) take(n int64) bool {
	err := c.memory.Take(n)
	if err != nil {
		c.full(c.offset, err)
		c.full = func(int64, error) {}
	}
	return err == nil
}

// set changes a text. Without memory for it the text is empty, which means unknown.
func (c *Context) set(text *string, to []byte) {
	c.memory.Give(int64(len(*text)))
	*text = ""
	if c.take(int64(len(to))) {
		*text = string(to)
	}
}

// facts are the facts of one hook.
type facts struct {
	has      uint32
	numbers  [firstText]uint64
	svc      []byte
	name     []byte
	execPath []byte
}

func (f *facts) number(id Fact) (uint64, bool) { return f.numbers[id], f.has&(1<<id) != 0 }

func (l *Layout) read(data []byte, e *Entry) (f facts) {
	for i := range l.Places {
		p := &l.Places[i]
		ok := false
		switch {
		case p.Fact < firstText:
			f.numbers[p.Fact], ok = p.number(data, e)
		case p.Fact == FactSVC:
			f.svc, ok = p.text(data, e)
		case p.Fact == FactProcess:
			f.name, ok = p.text(data, e)
		case p.Fact == FactExecPath:
			f.execPath, ok = p.text(data, e)
		}
		if ok {
			f.has |= 1 << p.Fact
		}
	}
	return f
}

// apply applies the facts of a hook.
func (c *Context) apply(l *Layout, data []byte, e *Entry) {
	f := l.read(data, e)
	c.offset = e.Offset
	if v, ok := f.number(FactCPU); ok && v < maxCPUs {
		c.cpu = int32(v)
		c.at = c.processor(c.cpu)
	}
	if v, ok := f.number(FactTotalCPUs); ok && v <= maxCPUs {
		c.total = int(v)
	}
	if v, ok := f.number(FactTracedCPUs); ok && v <= maxCPUs {
		c.traced = int(v)
	}
	if v, ok := f.number(FactDepth); ok && v < 1<<16 {
		c.at.depth = int(v)
	}
	tid, named := f.number(FactTID)
	if !named && l.Role != RoleInfo && l.Role != RoleFork {
		tid, named = e.TID, true
	}
	pid := c.pidOf(tid, named, &f)
	if l.Role == RoleFork {
		c.inherit(c.PID(), pid)
	}
	c.rename(pid, &f)
	if !named {
		return
	}
	t := c.thread(tid)
	if pid >= 0 {
		t.pid = pid
	}
	if v, ok := f.number(FactPriority); ok {
		t.priority = int(int16(v))
	}
	if v, ok := f.number(FactSVCAddress); ok && !t.lost {
		var digits []byte
		if v != 0 {
			digits = strconv.AppendUint(nil, v, 16)
		}
		c.set(&t.svc, digits)
	}
	if f.has&(1<<FactSVC) != 0 && !t.lost && string(f.svc) != t.svc {
		c.set(&t.svc, f.svc)
	}
	if l.Role == RoleDispatch {
		c.at.tid, c.at.known = tid, true
		t.cpu = c.cpu
	}
	if tid == c.tid {
		c.now = t
	}
}

// pidOf returns the process of a hook: the process that it names, or the process of its thread. It
// returns -1 if the process is unknown.
func (c *Context) pidOf(tid uint64, named bool, f *facts) int64 {
	if v, ok := f.number(FactPID); ok {
		return int64(v)
	}
	if t := c.threads[tid]; named && t != nil {
		return t.pid
	}
	return -1
}

func (c *Context) thread(tid uint64) *thread {
	t := c.threads[tid]
	if t == nil {
		t = &thread{pid: -1, cpu: -1, priority: -1}
		if len(c.threads) < maxKnown && c.take(threadBytes) {
			c.threads[tid] = t
		} else {
			t.lost = true
		}
	}
	return t
}

func (c *Context) process(pid int64) *process {
	p := c.processes[pid]
	if p == nil {
		p = &process{}
		if len(c.processes) < maxKnown && c.take(processBytes) {
			c.processes[pid] = p
		} else {
			p.lost = true
		}
	}
	return p
}

func (c *Context) inherit(parent, child int64) {
	if p := c.processes[parent]; p != nil && parent >= 0 && child >= 0 {
		q := c.process(child)
		if q.lost {
			return
		}
		c.set(&q.name, []byte(p.name))
		c.set(&q.path, []byte(p.path))
	}
}

// rename sets the names of a process.
func (c *Context) rename(pid int64, f *facts) {
	if pid < 0 || f.has&(1<<FactProcess|1<<FactExecPath) == 0 {
		return
	}
	p := c.process(pid)
	if p.lost {
		return
	}
	if f.has&(1<<FactExecPath) != 0 && string(f.execPath) != p.path {
		c.set(&p.path, f.execPath)
		c.set(&p.name, []byte(p.path[strings.LastIndexByte(p.path, '/')+1:]))
	}
	if f.has&(1<<FactProcess) != 0 && string(f.name) != p.name {
		c.set(&p.name, f.name)
	}
}

// CPU returns the processor of the current event, or -1 if it is unknown.
func (c *Context) CPU() int { return int(c.cpu) }

// TID returns the thread of the current event.
func (c *Context) TID() uint64 { return c.tid }

// Running returns the thread that was dispatched last on the current processor. The event itself
// may be older.
func (c *Context) Running() (tid uint64, ok bool) { return c.at.tid, c.at.known }

// PID returns the process of the current event, or -1 if it is unknown.
func (c *Context) PID() int64 {
	if c.now == nil {
		return -1
	}
	return c.now.pid
}

// PIDOf returns the process of a thread, or -1 if it is unknown.
func (c *Context) PIDOf(tid uint64) int64 {
	if t := c.threads[tid]; t != nil {
		return t.pid
	}
	return -1
}

// Process returns the name of the current event's process, or "" if it is unknown.
func (c *Context) Process() string { return c.NameOf(c.PID()) }

// NameOf returns the name of a process, or "" if it is unknown.
func (c *Context) NameOf(pid int64) string {
	if p := c.processes[pid]; p != nil {
		return p.name
	}
	return ""
}

// ExecPath returns the path of the program that the current process runs, or "" if it is unknown.
func (c *Context) ExecPath() string { return c.PathOf(c.PID()) }

// PathOf returns the path of the program that a process runs, or "" if it is unknown.
func (c *Context) PathOf(pid int64) string {
	if p := c.processes[pid]; p != nil {
		return p.path
	}
	return ""
}

// SVC returns the name of the current thread's system call, or its address in hexadecimal. It
// returns "" if the system call is unknown.
func (c *Context) SVC() string {
	if c.now == nil {
		return ""
	}
	return c.now.svc
}

// Priority returns the priority of the current thread, or -1 if it is unknown.
func (c *Context) Priority() int {
	if c.now == nil {
		return -1
	}
	return c.now.priority
}

// Depth returns the interrupt depth of the current processor.
func (c *Context) Depth() int { return c.at.depth }

// Interrupt increments the interrupt depth of the current processor. It implements flih() of
// templates.
func (c *Context) Interrupt() { c.at.depth++ }

// Resume decrements the interrupt depth of the current processor. It implements resume() of
// templates.
func (c *Context) Resume() { c.at.depth = max(0, c.at.depth-1) }

// TotalCPUs returns the number of processors of the system, or 0 if it is unknown.
func (c *Context) TotalCPUs() int { return c.total }

// TracedCPUs returns the number of traced processors, or 0 if it is unknown.
func (c *Context) TracedCPUs() int { return c.traced }
