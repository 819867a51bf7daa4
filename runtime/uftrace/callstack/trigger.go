package callstack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/uftrace"
)

// actionFlags are the actions of filters and triggers at a function.
type actionFlags uint16

const (
	doFilter    actionFlags = 1 << iota // -F: show it and its callees
	doNotrace                           // -N: hide it and its callees
	doDepth                             // limit the depth of the calls from this one on
	doTime                              // hide short calls below
	doSize                              // hide small functions below
	doTraceOn                           // show calls from this one on
	doTraceOff                          // hide calls from this one on
	doTrace                             // show it even if it is short
	doHide                              // hide only this call
	doCaller                            // -C: show its callers
	doBacktrace                         // show its callers
	doColor
	doLoc    // -L: its source file is selected
	doNotLoc // its source file is excluded
)

// action is the action at a function.
type action struct {
	flags actionFlags
	color Color
	depth int32
	time  uint64
	size  uint64
	cond  condition // of doFilter and doNotrace
}

// actions are the actions of all symbols. They are few, so that symbols hold their numbers.
type actions struct {
	mapped   map[*uftrace.Module]bool // uftrace does not filter in libraries of dlopen
	list     []action
	bySymbol []uint16 // 0 for no action
	all      actionFlags
	missed   string // the list of all items, if no item of one kind matches
	doubts   []string
	unknown  []error // words that are neither actions nor modules
}

func newActions(symbols []*uftrace.Symbol) actions {
	return actions{list: make([]action, 1, 8), bySymbol: make([]uint16, len(symbols))}
}

// of returns the action at a symbol, or nil.
func (a *actions) of(s *uftrace.Symbol) *action {
	if s == nil || uint(s.Index) >= uint(len(a.bySymbol)) {
		return nil
	}
	if n := a.bySymbol[s.Index]; n != 0 {
		return &a.list[n]
	}
	return nil
}

// some reports whether a function has one of these flags.
func (a *actions) some(flags actionFlags) bool {
	return slices.ContainsFunc(a.list, func(act action) bool { return act.flags&flags != 0 })
}

// add changes the action of a symbol.
func (a *actions) add(index int32, change func(*action)) {
	old := a.list[a.bySymbol[index]]
	change(&old)
	for i, other := range a.list {
		if other == old {
			a.bySymbol[index] = uint16(i)
			return
		}
	}
	if len(a.list) < 1<<16-1 {
		a.bySymbol[index] = uint16(len(a.list))
		a.list = append(a.list, old)
	}
}

// compile computes the actions at each function. As in uftrace, filters, triggers, callers and
// hidden functions are applied in this order. If nothing has matched up to some point, the rest is
// dropped, with a warning.
func compile(rec *uftrace.Recording, f *Functions) actions {
	a := newActions(rec.Symbols())
	a.mapped = mappedModules(rec)
	filters := f.Filters
	for _, n := range f.NoTrace {
		filters = append(filters[:len(filters):len(filters)], "!"+n)
	}
	lists := []struct {
		items []string
		base  actionFlags
		alone bool // only callers and hidden functions count as earlier matches
	}{{filters, doFilter, false}, {f.Triggers, 0, false}, {f.Callers, doCaller, false}, {f.Hide, doHide, true}}
	found, failed := hasSpecs(rec), false
	var texts []string
	for _, l := range lists {
		if len(l.items) == 0 {
			continue
		}
		text := strings.Join(l.items, ";")
		texts = append(texts, text)
		if failed {
			a.doubt(text, "ignored, as by uftrace, because an earlier filter matches nothing")
			continue
		}
		if l.alone {
			found = a.some(doCaller | doHide)
		}
		found = a.items(rec, f, text, l.base) || found
		failed = !found
	}
	if len(f.Locs) > 0 {
		text := a.locations(f.Locs)
		texts = append(texts, text)
		if failed && len(f.Hide) > 0 { // a failed -H also disables -L; other failures do not (tested with 0.13)
			a.doubt(text, "ignored, as by uftrace, because an earlier filter matches nothing")
		} else {
			failed = !a.items(rec, f, text, doLoc) || failed
		}
	}
	if failed {
		a.missed = strings.Join(texts, " or ")
	}
	if f.Only != nil {
		for _, s := range rec.Symbols() {
			if f.Only(s) {
				a.add(s.Index, (&action{flags: doFilter}).onto)
			}
		}
	}
	for _, act := range a.list {
		a.all |= act.flags
	}
	if f.NoFiles {
		a.all |= doLoc
	}
	return a
}

// locations joins the options -L. uftrace reads FILE@hide as !FILE. But it searches for the word in
// the whole option: it applies to the first file, and the text after it is lost.
func (a *actions) locations(options []string) string {
	var list []string
	for _, o := range options {
		before, after, hide := strings.Cut(o, "@hide")
		if hide {
			if strings.Contains(before, ";") || after != "" {
				a.doubt(o, "@hide is taken, as by uftrace, as ! before the first file, and nothing after it counts")
			}
			o = "!" + before
		}
		list = append(list, o)
	}
	return strings.Join(list, ";")
}

