package gen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
)

// call is one function that uftrace recorded.
type call struct {
	// module is the base name of its program or library; empty when it is the same in all that no other function of that
	// name names.
	module string
	name   string // as in the symbol table, mangled
	simple string // for people and identifiers: without template arguments and parameters
	// args is what a record of its call holds, result one of its return; nil without values.
	args, result *ir.Event
}

// callsOf pairs the events of calls and returns.
func callsOf(events []*ir.Event) (list []call) {
	for i, ev := range events {
		last := len(list) - 1
		if ev.Exit && i > 0 && !events[i-1].Exit && list[last].is(ev) {
			list[last].result = ev
			continue
		}
		c := call{module: ev.Group, name: ev.Name, simple: cmp.Or(ev.Label, ev.Name)}
		if ev.Exit {
			c.result = ev
		} else {
			c.args = ev
		}
		list = append(list, c)
	}
	return list
}

func (c *call) is(ev *ir.Event) bool { return c.module == ev.Group && c.name == ev.Name }

// callPkg is a package of functions.
type callPkg struct {
	callbacks
	sides []*side // the call and the return of each function: a callback each

	enumList []*enum
}

// side is the call or the return of a function.
type side struct {
	*call
	callback
	exit bool
}

func planCalls(target ir.Target, events []*ir.Event) (*callPkg, error) {
	calls := callsOf(events)
	slices.SortStableFunc(calls, func(a, b call) int {
		return cmp.Or(cmp.Compare(a.simple, b.simple), cmp.Compare(a.name, b.name), cmp.Compare(a.module, b.module))
	})
	names, err := callNames(calls, target)
	if err != nil {
		return nil, err
	}
	p := &callPkg{callbacks: callbacks{target: target, entry: uftracePath}}
	var errs []error
	for i := range calls {
		for _, exit := range [2]bool{false, true} {
			s, err := newSide(&calls[i], target, names[i], exit)
			errs = append(errs, err)
			p.sides, p.list = append(p.sides, s), append(p.list, &s.callback)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	p.enums()
	return p, nil
}

func newSide(c *call, target ir.Target, name string, exit bool) (*side, error) {
	s := &side{call: c, callback: callback{goName: name}, exit: exit}
	ev, suffix, doc := c.args, "Args", "Args holds the arguments of "
	if exit {
		s.goName += "Return"
		ev, suffix, doc = c.result, "Result", "Result holds what is returned by "
	}
	if ev == nil {
		return s, nil
	}
	var err error
	s.payload, err = planPayload(ev, target, name+suffix, c.label(), name+doc+plain(c.label())+".")
	return s, err
}

// label is the function in messages and comments.
func (c *call) label() string {
	s := c.simple
	if c.module != "" {
		s = c.module + ":" + s
	}
	if c.name != c.simple {
		s += " (" + c.name + ")"
	}
	return s
}

// callNames gives every function its identifier. A function of one module alone has it in front. Functions that cannot be told
// apart, such as overloaded ones, get a suffix that depends on nothing but their own names.
func callNames(calls []call, target ir.Target) ([]string, error) {
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = goName(c.simple)
		if c.module != "" {
			names[i] = goName(c.module) + names[i]
		}
	}
	for range 2 {
		clash := callClashes(names)
		for i, c := range calls {
			if clash[i] {
				names[i] = goName(c.simple) + "X" + fingerprint(c.module+":"+c.name+":"+layoutKey(&c, target), 4)
			}
		}
	}
	if i := slices.Index(callClashes(names), true); i >= 0 {
		return nil, fmt.Errorf("gen: %s and another function both become the Go name %s: leave one out", calls[i].label(), names[i])
	}
	return names, nil
}

// layoutKey tells functions of one name and module apart.
func layoutKey(c *call, target ir.Target) string {
	s := ""
	for _, ev := range []*ir.Event{c.args, c.result} {
		if ev != nil && len(ev.Values) > 0 {
			s += fmt.Sprint(layoutOf(ev, target))
		}
		s += ";"
	}
	return s
}

// callClashes finds the functions that share one of their identifiers with another.
func callClashes(names []string) []bool {
	taken := make(map[string]int)
	for n := range callReserved {
		taken[n] = -1
	}
	clash := make([]bool, len(names))
	for i, n := range names {
		for _, suffix := range []string{"", "Return", "Args", "Result"} {
			j, ok := taken[n+suffix]
			if ok && j != i {
				clash[i] = true
				if j >= 0 {
					clash[j] = true
				}
				continue
			}
			taken[n+suffix] = i
		}
	}
	return clash
}
