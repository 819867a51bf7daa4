package uftrace

import (
	"math"
	"sort"
)

// Task is a thread.
type Task struct {
	TID, PID, PPID int32 // PPID is -1 without a parent
	Start          uint64
	// Comm is the base name of the program, cut to 15 bytes, until a perf event renames the thread.
	Comm string
	// File is the name of its file of records.
	File string

	parent   *Task // the task from which it has its program; nil if there is none
	sessions []sessionRef
	mixed    bool // sessions are not in the order of time: the file is damaged
}

type sessionRef struct {
	from, to uint64
	session  *Session
}

// SessionAt returns the program image that the task ran at a time, or nil if it is unknown.
func (t *Task) SessionAt(time uint64) *Session {
	s, _, _ := t.sessionAt(time)
	return s
}

// SessionSpan is SessionAt. It also returns the times from which (inclusive) and until which
// (exclusive) the result is valid.
func (t *Task) SessionSpan(time uint64) (s *Session, from, to uint64) { return t.sessionAt(time) }

// maxParents limits the number of ancestors. Damage can turn them into a circle.
const maxParents = 64

// sessionAt also returns the times from which (inclusive) and until which (exclusive) the result is
// valid.
func (t *Task) sessionAt(time uint64) (s *Session, from, to uint64) {
	from, to = 0, math.MaxUint64
	for range maxParents {
		s, lo, hi := t.ownSession(time)
		from, to = max(from, lo), min(to, hi)
		if s != nil {
			return s, from, to
		}
		if t.parent == nil {
			break
		}
		t = t.parent
	}
	return nil, from, to
}

// ownSession uses only the task's own entries. There may be as many as its file has lines.
func (t *Task) ownSession(time uint64) (s *Session, from, to uint64) {
	if t.mixed {
		return t.mixedSession(time)
	}
	n := sort.Search(len(t.sessions), func(i int) bool { return t.sessions[i].from > time })
	from, to = 0, math.MaxUint64
	if n < len(t.sessions) {
		to = t.sessions[n].from
	}
	if n == 0 {
		return nil, from, to
	}
	ref := &t.sessions[n-1] // the next one ends it
	return ref.session, ref.from, to
}

// mixedSession is ownSession for entries in any order.
func (t *Task) mixedSession(time uint64) (s *Session, from, to uint64) {
	from, to = 0, math.MaxUint64
	for i := range t.sessions {
		ref := &t.sessions[i]
		if ref.from <= time && time < ref.to {
			if ref.session != nil {
				return ref.session, ref.from, ref.to
			}
			from, to = max(from, ref.from), min(to, ref.to)
			continue
		}
		if ref.to <= time {
			from = max(from, ref.to)
		} else {
			to = min(to, ref.from)
		}
	}
	return nil, from, to
}

// nameAfterProgram sets the name that the kernel gives a thread: the name of the last program,
// truncated.
func (t *Task) nameAfterProgram() {
	if s, _, _ := t.sessionAt(math.MaxUint64 - 1); s != nil && t.Comm == "" {
		t.Comm = baseName(s.Exe)
		if len(t.Comm) > 15 {
			t.Comm = t.Comm[:15]
		}
	}
}

// Session is one program image of one process: made at its start and after exec.
type Session struct {
	ID    string // 16 characters
	PID   int32
	Start uint64
	Exe   string
	// KernelBase is the lowest kernel address.
	KernelBase uint64
	Maps       []Mapping // by address
	Libs       []Library // libraries of dlopen, by time

	kernel   *Module // nil without kallsyms
	absolute bool    // symbols of recorders before feature bit 5 are not relative to their module
}

// Mapping is a module and its address.
type Mapping struct {
	Start, End uint64
	Module     *Module
}

// Library is a module that dlopen has loaded.
type Library struct {
	Time, Base uint64
	Module     *Module
}

// Find returns the symbol that contains addr at a time, and the offset of addr from its start.
// Addresses at or above KernelBase are searched for in the kernel's symbols.
func (s *Session) Find(addr, time uint64) (sym *Symbol, offset uint64) {
	if s == nil {
		return nil, 0
	}
	if addr >= s.KernelBase && s.KernelBase != 0 {
		return s.kernel.find(addr)
	}
	for i := range s.Maps {
		if m := &s.Maps[i]; addr >= m.Start && addr < m.End {
			if sym, off := m.Module.find(addr - m.Start); sym != nil {
				return sym, off
			}
			if s.absolute {
				if sym, off := m.Module.find(addr); sym != nil {
					return sym, off
				}
			}
			break
		}
	}
	for i := s.libsAt(time) - 1; i >= 0; i-- {
		if l := &s.Libs[i]; addr >= l.Base {
			if sym, off := l.Module.find(addr - l.Base); sym != nil {
				return sym, off
			}
		}
	}
	return nil, 0
}

// libsAt returns the number of libraries that dlopen had loaded by a time.
func (s *Session) libsAt(time uint64) int {
	if s == nil {
		return 0
	}
	return sort.Search(len(s.Libs), func(i int) bool { return s.Libs[i].Time > time })
}

// lifetime returns the times from which and until which no library is loaded.
func (s *Session) lifetime(time uint64) (from, to uint64) {
	n := s.libsAt(time)
	from, to = 0, math.MaxUint64
	if s == nil {
		return from, to
	}
	if n > 0 {
		from = s.Libs[n-1].Time
	}
	if n < len(s.Libs) {
		to = s.Libs[n].Time
	}
	return from, to
}
