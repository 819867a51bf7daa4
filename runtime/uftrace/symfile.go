package uftrace

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/tracec/tracec/internal/folder"
)

// loadModule reads NAME.sym and NAME.dbg of a module. A library without names has no such files.
func (r *Recording) loadModule(m *Module) {
	name, text := r.symbolFile(m, ".sym")
	if text != nil {
		if m.BuildID == "" { // a library of dlopen
			m.BuildID = comment(text, "# build-id:")
		}
		r.parseSymbols(m, name, text)
	} else if r.config.symbols == "" && (r.info.Missing || r.progs.paths[m.Path]) {
		r.loadBinary(m)
	}
	if name, text = r.symbolFile(m, ".dbg"); text != nil {
		r.parseDebug(m, name, text)
	}
}

// symbolFile finds the file of a module. If modules have the same base name, the names of their
// files also have the first digits of the build id, or a checksum of the path (uftrace.md 1.5).
func (r *Recording) symbolFile(m *Module, ext string) (name string, text []byte) {
	elsewhere := r.config.symbols != ""
	dir := r.dir
	if elsewhere {
		dir = folder.Open(r.config.symbols)
	}
	plain, suffixed := m.Name+ext, m.Name+"-"+m.suffix()+ext
	if m.Name == "" || !fs.ValidPath(plain) || strings.Contains(plain, "/") {
		return "", nil
	}
	for _, n := range append([]string{plain, suffixed}, r.namesakes(m, ext)...) {
		if !elsewhere && !r.files[n] {
			continue
		}
		text, ok := r.readFrom(dir, n, !elsewhere)
		if ok && m.agrees(text, elsewhere || n == suffixed) {
			return n, text
		}
		r.memory.Give(int64(len(text)))
	}
	return "", nil
}

