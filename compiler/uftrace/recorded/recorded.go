// Package recorded compiles the functions of an open recording of runtime/uftrace, by
// compiler/uftrace.
package recorded

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Target returns the machine that recorded.
func Target(info *uftrace.Info) ir.Target {
	return ir.Target{BigEndian: info.BigEndian, WordSize: info.WordSize}
}

// Values converts the specs of a function to values.
func Values(specs []uftrace.Spec) []compiler.Value {
	values := make([]compiler.Value, len(specs))
	for i, s := range specs {
		values[i] = compiler.Value(s)
	}
	return values
}

// Unit compiles the functions of a recording that have argument specs and that match selects. It
// compiles only functions of modules that have records, or of all modules if the recording has no
// records. Each function has two events, one for its calls and one for its returns. The Group of an
// event is the module, its Name the symbol, and its Label the readable name. A library function may
// be in several modules, because all of them call it. If its values are the same in all modules, it
// is one function without a Group. The errors name the omitted functions.
//
// Unit reads the whole recording.
func Unit(rec *uftrace.Recording, match func(module, name string) bool) (u *ir.Unit, errs []error) {
	u = &ir.Unit{Lang: "uftrace", Container: "github.com/tracec/tracec/runtime/uftrace", Entries: true,
		Sequential: true, Source: rec.Name(), Target: Target(rec.Info())}
	used := usedModules(rec)
	c := New(rec)
	groups := map[string][]*uftrace.Symbol{}
	var names []string
	for _, s := range rec.Symbols() {
		if len(s.Args)+len(s.Results) == 0 || len(used) > 0 && !used[s.Module] || !match(s.Module.Name, s.Shown()) {
			continue
		}
		if groups[s.Name] == nil {
			names = append(names, s.Name)
		}
		groups[s.Name] = append(groups[s.Name], s)
	}
	for _, n := range names {
		list, err := c.group(groups[n])
		for _, f := range list {
			u.Events = append(u.Events, f[:]...)
		}
		errs = append(errs, err...)
	}
	slices.SortStableFunc(u.Events, func(a, b *ir.Event) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group),
			cmp.Compare(a.Name, b.Name))
	})
	return u, errs
}

// usedModules returns the modules that have records.
func usedModules(rec *uftrace.Recording) map[*uftrace.Module]bool {
	used := map[*uftrace.Module]bool{}
	var last *uftrace.Module
	for _, s := range rec.Streams(record.Options{}) {
		for {
			batch, err := s.Next()
			if err != nil {
				break // unreadable parts are in Damage
			}
			for i, entries := 0, batch.Entries; i < len(entries); i++ {
				if sym := entries[i].Sym; sym != nil && sym.Module != last {
					last = sym.Module
					used[last] = true
				}
			}
		}
	}
	return used
}

// Compilation is the state of compiling one recording.
type Compilation struct {
	rec     *uftrace.Recording
	builtin compiler.Enums
	modules Modules
}

// Modules holds the enumerations of modules that values use.
type Modules map[*uftrace.Module]compiler.Enums

// Enums returns the enumerations of a module, at least those used by values. mod may be nil.
func (m Modules) Enums(mod *uftrace.Module, values []compiler.Value) compiler.Enums {
	if mod == nil {
		return nil
	}
	e := m[mod]
	if e == nil {
		e = compiler.Enums{}
		m[mod] = e
	}
	e.Add(mod.Enums, values)
	return e
}

// New returns a Compilation for rec.
func New(rec *uftrace.Recording) *Compilation {
	c := &Compilation{rec: rec, modules: Modules{}}
	// uftrace reads the recorder's own list only with this feature (observed on 0.13)
	if info := rec.Info(); info.Features&uftrace.FeatAutoArgs != 0 {
		c.builtin = compiler.ParseEnums(info.EnumAuto)
	}
	return c
}

// function holds the events of a function's calls and its returns.
type function [2]*ir.Event

// variant is a compiled function with its module and layout.
type variant struct {
	module, layout string
	function
}

// group compiles symbols with the same name. If they have one layout in all modules, the result is
// one function for all modules. Otherwise each module has its own function, with one exception: if
// the program itself has only one layout, the program's function has no Group.
func (c *Compilation) group(symbols []*uftrace.Symbol) (list []function, errs []error) {
	var all []variant
	several := false
	for _, s := range symbols {
		f, err := c.function(s)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		v := variant{s.Module.Name, f.layout(), f}
		if !slices.ContainsFunc(all, func(o variant) bool { return o.module == v.module && o.layout == v.layout }) {
			several = several || len(all) > 0 && all[0].layout != v.layout
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil, errs
	}
	if !several {
		return []function{all[0].function}, errs
	}
	own := func(v variant) bool { return v.module == programName(c.rec) }
	alone := 0
	for _, v := range all {
		if own(v) {
			alone++
		}
	}
	for _, v := range all {
		if !own(v) || alone > 1 {
			v.function[0].Group, v.function[1].Group = v.module, v.module
		}
		list = append(list, v.function)
	}
	return list, errs
}

// layout returns a text that distinguishes functions with the same name and module.
func (f function) layout() string {
	s := ""
	for _, ev := range f {
		for _, x := range ev.Fields[1:] {
			s += fmt.Sprintln(x.Name, x.Kind, x.Size, x.Signed)
		}
		s += ";"
	}
	return s
}

// programName returns the base name of the program that was started.
func programName(rec *uftrace.Recording) string {
	for _, s := range rec.Sessions() {
		for i := range s.Maps {
			if m := s.Maps[i].Module; m != nil && m.Path == s.Exe {
				return m.Name
			}
		}
	}
	return ""
}

// function compiles both sides of a symbol.
func (c *Compilation) function(s *uftrace.Symbol) (f function, err error) {
	for i := range f {
		if f[i], err = c.Event(s, i == 1); err != nil {
			return f, fmt.Errorf("%s: %s: %w", s.Module.Name, s.Name, err)
		}
		f[i].Group = ""
	}
	return f, nil
}

// Event compiles the calls of a function or, if exit is set, its returns.
func (c *Compilation) Event(s *uftrace.Symbol, exit bool) (*ir.Event, error) {
	return c.Compile(s, exit, compiler.Options{Form: compiler.Replay})
}

// Compile is Event for values in the form of opts. It sets the enumerations of opts to those of the
// recording.
func (c *Compilation) Compile(s *uftrace.Symbol, exit bool, opts compiler.Options) (*ir.Event, error) {
	f := compiler.Function{Name: s.Name, Exit: exit, Values: Values(s.Args)}
	if exit {
		f.Values = Values(s.Results)
	}
	if s.Module != nil {
		f.Module = s.Module.Name
	}
	opts.BigEndian = c.rec.Info().BigEndian
	opts.Enums = []compiler.Enums{c.modules.Enums(s.Module, f.Values), c.builtin}
	ev, err := compiler.Compile(f, opts)
	ev.Label = s.Shown()
	return ev, err
}
