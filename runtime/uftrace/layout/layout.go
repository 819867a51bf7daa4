// Package layout describes recordings of uftrace to generated decoders: the values of each function
// by its argument specs.
package layout

import (
	"strconv"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Source finds functions by the names of their symbols, in all programs and libraries that have
// one.
func Source(rec *uftrace.Recording) bind.Source {
	byName := map[string][]*uftrace.Symbol{}
	for _, sym := range rec.Symbols() {
		byName[sym.Name] = append(byName[sym.Name], sym)
	}
	big := rec.Info().BigEndian
	return func(name string) []bind.Event {
		var events []bind.Event
		for _, sym := range byName[name] {
			events = append(events, event(sym, uftrace.Enter, sym.Args, big),
				event(sym, uftrace.Leave, sym.Results, big))
		}
		return events
	}
}

func event(sym *uftrace.Symbol, kind uftrace.Kind, specs []uftrace.Spec, big bool) bind.Event {
	return bind.Event{
		Group: sym.Module.Name, Name: sym.Name, Exit: kind == uftrace.Leave, ID: sym.ID(kind), BigEndian: big,
		Sequential: true, Fields: Fields(specs),
	}
}

// Fields describes the values of specs: all arguments or all results of a function. The names come
// from the description: arg1, fparg2, retval. If a name occurs twice, the second gets a number
// (retval_2).
func Fields(specs []uftrace.Spec) []bind.Field {
	fields := make([]bind.Field, 0, len(specs))
	taken := make(map[string]bool, len(specs))
	for i := range specs {
		f := field(&specs[i])
		base := f.Name
		for n := 2; taken[f.Name]; n++ {
			f.Name = base + "_" + strconv.Itoa(n)
		}
		taken[f.Name] = true
		fields = append(fields, f)
	}
	return fields
}

// field describes one value. All values begin at a multiple of 4 bytes (uftrace.md 1.6).
func field(s *uftrace.Spec) bind.Field {
	f := bind.Field{Name: name(s), Kind: bind.Bytes, Size: s.Size, Align: 4}
	switch s.Format {
	case 's', 'S':
		f.Kind, f.Size = bind.Counted, 2
		return f
	case 't':
		return f
	}
	switch s.Size {
	case 1, 2, 4, 8:
		f.Kind = bind.Int
		if s.Format == 'f' && s.Size >= 4 {
			f.Kind = bind.Float
		}
		f.Signed = s.Format == 'd' || s.Format == 'i' || s.Format == 'e'
	}
	return f
}

func name(s *uftrace.Spec) string {
	switch {
	case s.Result:
		return "retval"
	case s.Float:
		return "fparg" + strconv.Itoa(s.Index)
	}
	return "arg" + strconv.Itoa(s.Index)
}

// Of returns rec in the form that decoders read. rec is a *uftrace.Recording, or wraps one.
func Of(rec record.Recording) (bind.Container[uftrace.Entry], error) {
	r, err := bind.As[*uftrace.Recording](rec)
	if err != nil {
		return bind.Container[uftrace.Entry]{}, err
	}
	return bind.Container[uftrace.Entry]{
		Recording: r,
		Source:    Source(r),
		Merge: func(o record.Options) *record.Merger[uftrace.Entry] {
			return r.Merge(uftrace.MergeOptions{Options: o})
		},
		Slices: func(o record.Options, streams bool) []record.Slice[uftrace.Entry] {
			if streams && r.OnlyThreads() { // else kernel and perf records lie between them
				return r.StreamSlices(o, 0)
			}
			return r.Slices(o, 0)
		},
	}, nil
}