// namesakes returns the files of modules with the same base name. The task file does not have the
// build id of a library of dlopen, so all of them must be read. uftrace 0.13 reads the library
// instead.
func (r *Recording) namesakes(m *Module, ext string) []string {
	if m.BuildID != "" || r.config.symbols != "" {
		return nil
	}
	var list []string
	for name := range r.files {
		digits, ok := strings.CutPrefix(name, m.Name+"-")
		if digits, ok2 := strings.CutSuffix(digits, ext); ok && ok2 && len(digits) == 4 {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// suffix returns the text that distinguishes modules with the same base name.
func (m *Module) suffix() string {
	if len(m.BuildID) >= 4 {
		return m.BuildID[:4]
	}
	sum := uint16(0)
	for i := range len(m.Path) {
		sum += uint16(m.Path[i])
	}
	return fmt.Sprintf("%04x", sum)
}

// agrees compares the comments of a symbol file with the module. Older files have no comments, and
// either may lack a build id. Files with equal build ids agree, even if their paths differ. For a
// library of dlopen, the .sym file has the path that was passed to dlopen, and the .dbg file has
// the whole path (seen with 0.19).
func (m *Module) agrees(text []byte, anyPath bool) bool {
	path, id := comment(text, "# path name:"), comment(text, "# build-id:")
	if id != "" && m.BuildID != "" {
		return id == m.BuildID
	}
	return path == "" || path == m.Path || anyPath
}

// comment returns the value of a comment at the head of a symbol file, or "".
func comment(text []byte, key string) string {
	for len(text) > 0 && text[0] == '#' {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		if value, ok := strings.CutPrefix(string(line), key); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// symbolTypes are the types that are kept.
const symbolTypes = "?TtwPKDdvu"

// parseSymbols reads a symbol table in either form (uftrace.md 1.5).
func (r *Recording) parseSymbols(m *Module, file string, text []byte) {
	text = r.take(file, text, symbolBytes)
	lines := min(mostSlab, bytes.Count(text, []byte("\n"))+1)
	p := symbolParser{m: m, slab: make([]Symbol, 0, lines)}
	m.Symbols = slices.Grow(m.Symbols, lines)
	bad, first := int64(0), int64(-1)
	off := int64(0)
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if len(line) > 0 && line[0] != '#' && !p.line(line) {
			if first < 0 {
				first = off
			}
			bad += int64(len(line)) + 1
		}
		off += int64(len(text) - len(rest))
		text = rest
	}
	if first >= 0 {
		r.damage.Note(file, first, bad, fmt.Errorf("%w: lines without a symbol", ErrCorrupt))
	}
	sort.SliceStable(m.Symbols, func(i, j int) bool { return m.Symbols[i].Addr < m.Symbols[j].Addr })
}

// mostSlab is the number of symbols that are allocated at once.
const mostSlab = 4096

type symbolParser struct {
	m        *Module
	slab     []Symbol
	open     *Symbol // the symbol whose end the next line determines
	lastAddr uint64
	lastType byte
	last     *Symbol
}

// line reads one symbol: an address, a size since 0.14, a type, a name.
func (p *symbolParser) line(line []byte) bool {
	addrText, rest, ok := bytes.Cut(line, []byte(" "))
	addr, valid := parseHex(addrText)
	if !ok || !valid || len(rest) < 3 {
		return false
	}
	size, sized := uint64(0), rest[0] >= '0' && rest[0] <= '9'
	if sized {
		var text []byte
		text, rest, _ = bytes.Cut(rest, []byte(" "))
		if size, ok = parseHex(text); !ok || len(rest) < 3 {
			return false
		}
	}
	typ, name := rest[0], rest[2:]
	if rest[1] != ' ' {
		return false
	}
	if i := bytes.IndexByte(name, '\t'); i >= 0 {
		name = name[:i] // [btrfs], for a module of the kernel
	}
	name = bytes.TrimRight(name, "\r")
	if strings.IndexByte(symbolTypes, typ) < 0 {
		return true
	}
	if p.open != nil {
		if addr > p.open.Addr {
			p.open.Size = addr - p.open.Addr
		}
		p.open = nil
	}
	if p.last != nil && addr == p.lastAddr && typ == p.lastType {
		p.rename(string(name), sized)
		return true
	}
	p.lastAddr, p.lastType, p.last = addr, typ, nil
	switch string(name) {
	case "__sym_end", "__dynsym_end", "__func_end":
		return true
	}
	if typ == '?' {
		return true
	}
	text := string(name)
	p.add(Symbol{Addr: addr, Size: size, Type: typ, Name: text, Simple: text, Module: p.m}, sized)
	return true
}

func (p *symbolParser) add(s Symbol, sized bool) {
	if len(p.slab) == cap(p.slab) {
		p.slab = make([]Symbol, 0, min(mostSlab, 2*cap(p.slab)))
	}
	p.slab = append(p.slab, s)
	p.last = &p.slab[len(p.slab)-1]
	p.m.Symbols = append(p.m.Symbols, p.last)
	if !sized {
		p.open = p.last
	}
}

// rename handles a second name of the last symbol. It is skipped, except for the kernel's system
// calls: their native names take precedence.
func (p *symbolParser) rename(name string, sized bool) {
	old := p.last.Name
	if strings.HasPrefix(name, "__x64_") && strings.HasPrefix(old, "__ia32_") ||
		strings.HasPrefix(name, "sys_") && strings.HasPrefix(old, "SyS_") {
		p.last.Name, p.last.Simple = name, name
	}
	if !sized {
		p.open = p.last
	}
}

func parseHex(text []byte) (uint64, bool) {
	if len(text) == 0 || len(text) > 16 {
		return 0, false
	}
	v := uint64(0)
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		v = v<<4 | uint64(c)
	}
	return v, true
}

// parseDebug reads a .dbg file (uftrace.md 1.8).
func (r *Recording) parseDebug(m *Module, file string, text []byte) {
	m.Enums, m.debug = map[string]string{}, map[uint64]*debugFunc{}
	text = r.take(file, text, debugBytes)
	var fn *debugFunc
	for off := int64(0); len(text) > 0; {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if len(line) > 0 && line[0] != '#' {
			if next, ok := m.debugLine(string(line), fn); ok {
				fn = next
			} else {
				r.damage.Note(file, off, int64(len(line)), fmt.Errorf("%w: no line of debug information", ErrCorrupt))
			}
		}
		off += int64(len(text) - len(rest))
		text = rest
	}
	for _, s := range m.Symbols {
		if d := m.debug[s.Addr]; d != nil {
			s.File, s.Line = d.file, d.line
		}
	}
}

// debugLine reads one line. fn is the function to which L, A and R belong.
func (m *Module) debugLine(line string, fn *debugFunc) (*debugFunc, bool) {
	key, value, ok := strings.Cut(line, ": ")
	if !ok || len(key) != 1 {
		return fn, false
	}
	switch key[0] {
	case 'E':
		decl := strings.TrimSpace(strings.TrimPrefix(value, "enum "))
		name, _, ok := strings.Cut(decl, "{")
		if name = strings.TrimSpace(name); ok {
			m.Enums[name] = decl
		}
		return fn, ok
	case 'F':
		addrText, _, _ := strings.Cut(value, " ")
		addr, ok := parseHex([]byte(addrText))
		if !ok {
			return nil, false
		}
		fn = &debugFunc{}
		m.debug[addr] = fn
		return fn, true
	}
	if fn == nil {
		return nil, false
	}
	switch key[0] {
	case 'L':
		num, name, ok := strings.Cut(value, " ")
		n, err := strconv.Atoi(num)
		fn.file, fn.line = name, n
		return fn, ok && err == nil
	case 'A':
		fn.args, m.debugSpecs = strings.TrimPrefix(value, "@"), true
		return fn, true
	case 'R':
		fn.results, m.debugSpecs = strings.TrimPrefix(value, "@"), true
		return fn, true
	}
	return fn, false
}
