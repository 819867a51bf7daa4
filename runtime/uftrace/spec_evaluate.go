package uftrace

import (
	"strings"

	"github.com/tracec/tracec/runtime/symbols/demangle"
)

// evaluate computes the argument specs of all symbols (uftrace.md 1.7), and their simple names.
// Specs match these names.
func evaluate(r *Recording) {
	in := &r.info
	old := !since14(in.Recorder) // 0.13 does not demangle Rust's second scheme
	for _, s := range r.progs.symbols {
		s.form = r.config.demangle
		if len(s.Name) > 2 && s.Name[0] == '_' && !(old && s.Name[1] == 'R') {
			s.Simple = demangle.Simple(s.Name)
		}
	}
	if in.ArgSpec == "" && in.RetSpec == "" && !in.AutoArgs {
		return
	}
	e := newEvaluation(r)
	e.items(in.ArgSpec, false, false) // an item with only specs of the other kind counts as an item without specs
	e.items(in.RetSpec, true, false)
	if strings.Contains(in.ArgSpec, "retval") {
		e.items(in.ArgSpec, true, false)
	}
	if in.AutoArgs {
		if in.Features&FeatDebugInfo != 0 {
			e.everything(false)
			e.everything(true)
		} else {
			e.items(in.ArgAuto, false, true)
			e.items(in.RetAuto, true, true)
			if strings.Contains(in.ArgAuto, "retval") {
				e.items(in.ArgAuto, true, true)
			}
		}
	}
	e.finish()
}

// since14 reports whether the recorder has version 0.14 or later.
func since14(recorder string) bool {
	rest, ok := strings.CutPrefix(recorder, "v")
	major, rest, ok2 := leadingNumber(rest)
	rest, ok3 := strings.CutPrefix(rest, ".")
	minor, _, ok4 := leadingNumber(rest)
	return ok && ok2 && ok3 && ok4 && (major > 0 || minor >= 14)
}

// evaluation holds the specs of the functions while items are applied in their order.
type evaluation struct {
	r       *Recording
	reader  specReader
	glob    bool
	plain   bool // all patterns are names
	symbols []*Symbol
	byName  map[string][]int32     // positions in symbols by simple name
	lists   [][]ranked             // parallel to symbols
	auto    [2]map[string][]ranked // the built-in lists, of arguments and results
}

// ranked is a spec, with the information whether its pattern was a plain name. Plain names take
// precedence.
type ranked struct {
	Spec
	place place
	exact bool
}

func newEvaluation(r *Recording) *evaluation {
	in := &r.info
	arm := strings.HasPrefix(in.CPUDesc, "ARM") || strings.HasPrefix(in.CPUDesc, "RISCV")
	e := &evaluation{r: r, reader: specReader{wordSize: in.WordSize, x86: !arm},
		glob: in.PatternType == "glob", plain: in.PatternType == "simple", byName: map[string][]int32{}}
	for _, m := range r.progs.modules {
		if m == r.progs.kernel {
			continue // kernel functions have no payload
		}
		for _, s := range m.Symbols {
			e.byName[s.Simple] = append(e.byName[s.Simple], int32(len(e.symbols)))
			e.symbols = append(e.symbols, s)
		}
	}
	e.lists = make([][]ranked, len(e.symbols))
	if in.Features&FeatAutoArgs != 0 {
		e.auto = [2]map[string][]ranked{e.autoList(in.ArgAuto, false), e.autoList(in.RetAuto, true)}
	}
	return e
}

// autoList returns a built-in list by simple name.
func (e *evaluation) autoList(text string, results bool) map[string][]ranked {
	list := map[string][]ranked{}
	for item := range strings.SplitSeq(text, ";") {
		name, words, _ := strings.Cut(item, "@")
		specs, _, ok := e.reader.words(words, results)
		if name = demangle.Simple(name); ok && name != "" {
			for _, s := range specs {
				list[name] = merge(list[name], ranked{s, e.reader.place(&s), true})
			}
		}
	}
	return list
}

// items applies a list. results selects the kind of specs. If auto is set, functions that have
// specs of that kind keep them.
func (e *evaluation) items(text string, results, auto bool) {
	for item := range strings.SplitSeq(text, ";") {
		pattern, words, _ := strings.Cut(item, "@")
		if pattern = demangle.Simple(pattern); pattern != "" {
			e.item(pattern, words, results, auto)
		}
	}
}

func (e *evaluation) item(pattern, words string, results, auto bool) {
	specs, module, ok := e.reader.words(words, results)
	if !ok {
		return
	}
	exact := e.plain || exactPattern(pattern)
	apply := func(i int32) {
		if !e.inModule(e.symbols[i], module) {
			return
		}
		list := specs
		if len(specs) == 0 {
			list = e.known(e.symbols[i], results)
		}
		e.add(i, list, exact, results, auto)
	}
	if exact {
		for _, i := range e.byName[pattern] {
			apply(i)
		}
		return
	}
	match := compilePattern(pattern, e.glob)
	if match == nil {
		return
	}
	for i, s := range e.symbols {
		if match(s.Simple) {
			apply(int32(i))
		}
	}
}

// everything applies the option -a: the known specs of every function. uftrace does this by the
// pattern "." or "*", which matches nothing if patterns are plain names.
func (e *evaluation) everything(results bool) {
	if e.plain {
		return
	}
	for i, s := range e.symbols {
		e.add(int32(i), e.known(s, results), false, results, true)
	}
}

// known returns the specs of a function from debug information, or else from the built-in list.
func (e *evaluation) known(s *Symbol, results bool) []Spec {
	kind := 0
	if results {
		kind = 1
	}
	if d := s.Module.debug[s.Addr]; d != nil {
		if text := [2]string{d.args, d.results}[kind]; text != "" {
			specs, _, _ := e.reader.words(text, results) // the valid ones (observed on 0.13)
			return specs
		}
	}
	var specs []Spec
	for _, s := range e.auto[kind][s.Simple] {
		specs = append(specs, s.Spec)
	}
	return specs
}

// add merges specs into the list of a function.
func (e *evaluation) add(i int32, specs []Spec, exact, results, auto bool) {
	list := e.lists[i]
	if auto {
		for k := range list {
			if list[k].Result == results {
				return
			}
		}
	}
	for _, s := range specs {
		list = merge(list, ranked{s, e.reader.place(&s), exact})
	}
	e.lists[i] = list
}

// merge appends a spec, or replaces the spec of the same value in its place.
func merge(list []ranked, s ranked) []ranked {
	for k := range list {
		if old := &list[k]; s.place == old.place {
			if s.exact || !old.exact {
				old.Format, old.Size, old.TypeName, old.exact = s.Format, s.Size, s.TypeName, s.exact
			}
			return list
		}
	}
	return append(list, s)
}

// inModule reports whether a module word includes the symbol: PLT, or the start of a base name.
func (e *evaluation) inModule(s *Symbol, word string) bool {
	switch word {
	case "":
		return true
	case "PLT":
		return s.Type == 'P'
	}
	return strings.HasPrefix(s.Module.Name, word)
}

// finish gives the functions their specs.
func (e *evaluation) finish() {
	for i, list := range e.lists {
		for k := range list {
			s := e.symbols[i]
			if list[k].Result {
				s.Results = append(s.Results, list[k].Spec)
			} else {
				s.Args = append(s.Args, list[k].Spec)
			}
		}
	}
}
