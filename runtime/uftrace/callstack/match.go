package callstack

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/runtime/uftrace"
)

// inModule reports whether a symbol is in the module that an item names: by the beginning of its
// name, PLT for library calls of the program, kernel for the kernel.
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

// match compiles a pattern for names that shown makes of mangled names.
func (s Syntax) match(pattern string, shown func(mangled string) string) func(name string) bool {
	if s == Simple {
		pattern = shown(pattern)
		return func(name string) bool { return name == pattern }
	}
	return uftrace.Match(pattern, s == Glob, shown)
}

// shown returns the function that makes the names that patterns match of mangled ones.
func (f *Functions) shown(rec *uftrace.Recording) func(mangled string) string {
	if f.Name != nil {
		return f.Name
	}
	return rec.Demangle().Name
}

// matches is what an item matches.
type matches struct {
	match    func(string) bool
	name     func(mangled string) string // nil: Symbol.Shown
	module   string
	symbols  bool // there is something to match
	inModule bool // something is in the module
	found    bool
	recorded bool // the argument that a condition compares was recorded of something that was found
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

// unknown returns the error of a word that is neither an action nor a module of the recording, nil
// when there is none. uftrace takes it for a module and shows as much as without the item.
func (m *matches) unknown(rec *uftrace.Recording) error {
	if !m.symbols || m.inModule || isModule(rec, m.module) {
		return nil
	}
	name, _, _ := strings.Cut(strings.ToLower(m.module), "=")
	return errors.New(strconv.Quote(m.module) + " is neither an action nor a module" + suggest.DidYouMean(name, words))
}

// isModule reports whether a name is that of a module: the beginning of a file that a program had
// mapped or that has symbols, as libraries of dlopen have, or a name that uftrace has for all
// recordings.
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

// doubt says what is doubtful about an item when all functions were looked at; empty is nothing.
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

// IgnoresHide reports whether uftrace ignores Hide, and Locs with it, because the filters, triggers
// and callers before it match nothing.
func (f *Functions) IgnoresHide(rec *uftrace.Recording) bool {
	if len(f.Hide) == 0 {
		return false
	}
	before := *f
	before.Hide, before.Locs = nil, nil
	a := compile(rec, &before)
	return a.missed != ""
}

// Doubts says what uftrace ignores of filters and triggers without a word: patterns that match
// nothing, values that make no sense, conditions on what was not recorded. The error names actions
// and modules that there are not.
func (f *Functions) Doubts(rec *uftrace.Recording) ([]string, error) {
	if !f.Patterns() {
		return nil, nil
	}
	a := compile(rec, f)
	return a.doubts, errors.Join(a.unknown...)
}

// Selects reports whether filters let only some functions of a recording, and what they call, be
// shown. Filters that match nothing do not.
func (f *Functions) Selects(rec *uftrace.Recording) bool {
	a := compile(rec, f)
	return a.all&doFilter != 0
}

// SelectsFiles reports whether filters let only functions of some source files be shown. Filters
// that match nothing do not.
func (f *Functions) SelectsFiles(rec *uftrace.Recording) bool {
	a := compile(rec, f)
	return a.all&doLoc != 0
}
