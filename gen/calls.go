package gen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
)

// Call is one function of a uftrace recording to generate code for.
type Call struct {
	// Module is the base name of its program or library; empty when it is the same in all that no other Call of that
	// name names.
	Module string
	Name   string // as in the symbol table, mangled
	Simple string // for people and identifiers: without template arguments and parameters
	// Args is what a record of its call holds, Result one of its return; nil without values.
	Args, Result *Payload
}

// GenerateCalls writes the Go code of functions that uftrace recorded, which it does not change; source is named in the
// first lines. target is the machine that recorded. The same input gives the same bytes, whatever the order of calls.
//
// Errors say which function cannot be generated and why; there are then no files.
func GenerateCalls(source string, target ir.Target, calls []Call, opts Options) ([]File, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	if opts.Split {
		return nil, errors.New("gen: functions make one package: leave out the split")
	}
	p, err := planCalls(target, calls)
	if err != nil {
		return nil, err
	}
	return writeAll(p.files(opts), opts, source)
}

// callPkg is a package of functions.
type callPkg struct {
	callbacks
	sides []*side // the call and the return of each function: a callback each

	enumList []*enum
}

// side is the call or the return of a function.
type side struct {
	*Call
	callback
	exit bool
}

func planCalls(target ir.Target, list []Call) (*callPkg, error) {
	if len(list) == 0 {
		return nil, errors.New("gen: no functions to generate")
	}
	calls := slices.Clone(list)
	slices.SortStableFunc(calls, func(a, b Call) int {
		return cmp.Or(cmp.Compare(a.Simple, b.Simple), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Module, b.Module))
	})
	names, err := callNames(calls)
	if err != nil {
		return nil, err
	}
	p := &callPkg{callbacks: callbacks{target: target, entry: uftracePath}}
	var errs []error
	for i := range calls {
		c := &calls[i]
		for _, exit := range [2]bool{false, true} {
			s, err := newSide(c, names[i], exit)
			if err == nil && s.payload != nil && s.payload.Layout.BigEndian != target.BigEndian {
				err = fmt.Errorf("gen: %s: its layout is of another byte order", c.label())
			}
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

func newSide(c *Call, name string, exit bool) (*side, error) {
	s := &side{Call: c, callback: callback{goName: name}, exit: exit}
	what, suffix, doc := c.Args, "Args", "Args holds the arguments of "
	if exit {
		s.goName += "Return"
		what, suffix, doc = c.Result, "Result", "Result holds what is returned by "
	}
	if what == nil || len(what.Event.Values) == 0 {
		return s, nil
	}
	var err error
	s.payload, err = planPayload(*what, name+suffix, c.label(), name+doc+plain(c.label())+".")
	return s, err
}

// label is the function in messages and comments.
func (c *Call) label() string {
	s := c.Simple
	if c.Module != "" {
		s = c.Module + ":" + s
	}
	if c.Name != c.Simple {
		s += " (" + c.Name + ")"
	}
	return s
}

// callNames gives every function its identifier. A function of one module alone has it in front. Functions that cannot be told
// apart, such as overloaded ones, get a suffix that depends on nothing but their own names.
func callNames(calls []Call) ([]string, error) {
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = goName(c.Simple)
		if c.Module != "" {
			names[i] = goName(c.Module) + names[i]
		}
	}
	for range 2 {
		clash := callClashes(names)
		for i, c := range calls {
			if clash[i] {
				names[i] = goName(c.Simple) + "X" + fingerprint(c.Module+":"+c.Name+":"+layoutKey(&c), 4)
			}
		}
	}
	if i := slices.Index(callClashes(names), true); i >= 0 {
		return nil, fmt.Errorf("gen: %s and another function both become the Go name %s: leave one out", calls[i].label(), names[i])
	}
	return names, nil
}

// layoutKey tells functions of one name and module apart.
func layoutKey(c *Call) string {
	s := ""
	for _, p := range []*Payload{c.Args, c.Result} {
		if p != nil {
			s += fmt.Sprint(p.Layout)
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
