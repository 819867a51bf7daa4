package uftrace

import (
	"bytes"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// readMap reads the memory map of a session (uftrace.md 1.4).
func (r *Recording) readMap(s *Session, modules *moduleSet) {
	name := "sid-" + s.ID + ".map"
	s.KernelBase = kernelBase(0x7fff_0000_0000)
	if r.info.WordSize == 4 {
		s.KernelBase = 0xc0000000
	}
	text, ok := r.readFile(name)
	if !ok {
		r.damage.Note(name, 0, 0, fmt.Errorf("%w: addresses of %s stay numbers", ErrMissing, s.Exe))
		return
	}
	text = r.take(name, text, mapBytes)
	if st, err := fs.Stat(r.dir, name); err == nil {
		r.progs.mapped = st.ModTime()
	}
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		if m, ok := parseMapLine(string(line)); ok {
			s.place(m, modules)
		}
	}
}

// mapLine is one line of a map.
type mapLine struct {
	start, end    uint64
	path, buildID string
}

// parseMapLine reads a line: start-end, permissions, offset, device, inode, path. For anonymous
// mappings and comments, ok is false.
func parseMapLine(line string) (m mapLine, ok bool) {
	rest := line
	var fields [5]string
	for i := range fields {
		rest = strings.TrimLeft(rest, " \t")
		j := strings.IndexAny(rest, " \t")
		if j < 0 {
			return m, false
		}
		fields[i], rest = rest[:j], rest[j:]
	}
	from, to, dash := strings.Cut(fields[0], "-")
	start, err1 := strconv.ParseUint(from, 16, 64)
	end, err2 := strconv.ParseUint(to, 16, 64)
	m = mapLine{start: start, end: end, path: strings.TrimSpace(rest)}
	if path, id, ok := strings.Cut(m.path, " build-id:"); ok {
		m.path, m.buildID = strings.TrimSpace(path), strings.TrimSpace(id)
	}
	return m, dash && err1 == nil && err2 == nil && start <= end && m.path != ""
}

// place adds a line to the map of a session.
func (s *Session) place(m mapLine, modules *moduleSet) {
	if strings.HasPrefix(m.path, "[") {
		if strings.HasPrefix(m.path, "[stack") {
			s.KernelBase = kernelBase(m.start)
		}
		return
	}
	if n := len(s.Maps); n > 0 && s.Maps[n-1].Module.Path == m.path {
		last := &s.Maps[n-1]
		last.Start, last.End = min(last.Start, m.start), max(last.End, m.end)
		return
	}
	s.Maps = append(s.Maps, Mapping{Start: m.start, End: m.end, Module: modules.get(m.path, m.buildID)})
}

// kernelBase guesses the lowest kernel address from the address of the stack.
func kernelBase(stack uint64) uint64 {
	switch {
	case stack < 0x40000000:
		return 0x40000000
	case stack < 0x80000000:
		return 0x80000000
	case stack < 0xb0000000:
		return 0xb0000000
	case stack < 0xc0000000:
		return 0xc0000000
	case stack < 1<<39:
		return 0xffffff8000000000
	case stack < 1<<42:
		return 0xfffffc0000000000
	case stack < 1<<47:
		return 0xffff800000000000
	}
	return 0xffff000000000000
}

// moduleSet distinguishes modules by path and build id. Sessions share their common modules.
type moduleSet struct {
	r  *Recording
	by map[moduleKey]*Module
}

type moduleKey struct{ path, buildID string }

func (ms *moduleSet) get(path, buildID string) *Module {
	key := moduleKey{path, buildID}
	if m := ms.by[key]; m != nil {
		return m
	}
	m := &Module{Name: baseName(path), Path: path, BuildID: buildID}
	ms.by[key] = m
	ms.r.progs.modules = append(ms.r.progs.modules, m)
	ms.r.loadModule(m)
	return m
}

// pythonModule is the pseudo module of Python programs. Its addresses are 1, 2, 3...
const pythonModule = "python.fake"

// readModules reads the maps of all sessions and the symbols of all modules.
func (r *Recording) readModules() {
	modules := &moduleSet{r: r, by: map[moduleKey]*Module{}}
	r.loaded = modules
	r.progs.paths = map[string]bool{}
	for _, s := range r.progs.sessions {
		r.progs.paths[s.Exe] = true
	}
	for _, s := range r.progs.sessions {
		r.readMap(s, modules)
	}
	for _, s := range r.progs.sessions {
		for i := range s.Libs {
			l := &s.Libs[i]
			l.Module = modules.get(l.Module.Path, "")
		}
	}
	if r.files[pythonModule+".sym"] {
		m := modules.get(pythonModule, "")
		for _, s := range r.progs.sessions {
			s.Maps = append(s.Maps, Mapping{Start: 0, End: m.end(), Module: m})
		}
	}
	if text, ok := r.readFile("kallsyms"); ok {
		r.progs.kernel = &Module{Name: "[kernel]", Path: "[kernel]"}
		r.parseSymbols(r.progs.kernel, "kallsyms", text)
		r.progs.modules = append(r.progs.modules, r.progs.kernel)
	}
	for _, s := range r.progs.sessions {
		s.kernel, s.absolute = r.progs.kernel, r.info.Features&FeatSymRelAddr == 0 && !r.info.Missing
	}
	r.missNames()
}

// end returns the end of the last symbol.
func (m *Module) end() uint64 {
	end := uint64(0)
	for _, s := range m.Symbols {
		end = max(end, s.Addr+max(s.Size, 1))
	}
	return end
}

// missNames reports programs without any symbols.
func (r *Recording) missNames() {
	told := map[*Module]bool{}
	for _, s := range r.progs.sessions {
		for i := range s.Maps {
			m := s.Maps[i].Module
			if m.Path == s.Exe && len(m.Symbols) == 0 && !told[m] {
				told[m] = true
				r.damage.Note(m.Name+".sym", 0, 0, fmt.Errorf("%w: functions of %s stay numbers", ErrMissing, m.Path))
			}
		}
	}
}
