package trcrpt

import (
	"strconv"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// memory answers what templates ask about the current event and the ones before it. It is the render.Facts and the
// render.Hooks of a report.
type memory struct {
	record *record.Record
	entry  *aix.Entry
	source *source
	ctx    *aix.Context
	names  *symbols
	line   int // of the page
	live   *int
	timers timers
	missed uint32 // facts that templates asked for and no event holds, by bit
}

// known returns a fact that is not negative when it is known. Else it is 0, as macros are that nothing has set (aix.md 3.4),
// which the report says at its end.
func (m *memory) known(id render.Fact, v int) uint64 {
	if v < 0 {
		m.missed |= 1 << id
		return 0
	}
	return uint64(v)
}

// Fact implements render.Facts.
func (m *memory) Fact(id render.Fact) uint64 {
	switch id {
	case render.FactPID:
		return m.known(id, int(m.ctx.PID()))
	case render.FactTID:
		return m.entry.TID
	case render.FactCPUID:
		return m.known(id, m.cpu())
	case render.FactPriority:
		return m.known(id, m.ctx.Priority())
	case render.FactSVC:
		addr, _ := strconv.ParseUint(m.ctx.SVC(), 16, 64)
		return addr
	case render.FactTotalCPUs:
		if n := m.ctx.TotalCPUs(); n > 0 {
			return uint64(n)
		}
		return m.known(id, -1)
	case render.FactLargeData, render.FactBuffering, render.FactIPAddress:
		return m.known(id, -1)
	case render.FactTracedCPUs:
		if n := m.ctx.TracedCPUs(); n > 0 {
			return uint64(n)
		}
		if n := m.source.input.rec.Info().TracedCPUs(); n > 0 {
			return uint64(n)
		}
		return m.known(id, -1)
	case render.FactReportedCPUs:
		return uint64(*m.live)
	case render.FactLogIndex, render.FactLogIndex0:
		return uint64(m.entry.Offset)
	case render.FactTraceID:
		if m.record.ID&0xF == 0 {
			return uint64(m.record.ID >> 4)
		}
		return uint64(m.record.ID)
	case render.FactTraceEnv:
		if m.entry.Has(aix.Trace64) {
			return 64
		}
		return 32
	case render.FactLine:
		return uint64(m.line)
	case render.FactRelativeLine:
		return 1
	}
	return 0
}

// FactText implements render.Facts.
func (m *memory) FactText(dst []byte, id render.Fact) []byte {
	switch id {
	case render.FactSVC:
		return append(dst, m.svc()...)
	case render.FactExecPath:
		return append(dst, m.ctx.ExecPath()...)
	case render.FactLogFile:
		return append(dst, m.source.name...)
	}
	return dst
}

// cpu returns the processor of the event, -1 when unknown.
func (m *memory) cpu() int {
	if m.record.CPU >= 0 {
		return int(m.record.CPU)
	}
	return m.ctx.CPU()
}

// svc returns the name of the current system call.
func (m *memory) svc() string {
	s := m.ctx.SVC()
	if m.names == nil || s == "" {
		return s
	}
	if addr, err := strconv.ParseUint(s, 16, 64); err == nil {
		if name, off, ok := m.names.Symbol(addr); ok && off == 0 {
			return name
		}
	}
	return s
}

// StartTimer implements render.Hooks.
func (m *memory) StartTimer(a, b uint64) { m.timers.start(timer{a, b}, m.record.Time) }

// EndTimer implements render.Hooks.
func (m *memory) EndTimer(a, b uint64) (uint64, bool) {
	t, ok := m.timers.end(timer{a, b})
	if !ok || m.record.Time < t {
		return 0, false
	}
	return (m.record.Time - t) / 1000, true
}

// ProcessPath implements render.Hooks.
func (m *memory) ProcessPath(dst []byte, pid uint64) ([]byte, bool) {
	path := m.ctx.PathOf(int64(pid))
	return append(dst, path...), path != ""
}

// Call implements render.Hooks. What the functions that look names up find is in tables that recordings hold in a
// form that is not published: they append nothing.
func (m *memory) Call(dst []byte, name string, _ render.HookArgs) []byte {
	switch name {
	case "flih":
		m.ctx.Interrupt()
	case "resume":
		m.ctx.Resume()
	}
	return dst
}
