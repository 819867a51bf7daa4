package tables

import (
	"strings"

	"github.com/tracec/tracec"
)

// A Mode is a row of [CPUModes]: a period of a processor in one mode.
type Mode struct {
	Row // Thread is the running, interrupted or dispatched thread, or nil if unknown
	// Mode is APPLICATION, SYSCALL, KPROC, FLIH, SLIH, DISPATCH, IDLE DISPATCH or IDLE. It is "" if
	// unknown.
	Mode string
	// Name is the name of the system call or the interrupt handler. It is "" if the template has no
	// field for it.
	Name string
}

// The modes.
const (
	application  = "APPLICATION"
	syscallMode  = "SYSCALL"
	kproc        = "KPROC"
	flih         = "FLIH"
	slih         = "SLIH"
	dispatch     = "DISPATCH"
	idleDispatch = "IDLE DISPATCH"
	idle         = "IDLE"
)

// CPUModes has a row for each period between two hooks of AIX in which a processor is in one mode.
// Its rows do not overlap: sums of them are times of processors. The walk must not select
// processors, since threads move between them.
var CPUModes = &Table[Mode]{
	name:  "cpu_modes",
	doc:   "use of processors between the hooks of AIX: applications, system calls, interrupts, dispatching",
	need:  patternsOf(modeHooks),
	hooks: modeHooks,
	columns: spans(func(m *Mode) *Row { return &m.Row },
		column[Mode]{
			Column{"mode", "APPLICATION, SYSCALL, KPROC, FLIH, SLIH, DISPATCH, IDLE DISPATCH or IDLE; NULL if that is not known", Text},
			func(m *Mode) Value { return text(m.Mode) },
		},
		column[Mode]{
			Column{"name", "of the system call or the interrupt handler", Text},
			func(m *Mode) Value { return text(m.Name) },
		},
	),
	collect: func(w *Walk, yield func(*Mode) bool) collector { return newModes(w, yield) },
}

// modes makes the rows of CPUModes: docs/spec/tables.md section 11.
type modes struct {
	w       *Walk
	yield   func(*Mode) bool
	cpus    []modeCPU
	before  Reason // reason for an unknown begin on a processor without earlier events
	threads byThread[activity]
	row     Mode
	seen    map[string]bool // hooks in the recording
	quiet   bool            // used by another table: no notes
}

// modeCPU is the mode of a processor.
type modeCPU struct {
	known   bool   // the begin of its mode is known
	since   uint64 // begin of its mode
	missing Reason // reason for an unknown begin
	levels  []level
	// based is set if the bottom of the levels is known: a thread, or no thread if idle is set.
	// Otherwise there may be handlers without a recorded begin.
	based, idle bool
	thread      *Thread
}

// A level is a mode and its name.
type level struct{ mode, name string }

// activity is the mode of a thread without interrupts.
type activity struct {
	thread *Thread // owner; another thread with its index starts without a state
	level          // application, syscallMode or kproc; "" if unknown
	cpu    int32   // processor of the last dispatch; -1 if unknown
	losses int64   // number of losses when it left a processor
}

func newModes(w *Walk, yield func(*Mode) bool) *modes {
	return &modes{w: w, yield: yield, before: OpenBegin, seen: map[string]bool{}}
}

// at returns the processor of an event, or nil.
func (m *modes) at(ev *tracec.Event) *modeCPU {
	if !m.w.placed(ev) || ev.CPU >= maxCPUs {
		return nil
	}
	for int(ev.CPU) >= len(m.cpus) {
		m.cpus = append(m.cpus, modeCPU{missing: m.before})
	}
	return &m.cpus[ev.CPU]
}

// of returns the activity of a thread.
func (m *modes) of(th *Thread) *activity {
	a := m.threads.at(th)
	if a.thread != th {
		*a = activity{thread: th, cpu: -1}
	}
	return a
}

// top returns the innermost level of a processor. Its mode is "" if unknown.
func (m *modes) top(p *modeCPU) level {
	switch n := len(p.levels); {
	case n > 0:
		return p.levels[n-1]
	case !p.based:
	case p.idle:
		return level{mode: idle}
	case p.thread != nil:
		return m.of(p.thread).level
	}
	return level{}
}

// close ends the mode of a processor with an event. was is the mode that the event implies, which
// is used if the mode is unknown. If the event does not fit the mode, another event is missing, and
// the row has no end.
func (m *modes) close(p *modeCPU, ev *tracec.Event, was level, fits bool) {
	is := m.top(p)
	if is.mode == "" {
		is = was
	}
	row := Mode{Row: Row{Begin: p.since, CPU: ev.CPU, Thread: p.thread}, Mode: is.mode, Name: is.name}
	if !p.known {
		row.Begin, row.NoBegin = 0, p.missing
	}
	if row.End = max(ev.Time, row.Begin); !fits {
		row.End, row.NoEnd = 0, NotRecorded
	}
	m.emit(row)
	p.known, p.since = true, max(ev.Time, p.since)
}

func (m *modes) emit(row Mode) {
	m.row = row
	m.yield(&m.row)
}

// unknown reports whether the mode of the processor is unknown.
func (p *modeCPU) unknown() bool { return len(p.levels) == 0 && !p.based }

// handler returns the index of the innermost second level handler, or -1.
func (p *modeCPU) handler() int {
	for i := len(p.levels) - 1; i >= 0; i-- {
		if p.levels[i].mode == slih {
			return i
		}
	}
	return -1
}

// push enters a handler.
func (m *modes) push(p *modeCPU, l level) {
	if len(p.levels) == maxNested { // these begins cannot be right
		p.levels, p.based = p.levels[:0], false
	}
	p.levels = append(p.levels, l)
}

// give forgets the state of a processor.
func (m *modes) give(cpu int, why, missing Reason) {
	p := &m.cpus[cpu]
	if p.known {
		is := m.top(p)
		m.emit(Mode{Row: Row{Begin: p.since, NoEnd: why, CPU: int32(cpu), Thread: p.thread}, Mode: is.mode,
			Name: is.name})
	}
	*p = modeCPU{missing: missing, levels: p.levels[:0]}
}

// lost implements collector.
func (m *modes) lost(int32, uint64) {
	m.before = Lost
	for cpu := range m.cpus {
		m.give(cpu, Lost, Lost)
	}
}

// ended implements collector.
func (m *modes) ended(*Thread, uint64) {}

// end implements collector.
func (m *modes) end(uint64) {
	for cpu := range m.cpus {
		m.give(cpu, OpenEnd, OpenEnd)
	}
	if m.quiet {
		return
	}
	var none []string
	for _, h := range modeHooks {
		if !m.seen[h.id] {
			none = append(none, h.id)
		}
	}
	if len(none) > 0 {
		m.w.note("no events of the hooks %s: if they were not traced, their time counts for others",
			strings.Join(none, ", "))
	}
}
