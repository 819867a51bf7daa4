package uftrace

import (
	"math"
	"slices"
	"strings"
)

// A recording whose task file is missing or cut still has its maps and its records.

// guessImages takes every map as a program image if no task file names one.
func (r *Recording) guessImages() {
	if len(r.progs.sessions) > 0 {
		return
	}
	for name := range r.files {
		id, ok := strings.CutPrefix(name, "sid-")
		if id, ok2 := strings.CutSuffix(id, ".map"); ok && ok2 {
			r.progs.sessions = append(r.progs.sessions, &Session{ID: id, PID: -1})
		}
	}
	slices.SortFunc(r.progs.sessions, func(a, b *Session) int { return strings.Compare(a.ID, b.ID) })
}

// maxJoin limits the work of joinImages, which grows with the square.
const maxJoin = 64

// joinImages adds to every guessed image the modules of the others after its own. The recording
// does not show when a process switched from one image to another, and their addresses hardly ever
// overlap.
func (p *programTable) joinImages() {
	if len(p.sessions) > maxJoin {
		return
	}
	own := make([][]Mapping, len(p.sessions))
	for i, s := range p.sessions {
		own[i] = s.Maps
	}
	for i, s := range p.sessions {
		s.Maps = slices.Clone(s.Maps)
		for j := range own {
			if i != j {
				s.Maps = append(s.Maps, own[j]...)
			}
		}
	}
}

// guessSessions sets the program image of threads for which no line names one. It is the first
// image with a function at the address of their first call.
func (r *Recording) guessSessions() {
	for _, s := range r.progs.sessions {
		if s.Exe == "" && len(s.Maps) > 0 {
			s.Exe = s.Maps[0].Module.Path
		}
	}
	choice := r.imageOf
	if len(r.progs.sessions) > 1 && r.progs.sessions[0].PID < 0 {
		chosen := map[*Task]*Session{}
		for _, t := range r.threads.list {
			chosen[t] = r.imageOf(t)
		}
		r.progs.joinImages()
		choice = func(t *Task) *Session { return chosen[t] }
	}
	for _, t := range r.threads.list {
		if len(t.sessions) > 0 || t.PPID >= 0 || len(r.progs.sessions) == 0 {
			continue
		}
		if s := choice(t); s != nil {
			t.sessions = []sessionRef{{to: math.MaxUint64, session: s}}
			t.nameAfterProgram()
		}
	}
}

// imageOf returns the program image that has a function at the first call of a thread. If there is
// none, it returns the first image.
func (r *Recording) imageOf(t *Task) *Session {
	if len(r.progs.sessions) == 1 {
		return r.progs.sessions[0]
	}
	addr := r.firstCall(t)
	for _, s := range r.progs.sessions {
		if sym, _ := s.Find(addr, math.MaxUint64); sym != nil {
			return s
		}
	}
	return r.progs.sessions[0]
}

// firstCall returns the address of the first call in the file of a thread. It only looks into its
// first block.
func (r *Recording) firstCall(t *Task) uint64 {
	f := r.openFile(t.File, false)
	defer f.close()
	var block [4096]byte
	n, _ := f.readAt(block[:], 0)
	s := Stream{big: r.info.BigEndian}
	for off := 0; off+recordSize <= n; off += 8 {
		if _, word := s.words(block[off:]); word>>3&7 == recordMark && Kind(word&3) <= Leave {
			return word >> 16
		}
	}
	return 0
}
