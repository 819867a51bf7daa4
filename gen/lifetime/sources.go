package lifetime

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// source is a value of a function that leads to memory which is reused for the next record.
type source struct {
	value ssa.Value
	what  string // record, entry or event
	until string // the event that ends its lifetime
}

// The events that end a lifetime.
const (
	nextOne  = "the next one" // of a loop
	nextCall = "the next call"
	returned = "the function returns"
)

// sources returns the sources of a function in order. If several are at one place in the program,
// only the first is reported.
func (c *checker) sources(f *ssa.Function) []source {
	list := parameters(f)
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if from, ok := c.lent(call); ok {
				list = append(list, from)
			}
			c.iterators(call, func(pull *ssa.Call) { list = append(list, source{pull, "event", nextCall}) })
		}
	}
	return list
}

// parameters returns the parameters of a function that are sources. The body of a loop over an
// iterator function is itself a function: its parameters are the variables of the loop.
func parameters(f *ssa.Function) (list []source) {
	until, record := returned, false
	if synthetic(f) {
		until = nextOne
	}
	for _, p := range f.Params {
		what := ""
		switch t := p.Type(); {
		case isRecord(t):
			what, record = "record", true
		case isDynamic(t):
			what = "event"
		case record && isEntry(t):
			what = "entry"
		case record && (synthetic(f) || isAny(t)):
			what = "event"
		default:
			continue
		}
		list = append(list, source{p, what, until})
	}
	return list
}

// lends returns the source for a call whose result is memory that the next call reuses: batches of
// streams, runs of mergers, and events and entries of decoders.
func lends(call *ssa.Call) (source, bool) {
	var fn *types.Func
	if call.Call.IsInvoke() {
		fn = call.Call.Method
	} else if callee := call.Call.StaticCallee(); callee != nil {
		fn, _ = callee.Object().(*types.Func)
	}
	if fn == nil || fn.Pkg() == nil || !strings.HasPrefix(fn.Pkg().Path(), module) {
		return source{}, false
	}
	results, recv := fn.Signature().Results(), fn.Signature().Recv()
	if results.Len() == 0 || recv == nil {
		return source{}, false
	}
	switch first := results.At(0).Type(); fn.Name() {
	case "Next", "NextRun":
		return source{call, "record", nextCall}, isRecord(first) || isNamed(first, recordPath, "Batch")
	case "Decode":
		return source{call, "event", nextCall}, isPointerTo(recv.Type(), bindPath, "Decoder")
	case "Entry":
		return source{call, "entry", nextOne}, isPointerTo(recv.Type(), bindPath, "Decoder")
	}
	return source{}, false
}

// isRecord reports whether a type is a record, or a run of records.
func isRecord(t types.Type) bool {
	s, ok := types.Unalias(t).(*types.Slice)
	return isPointerTo(t, recordPath, "Record") || ok && isNamed(s.Elem(), recordPath, "Record")
}

// isDynamic reports whether a type is an event of package dynamic, or its values.
func isDynamic(t types.Type) bool {
	return isPointerTo(t, eventPath, "Event") || isPointerTo(t, eventPath, "Value") || isNamed(t, eventPath, "Value")
}

// isEntry reports whether the type of a parameter after a record is an entry, or the entries of a
// run.
func isEntry(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		t = u.Elem()
	case *types.Slice:
		t = u.Elem()
	default:
		return false
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && strings.HasPrefix(n.Obj().Pkg().Path(), module+"runtime/") &&
		(n.Obj().Name() == "Entry" || n.Obj().Name() == "None")
}

// isAny reports whether a type is any, the type of the events of generated packages.
func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}
