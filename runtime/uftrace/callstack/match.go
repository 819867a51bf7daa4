package callstack

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/runtime/uftrace"
)

// inModule reports whether a symbol is in the module that an item names. The item has the beginning
// of the module's name, PLT for library calls of the program, or kernel for the kernel.
func inModule(s *uftrace.Symbol, module string) bool {
	kernel := s.InKernel()
	switch module {
	case "":
		return !kernel
	case "kernel":
		return kernel
	case "PLT":
		return s.Type == 'P'
	}
	return s.Module != nil && strings.HasPrefix(s.Module.Name, module)
}

// match compiles a pattern for names. shown makes them from mangled names.
func (s Syntax) match(pattern string, shown func(mangled string) string) func(name string) bool {
	if s == Simple {
		pattern = shown(pattern)
		return func(name string) bool { return name == pattern }
	}
	return uftrace.Match(pattern, s == Glob, shown)
}

// shown returns the function that converts mangled names to the names that patterns match.
func (f *Functions) shown(rec *uftrace.Recording) func(mangled string) string {
	if f.Name != nil {
		return f.Name
	}
	return rec.Demangle().Name
}

// matches is the set of functions that an item matches.
type matches struct {
	match    func(string) bool
	name     func(mangled string) string // nil for Symbol.Shown
	module   string
	symbols  bool // there is something to match
	inModule bool // a symbol is in the module
	found    bool
	recorded bool // a function was found for which the argument of the condition was recorded
}

// wants reports whether the item is about a function: by its name, or by its source file.
func (m *matches) wants(s *uftrace.Symbol, byFile bool, arg int) bool {
	if !inModule(s, m.module) {
		return false
	}
	m.inModule = true
	name := ""
	switch {
	case byFile:
		name = s.File
	case m.name != nil:
		name = m.name(s.Name)
	default:
		name = s.Shown()
	}
	if byFile && name == "" || !m.match(name) {
		return false
	}
	m.found = true
	m.recorded = m.recorded || s.HasInteger(arg)
	return true
}

// unknown returns the error for a word that is neither an action nor a module of the recording. If
// there is no such word, it returns nil. uftrace takes the word as a module and shows as much as
// without the item.
func (m *matches) unknown(rec *uftrace.Recording) error {
	if !m.symbols || m.inModule || isModule(rec, m.module) {
		return nil
	}
	name, _, _ := strings.Cut(strings.ToLower(m.module), "=")
	return errors.New(strconv.Quote(m.module) + " is neither an action nor a module" + suggest.DidYouMean(name, words))
}

// isModule reports whether a name is the name of a module. It is the beginning of the name of a
// file that a program had mapped or that has symbols, as libraries of dlopen have. It may also be a
// name that uftrace accepts for all recordings.
func isModule(rec *uftrace.Recording, name string) bool {
	if name == "" || name == "kernel" || name == "PLT" {
		return true
	}
	for _, s := range rec.Sessions() {
		for i := range s.Maps {
			if strings.HasPrefix(s.Maps[i].Module.Name, name) {
				return true
			}
		}
	}
	return slices.ContainsFunc(rec.Symbols(), func(s *uftrace.Symbol) bool {
		return s.Module != nil && strings.HasPrefix(s.Module.Name, name)
	})
}

// doubt describes what is doubtful about an item after all functions were checked. It returns "" if
// nothing is.
func (m *matches) doubt(pattern string, arg int) string {
	switch {
	case !m.symbols: // nothing can match
		return ""
	case !m.found:
		return "nothing matches " + strconv.Quote(pattern)
	case arg != 0 && !m.recorded:
		return "argument " + strconv.Itoa(arg) + " was not recorded as a number: no call meets the condition"
	}
	return ""
}

// IgnoresHide reports whether uftrace ignores Hide, and therefore also Locs, because the filters,
// triggers and callers before it match nothing.
func (f *Functions) IgnoresHide(rec *uftrace.Recording) bool {
	if len(f.Hide) == 0 {
		return false
	}
	before := *f
	before.Hide, before.Locs = nil, nil
	a := compile(rec, &before)
	return a.missed != ""
}

// Doubts describes the parts of filters and triggers that uftrace silently ignores: patterns that
// match nothing, invalid values, conditions on values that were not recorded. The error names
// unknown actions and modules.
func (f *Functions) Doubts(rec *uftrace.Recording) ([]string, error) {
	if !f.Patterns() {
		return nil, nil
	}
	a := compile(rec, f)
	return a.doubts, errors.Join(a.unknown...)
}

// Selects reports whether filters show only some functions of a recording, and the calls below
// them. Filters that match nothing do not.
func (f *Functions) Selects(rec *uftrace.Recording) bool {
	a := compile(rec, f)
	return a.all&doFilter != 0
}

// SelectsFiles reports whether filters show only functions of some source files. Filters that match
// nothing do not.
func (f *Functions) SelectsFiles(rec *uftrace.Recording) bool {
	a := compile(rec, f)
	return a.all&doLoc != 0
}
