// Package layout describes recordings of uftrace to generated decoders: the values of each function by its argument specs.
package layout

import (
	"strconv"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Source finds functions by the names of their symbols, in all programs and libraries that have one.
func Source(rec *uftrace.Recording) bind.Source {
	byName := map[string][]*uftrace.Symbol{}
	for _, sym := range rec.Symbols() {
		byName[sym.Name] = append(byName[sym.Name], sym)
	}
	big := rec.Info().BigEndian
	return func(name string) []bind.Event {
		var events []bind.Event
		for _, sym := range byName[name] {
			events = append(events, event(sym, uftrace.Enter, sym.Args, big), event(sym, uftrace.Leave, sym.Results, big))
		}
		return events
	}
}

func event(sym *uftrace.Symbol, kind uftrace.Kind, specs []uftrace.Spec, big bool) bind.Event {
	return bind.Event{
		Group: sym.Module.Name, Name: sym.Name, Exit: kind == uftrace.Leave, ID: sym.ID(kind), BigEndian: big, Sequential: true, Fields: Fields(specs),
	}
}

// Fields describes the values of specs, which are all of the arguments or all of the results of a function. Names are
// those of the description: arg1, fparg2, retval, with a number after them where one comes twice (retval_2).
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

// Merge begins to read the records that o chooses of rec in time order.
func Merge(rec *uftrace.Recording, o record.Options) *record.Merger[uftrace.Entry] {
	return rec.Merge(uftrace.MergeOptions{Options: o})
}

// Streams begins to read the threads of rec, a stream each and without other events.
func Streams(rec *uftrace.Recording, o record.Options) []*uftrace.Stream {
	return rec.Streams(o)
}

// Slices returns the records that o chooses in slices that several goroutines can read at the same time: all together in the order of time, or
// each stream by itself.
func Slices(rec *uftrace.Recording, o record.Options, each bool) []record.Slice[uftrace.Entry] {
	if each {
		return rec.StreamSlices(o, 0)
	}
	return rec.Slices(o, 0)
}
