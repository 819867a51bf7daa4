package play

import (
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/uftrace"
)

// actionFlags are what filters and triggers do at a function.
type actionFlags uint16

const (
	doFilter    actionFlags = 1 << iota // -F: show it and what it calls
	doNotrace                           // -N: hide it and what it calls
	doDepth                             // limit the depth of the calls from here on
	doTime                              // hide short calls below
	doSize                              // hide small functions below
	doTraceOn                           // show from here on
	doTraceOff                          // hide from here on
	doTrace                             // show it although it is short
	doHide                              // hide it alone
	doCaller                            // -C: show those that call it
	doBacktrace                         // show how it was reached
	doColor
	doLoc    // -L: its source file is wanted
	doNotLoc // its source file is not wanted
)

// action is what happens at a function.
type action struct {
	flags actionFlags
	color Color
	depth int32
	time  uint64
	size  uint64
}

// actions are those of all symbols. They are few, so that symbols hold the number of theirs.
type actions struct {
	mapped   map[*uftrace.Module]bool // uftrace filters nothing in libraries of dlopen
	list     []action
	bySymbol []uint16 // 0: none
	all      actionFlags
	called   bool   // a function is one of -C
	missed   string // the items, when a kind of them matches nothing
}

func newActions(symbols []*uftrace.Symbol) actions {
	return actions{list: make([]action, 1, 8), bySymbol: make([]uint16, len(symbols))}
}

// of is the action at a symbol, nil for none.
func (a *actions) of(s *uftrace.Symbol) *action {
	if s == nil || uint(s.Index) >= uint(len(a.bySymbol)) {
		return nil
	}
	if n := a.bySymbol[s.Index]; n != 0 {
		return &a.list[n]
	}
	return nil
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

// compile works out what the options do at each function. As in uftrace, filters, triggers, callers and hidden
// functions are taken in this order until nothing has matched so far; the rest of them is left out then, with a warning.
func compile(rec *uftrace.Recording, o *Options) actions {
	a := newActions(rec.Symbols())
	a.mapped = mappedModules(rec)
	filters := o.Filters
	for _, n := range o.NoTrace {
		filters = append(filters[:len(filters):len(filters)], "!"+n)
	}
	lists := []struct {
		items []string
		base  actionFlags
		alone bool // what matched before counts for nothing
	}{{filters, doFilter, false}, {o.Triggers, 0, false}, {o.Callers, doCaller, false}, {o.Hide, doHide, true}}
	found, failed := hasSpecs(rec), false
	var texts []string
	for _, l := range lists {
		if len(l.items) == 0 {
			continue
		}
		text := strings.Join(l.items, ";")
		texts = append(texts, text)
		if failed {
			continue
		}
		if l.alone {
			found = a.called
		}
		found = a.items(rec, o, text, l.base) || found
		a.called = found && l.base == doCaller
		failed = !found
	}
	if len(o.Locs) > 0 {
		text := strings.Join(o.Locs, ";")
		texts = append(texts, text)
		failed = !a.items(rec, o, text, doLoc) || failed
	}
	if failed {
		a.missed = strings.Join(texts, " or ")
	}
	for _, act := range a.list {
		a.all |= act.flags
	}
	return a
}

// hasSpecs says whether a function has specs of values. uftrace keeps them with the filters, so that it does not notice
// then that those match nothing.
func hasSpecs(rec *uftrace.Recording) bool {
	for _, s := range rec.Symbols() {
		if len(s.Args)+len(s.Results) > 0 {
			return true
		}
	}
	return false
}

// mappedModules are the modules that a program had from its start, and the kernel.
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

// items adds a list of items, and says whether a function is one of theirs.
func (a *actions) items(rec *uftrace.Recording, o *Options, list string, base actionFlags) bool {
	found := false
	for _, item := range strings.Split(list, ";") {
		if item != "" && a.item(rec, o, item, base) {
			found = true
		}
	}
	return found
}

// item adds one item: [!]pattern[@word,...]. A word is an action or the module.
func (a *actions) item(rec *uftrace.Recording, o *Options, item string, base actionFlags) bool {
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
	module := ""
	for _, word := range strings.Split(words, ",") {
		if word == "" {
			continue
		}
		if !change.word(word) {
			module = word
		}
	}
	match := uftrace.Match(pattern, o.Glob)
	found := false
	for _, s := range rec.Symbols() {
		if !inModule(s, module) || !a.mapped[s.Module] {
			continue
		}
		name := s.Simple
		if change.flags&(doLoc|doNotLoc) != 0 {
			if name = s.File; name == "" {
				continue
			}
		}
		if match(name) {
			found = true
			a.add(s.Index, change.onto)
		}
	}
	return found
}

// onto adds what c does to an action. Of filter and notrace the last one holds.
func (c *action) onto(old *action) {
	if c.flags&doFilter != 0 {
		old.flags &^= doNotrace
	}
	if c.flags&doNotrace != 0 {
		old.flags &^= doFilter
	}
	old.flags |= c.flags
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
}

// colors are the names of the colours in triggers.
var colors = map[string]Color{
	"red": ColorRed, "green": ColorGreen, "blue": ColorBlue, "yellow": ColorYellow, "magenta": ColorMagenta,
	"cyan": ColorCyan, "bold": ColorBold, "gray": ColorGray,
}

// word adds what a word of a trigger asks for, and says whether it is such a word. Those that only a recorder obeys are
// accepted.
func (c *action) word(word string) bool {
	key, value, _ := strings.Cut(word, "=")
	switch strings.ReplaceAll(key, "-", "_") {
	case "filter":
		c.flags = c.flags&^doNotrace | doFilter
	case "notrace":
		c.flags = c.flags&^doFilter | doNotrace
	case "depth":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return true
		}
		c.flags, c.depth = c.flags|doDepth, int32(min(n, 1<<20))
	case "time":
		c.flags, c.time = c.flags|doTime, parseTime(value)
	case "size":
		n, _ := strconv.ParseUint(value, 0, 64)
		c.flags, c.size = c.flags|doSize, n
	case "trace_on":
		c.flags |= doTraceOn
	case "trace_off":
		c.flags |= doTraceOff
	case "trace":
		c.flags |= doTrace
	case "hide":
		c.flags |= doHide
	case "caller":
		c.flags |= doCaller
	case "backtrace":
		c.flags |= doBacktrace
	case "color":
		if color, ok := colors[value]; ok {
			c.flags, c.color = c.flags|doColor, color
		}
	case "recover", "finish", "read", "retval", "auto_args":
	default:
		return strings.HasPrefix(word, "arg") || strings.HasPrefix(word, "fparg") || strings.HasPrefix(word, "retval")
	}
	return true
}

// parseTime reads a time with a unit; without one it is in nanoseconds.
func parseTime(s string) uint64 {
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.') {
		i++
	}
	v, _ := strconv.ParseFloat(s[:i], 64)
	switch s[i:] {
	case "us", "usec":
		v *= 1e3
	case "ms", "msec":
		v *= 1e6
	case "s", "sec":
		v *= 1e9
	case "m", "min":
		v *= 60e9
	}
	return uint64(v)
}