// hasSpecs reports whether a function has specs of values. uftrace stores them with the filters, so
// it does not notice filters that match nothing.
func hasSpecs(rec *uftrace.Recording) bool {
	for _, s := range rec.Symbols() {
		if len(s.Args)+len(s.Results) > 0 {
			return true
		}
	}
	return false
}

// mappedModules returns the modules that a program had from its start, and the kernel.
func mappedModules(rec *uftrace.Recording) map[*uftrace.Module]bool {
	mapped := map[*uftrace.Module]bool{}
	for _, s := range rec.Sessions() {
		for i := range s.Maps {
			mapped[s.Maps[i].Module] = true
		}
	}
	for _, s := range rec.Symbols() {
		if s.Type == 'K' || s.Module != nil && strings.HasPrefix(s.Module.Name, "[") {
			mapped[s.Module] = true
		}
	}
	return mapped
}

// items adds a list of items, and reports whether one of them matches a function.
func (a *actions) items(rec *uftrace.Recording, f *Functions, list string, base actionFlags) bool {
	found := false
	for _, item := range strings.Split(list, ";") {
		if item != "" && a.item(rec, f, item, base) {
			found = true
		}
	}
	return found
}

// item adds one item: [!]pattern[@word,...]. A word is an action or the module. As in uftrace, an
// item with an invalid action is dropped. Unrecognized text becomes a doubt.
func (a *actions) item(rec *uftrace.Recording, f *Functions, item string, base actionFlags) bool {
	pattern, words, _ := strings.Cut(item, "@")
	change := action{flags: base}
	if strings.HasPrefix(pattern, "!") {
		pattern = pattern[1:]
		switch base {
		case doLoc:
			change.flags = doNotLoc
		case doFilter, doNotrace, 0:
			change.flags = doNotrace
		}
	}
	module, refused := "", false
	for _, word := range strings.Split(words, ",") {
		if word == "" {
			continue
		}
		if base != 0 && base != doLoc && !change.mayHave(word) {
			a.doubt(item, strconv.Quote(word)+" is left out, as uftrace does: it is an action of triggers (-T)")
			continue
		}
		known, doubt, refuses := change.word(word)
		if !known {
			module = word
		}
		if doubt != "" {
			a.doubt(item, doubt)
		}
		refused = refused || refuses
	}
	if refused {
		return false
	}
	m := matches{match: f.Match.match(pattern, f.shown(rec)), name: f.Name, module: module}
	for _, s := range rec.Symbols() {
		if !a.mapped[s.Module] {
			continue
		}
		m.symbols = true
		if m.wants(s, change.flags&(doLoc|doNotLoc) != 0, change.cond.arg) {
			a.add(s.Index, change.onto)
		}
	}
	if err := m.unknown(rec); err != nil {
		a.unknown = append(a.unknown, fmt.Errorf("%q: %w", item, err))
	} else if doubt := m.doubt(pattern, change.cond.arg); doubt != "" {
		a.doubt(item, doubt)
	}
	return m.found
}

func (a *actions) doubt(item, text string) {
	a.doubts = append(a.doubts, strconv.Quote(item)+": "+text)
}

// onto adds c to an action. Between filter and notrace the last one applies. The same holds for -L
// with and without !, and for trace_on and trace_off. An item with the two last words removes both,
// as in uftrace.
func (c *action) onto(old *action) {
	if c.flags&doFilter != 0 {
		old.flags &^= doNotrace
	}
	if c.flags&doNotrace != 0 {
		old.flags &^= doFilter
	}
	if c.flags&(doLoc|doNotLoc) != 0 {
		old.flags &^= doLoc | doNotLoc
	}
	old.flags |= c.flags
	if c.flags&doTraceOn != 0 {
		old.flags &^= doTraceOff
	}
	if c.flags&doTraceOff != 0 {
		old.flags &^= doTraceOn
	}
	if c.flags&doDepth != 0 {
		old.depth = c.depth
	}
	if c.flags&doTime != 0 {
		old.time = c.time
	}
	if c.flags&doSize != 0 {
		old.size = c.size
	}
	if c.flags&doColor != 0 {
		old.color = c.color
	}
	if c.cond.arg != 0 {
		old.cond = c.cond
	}
}

// colors are the names of the colours in triggers.
var colors = map[string]Color{
	"red": ColorRed, "green": ColorGreen, "blue": ColorBlue, "yellow": ColorYellow, "magenta": ColorMagenta,
	"cyan": ColorCyan, "bold": ColorBold, "gray": ColorGray,
}
