package uftrace

import (
	"strings"

	"github.com/tracec/tracec/runtime/uftrace/demangle"
)

// evaluate works out the argument specs of all symbols (uftrace.md 1.7), and their simple names, which specs match.
func evaluate(r *Recording) {
	in := &r.info
	old := strings.HasPrefix(in.Recorder, "v0.13") // which leaves Rust's second scheme as it is
	for _, s := range r.symbols {
		if len(s.Name) > 2 && s.Name[0] == '_' && !(old && s.Name[1] == 'R') {
			s.Simple = demangle.Simple(s.Name)
		}
	}
	if in.ArgSpec == "" && in.RetSpec == "" && !in.AutoArgs {
		return
	}
	e := newEvaluation(r)
	e.items(in.ArgSpec, false, false)
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
		}
	}
	e.finish()
}

// evaluation holds the specs of the functions while items are applied in their order.
type evaluation struct {
	r       *Recording
	reader  specReader
	glob    bool
	symbols []*Symbol
	byName  map[string][]int32 // positions in symbols by simple name
	lists   [][]ranked         // parallel to symbols
	auto    [2]map[string]string
}

// ranked is a spec and whether its pattern was a plain name: those win over the others.
type ranked struct {
	Spec
	exact bool
}

func newEvaluation(r *Recording) *evaluation {
	e := &evaluation{r: r, reader: specReader{r.info.WordSize}, glob: r.info.PatternType == "glob", byName: map[string][]int32{}}
	for _, m := range r.modules {
		if m == r.kernel {
			continue // kernel functions have no payload
		}
		for _, s := range m.Symbols {
			e.byName[s.Simple] = append(e.byName[s.Simple], int32(len(e.symbols)))
			e.symbols = append(e.symbols, s)
		}
	}
	e.lists = make([][]ranked, len(e.symbols))
	e.auto = [2]map[string]string{autoList(r.info.ArgAuto), autoList(r.info.RetAuto)}
	return e
}

// autoList is the built-in list by simple name.
func autoList(text string) map[string]string {
	list := map[string]string{}
	for item := range strings.SplitSeq(text, ";") {
		name, words, ok := strings.Cut(item, "@")
		if name = demangle.Simple(strings.TrimSpace(name)); ok && name != "" {
			if _, dup := list[name]; !dup {
				list[name] = words
			}
		}
	}
	return list
}

// items applies a list; results tells which kind of specs is wanted, auto that functions with specs of that kind keep
// them.
func (e *evaluation) items(text string, results, auto bool) {
	for item := range strings.SplitSeq(text, ";") {
		pattern, words, _ := strings.Cut(item, "@")
		if pattern = demangle.Simple(strings.TrimSpace(pattern)); pattern != "" {
			e.item(pattern, words, results, auto)
		}
	}
}

func (e *evaluation) item(pattern, words string, results, auto bool) {
	specs, module := e.reader.words(words)
	given := len(specs) > 0
	specs = ofKind(specs, results)
	if given && len(specs) == 0 {
		return
	}
	exact := exactPattern(pattern)
	apply := func(i int32) {
		if !e.inModule(e.symbols[i], module) {
			return
		}
		list := specs
		if !given {
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

// everything applies the option -a: what is known of every function.
func (e *evaluation) everything(results bool) {
	for i, s := range e.symbols {
		e.add(int32(i), e.known(s, results), false, results, true)
	}
}

// known is what debug information, or else the built-in list, tells of a function.
func (e *evaluation) known(s *Symbol, results bool) []Spec {
	text := ""
	if d := s.Module.debug[s.Addr]; d != nil && (d.args != "" || d.results != "") {
		text = d.args
		if results {
			text = d.results
		}
	} else if results {
		text = e.auto[1][s.Simple]
	} else {
		text = e.auto[0][s.Simple]
	}
	if text == "" {
		return nil
	}
	specs, _ := e.reader.words(text)
	return ofKind(specs, results)
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
		list = merge(list, ranked{s, exact})
	}
	e.lists[i] = list
}

func merge(list []ranked, s ranked) []ranked {
	for k := range list {
		if old := &list[k]; s.sameValue(&old.Spec) {
			if s.exact || !old.exact {
				*old = s
			}
			return list
		}
	}
	return append(list, s)
}

// inModule says whether the symbol is one that a module word means: PLT, or the start of a base name.
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

// ofKind keeps the specs of arguments or of results.
func ofKind(specs []Spec, results bool) []Spec {
	n := 0
	for _, s := range specs {
		if s.Result == results {
			specs[n] = s
			n++
		}
	}
	return specs[:n]
}
