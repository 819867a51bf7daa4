package gen

import (
	"fmt"
	"slices"

	compiler "github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/runtime/bind/calls"
	"github.com/tracec/tracec/runtime/uftrace"
)

// RecordedCalls returns the functions of a recording that have argument specs and that match wants, of the modules that
// have records; of all modules when there is no record. A function that several modules have, such as a library function
// that all of them call, is one Call if its values are the same in all. The errors say which functions are left out.
//
// It reads the whole recording.
func RecordedCalls(rec *uftrace.Recording, match func(module, name string) bool) (list []Call, errs []error) {
	used := usedModules(rec)
	c := caller{rec: rec, builtin: compiler.ParseEnums(rec.Info().EnumAuto), modules: map[*uftrace.Module]compiler.Enums{}}
	groups := map[string][]*uftrace.Symbol{}
	var names []string
	for _, s := range rec.Symbols() {
		if len(s.Args)+len(s.Results) == 0 || len(used) > 0 && !used[s.Module] || !match(s.Module.Name, s.Simple) {
			continue
		}
		if groups[s.Name] == nil {
			names = append(names, s.Name)
		}
		groups[s.Name] = append(groups[s.Name], s)
	}
	for _, n := range names {
		calls, err := c.group(groups[n])
		list, errs = append(list, calls...), append(errs, err...)
	}
	return list, errs
}

// usedModules are those that records belong to.
func usedModules(rec *uftrace.Recording) map[*uftrace.Module]bool {
	used := map[*uftrace.Module]bool{}
	var last *uftrace.Module
	for _, s := range rec.Streams() {
		for {
			batch, err := s.Next()
			if err != nil {
				break // what it could not read is in Damage
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

// caller makes Calls.
type caller struct {
	rec     *uftrace.Recording
	builtin compiler.Enums
	modules map[*uftrace.Module]compiler.Enums
}

// variant is symbols of one name and one layout.
type variant struct {
	module, layout string
	call           Call
}

// group makes the Calls of symbols of one name. With one layout in all modules that is one. Otherwise the program's
// own stands for all modules, if it has one layout, and the others for theirs.
func (c *caller) group(symbols []*uftrace.Symbol) (list []Call, errs []error) {
	var all []variant
	several := false
	for _, s := range symbols {
		call, err := c.call(s)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		v := variant{s.Module.Name, layoutKey(&call), call}
		if !slices.ContainsFunc(all, func(o variant) bool { return o.module == v.module && o.layout == v.layout }) {
			several = several || len(all) > 0 && all[0].layout != v.layout
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil, errs
	}
	if !several {
		return []Call{all[0].call}, errs
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
			v.call.Module = v.module
		}
		list = append(list, v.call)
	}
	return list, errs
}

// programName is the base name of the program that was started.
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

// call compiles both sides of a symbol.
func (c *caller) call(s *uftrace.Symbol) (Call, error) {
	call := Call{Name: s.Name, Simple: s.Simple}
	var err error
	if call.Args, err = c.payload(s, s.Args, false); err == nil {
		call.Result, err = c.payload(s, s.Results, true)
	}
	if err != nil {
		return call, fmt.Errorf("%s: %s: %w", s.Module.Name, s.Name, err)
	}
	return call, nil
}

func (c *caller) payload(s *uftrace.Symbol, specs []uftrace.Spec, exit bool) (*Payload, error) {
	if len(specs) == 0 {
		return nil, nil
	}
	f := compiler.Function{Module: s.Module.Name, Name: s.Simple, Exit: exit}
	var err error
	if f.Values, err = compiler.ParseValues(s.Simple, uftrace.SpecList(specs), c.rec.Info().WordSize); err != nil {
		return nil, err
	}
	lists := []compiler.Enums{c.enums(s.Module, f.Values), c.builtin}
	ev, err := compiler.Compile(f, compiler.Options{Form: compiler.Replay, Enums: lists})
	if err != nil {
		return nil, err
	}
	p := &Payload{Event: ev, Layout: calls.Layout(specs, c.rec.Info().BigEndian), Enums: map[string]*Enum{}}
	for i := range specs {
		if table := compiler.Find(specs[i].TypeName, lists...); specs[i].Format == 'e' && table != nil && len(table.Rows) > 0 {
			p.Enums[p.Layout.Fields[i].Name] = &Enum{specs[i].TypeName, table}
		}
	}
	return p, nil
}

// enums are the enumerations of a module, at least those that the values name.
func (c *caller) enums(m *uftrace.Module, values []compiler.Value) compiler.Enums {
	e := c.modules[m]
	if e == nil {
		e = compiler.Enums{}
		c.modules[m] = e
	}
	e.Add(m.Enums, values)
	return e
}
