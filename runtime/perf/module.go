package perf

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/tracec/tracec/runtime/symbols/demangle"
	"github.com/tracec/tracec/runtime/symbols/program"
)

// A Module is a file with code: a program, a library, the kernel or one of its modules. Its symbols
// are loaded when an address in it is looked up. It is safe for concurrent use.
type Module struct {
	// File is as recorded: a path, [vdso], //anon or [kernel.kallsyms].
	File string
	// Name is the name that perf prints: [ext4] for most modules of the kernel.
	Name    string
	BuildID string // in hexadecimal digits; empty if its mapping has no build id
	kind    moduleKind

	once    sync.Once
	symbols *program.Symbols // nil if there are no symbols
	mu      sync.Mutex
	shown   map[string]string // names of C++ and Rust, by mangled name
}

// Loaded reports whether the symbols of a program or library are in use. They are loaded when an
// address in it is resolved.
func (m *Module) Loaded() bool { return m.kind == ofProcess && m.symbols != nil }

type moduleKind uint8

const (
	ofProcess moduleKind = iota
	ofKernel             // the kernel itself
	loadable             // a module of the kernel
	generated            // KSYMBOL: Name is the symbol
)

// kernelFile is the file of the kernel itself. In the kernel's mapping, the name of a symbol
// follows it.
const kernelFile = "[kernel.kallsyms]"

// modules are the modules of a recording. They are safe for concurrent use.
type modules struct {
	rec    *Recording
	mu     sync.Mutex
	known  map[moduleKey]*Module
	builds map[string]string // build ids by File
	unsure int               // number of unused files without a recorded build id
	errs   []error
	kernel kernelSymbols
}

// moduleSize is the approximate memory of a module without its name.
const moduleSize = 256

type moduleKey struct {
	file, build string
	kind        moduleKind
}

// find returns a module, or a new one with a name. It returns nil if there is not enough memory.
func (l *modules) find(k moduleKey, name string) *Module {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.known[k]
	if m == nil {
		if l.rec.memory.Take(moduleSize+int64(len(k.file))) != nil {
			return nil
		}
		m = &Module{File: k.file, Name: name, BuildID: k.build, kind: k.kind}
		if l.known == nil {
			l.known = map[moduleKey]*Module{}
		}
		l.known[k] = m
	}
	return m
}

// module returns a file of processes.
func (l *modules) module(file, build string) *Module {
	return l.find(moduleKey{file, build, ofProcess}, file)
}

// generated returns a module for code that the kernel has generated.
func (l *modules) generated(name string) *Module { return l.find(moduleKey{name, "", generated}, name) }

// kernelModule returns the kernel or one of its modules. offset is the offset of its mapping.
func (l *modules) kernelModule(file, build string, offset uint64) *Module {
	if symbol, ok := strings.CutPrefix(file, kernelFile); ok {
		l.kernel.recorded(symbol, offset, build)
		return l.find(moduleKey{kernelFile, build, ofKernel}, kernelFile)
	}
	name := file
	if l.build(file) == "" { // if a record has the module's build id, perf 7.2 prints the path
		name = moduleName(file)
	}
	return l.find(moduleKey{file, build, loadable}, name)
}

// moduleName returns the name of a module of the kernel in brackets, from the path of its file.
func moduleName(file string) string {
	base, _, ok := strings.Cut(path.Base(file), ".ko") // also .ko.xz
	if !ok {
		return file
	}
	return "[" + strings.ReplaceAll(base, "-", "_") + "]"
}

// addBuild adds the contents of a record of type BUILD_ID. The error reports a lack of memory.
func (l *modules) addBuild(o order, misc uint16, b []byte) error {
	const hasSize, idSize = 0x8000, 20
	if mode := misc & modeMask; len(b) <= buildSize || mode != ModeKernel && mode != ModeUser { // guests
		return nil
	}
	size := byte(idSize)
	if misc&hasSize != 0 {
		size = b[4+idSize]
	}
	file, _, _ := strings.Cut(string(terminated(b[buildSize:])), "]")
	if strings.HasPrefix(file, "[") {
		file += "]"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.builds == nil {
		l.builds = map[string]string{}
	}
	if _, known := l.builds[file]; !known {
		if err := l.rec.memory.Take(moduleSize + int64(len(file))); err != nil {
			return err
		}
	}
	l.builds[file] = buildText(b[4:4+idSize], size)
	return nil
}

// buildText returns a build id as hexadecimal digits.
func buildText(id []byte, size byte) string {
	if size == 0 || int(size) > len(id) {
		size = byte(len(id))
	}
	return hex.EncodeToString(id[:size])
}

// build returns the build id of a file from a BUILD_ID record, or "".
func (l *modules) build(file string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.builds[file]
}

// load loads the symbols of a file of processes.
func (l *modules) load(m *Module) {
	build := m.BuildID
	if build == "" {
		build = l.build(m.File)
	}
	s, err := program.Search{Root: l.rec.config.symfs}.Load(m.File, build, l.rec.memory)
	switch {
	case err == nil:
		m.symbols = s
	case errors.Is(err, program.ErrUnsure):
		l.mu.Lock()
		l.unsure++
		l.mu.Unlock()
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid):
		l.fail(err)
	}
}

// mostErrs limits the messages about files of symbols.
const mostErrs = 100

func (l *modules) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.errs) < mostErrs {
		l.errs = append(l.errs, err)
	}
}

// SymbolErrs returns the reasons why files with symbols are not used, so far. They do not count as
// damage of the recording.
func (r *Recording) SymbolErrs() []error {
	l := &r.modules
	l.mu.Lock()
	defer l.mu.Unlock()
	list := append([]error(nil), l.errs...)
	if l.unsure > 0 {
		list = append(list, fmt.Errorf("symbols of %d files of this machine are not used: %w", l.unsure,
			program.ErrUnsure))
	}
	return list
}

// name returns the name of a function in the form that the recording's options select.
func (m *Module) name(mangled string, form demangle.Form) string {
	if !demangle.Mangled(mangled) {
		return mangled
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	name, ok := m.shown[mangled]
	if !ok {
		if m.shown == nil {
			m.shown = map[string]string{}
		}
		name = form.PerfName(mangled)
		m.shown[mangled] = name
	}
	return name
}
