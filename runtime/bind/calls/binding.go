// Package calls supports generated decoders of uftrace recordings, beside packages bind and sequence: it binds
// functions by their names, and hands the records of a recording to the decoder.
//
// # Names, not addresses
//
// A decoder is compiled for functions. Bind looks them up by name in the symbols of a recording, so that a program
// that was built anew, or another process, needs no new decoder. Of functions whose values are laid out otherwise,
// because of other specs, another word size or byte order, payloads are relocated (see [sequence.Plan]).
//
// # Ownership
//
// Records, entries and values are valid until the callback returns. Record.Data of a relocated payload is the
// relocated copy during the callback.
package calls

import (
	"errors"
	"reflect"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/bind/sequence"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Function is one side of a function that a decoder was compiled for.
type Function struct {
	// Module is the base name of the program or library; empty for all that no other Function of that name names.
	Module string
	Name   string // as in the symbol table, mangled
	Exit   bool   // the return, not the call
	Layout sequence.Layout
}

// label returns the name of the function in messages.
func (f *Function) label() string {
	s := f.Name
	if f.Module != "" {
		s = f.Module + ":" + s
	}
	if f.Exit {
		return s + "/exit"
	}
	return s + "/entry"
}

// Target is the generated dispatch of a package.
type Target = sequence.Target[uftrace.Entry]

// Hooks are the callbacks that belong to no function. All of them may be nil.
type Hooks struct {
	// Enter and Leave, if non-nil, receive the calls and returns without a callback; those are passed to Other otherwise.
	Enter, Leave func(r *record.Record, x *uftrace.Entry)
	// Other gets all other records: events, and the notes of lost records.
	Other func(r *record.Record, x *uftrace.Entry)
	// Short gets the records whose values are not there, or not whole.
	Short func(r *record.Record, x *uftrace.Entry)
	// Missing, if non-nil, is called for each wanted function that cannot be bound. If nil, Bind fails.
	Missing func(function string, err error)
	// Narrow allows numbers to be cut to the compiled size where the recording has wider ones.
	Narrow bool
}

// Binding is the table from symbols to functions that a Decoder runs on. It belongs to one recording and one
// goroutine. The zero value has nothing bound.
type Binding struct {
	Stats bind.Stats
	hooks Hooks
	table sequence.Table[uftrace.Entry] // by Symbol.Index<<2 | Kind
}

// maxErrors bounds the errors that one Bind joins: a wrong recording lacks every function.
const maxErrors = 20

// Bind looks up the functions in the symbols of rec. callbacks points to a struct whose first fields are the
// callbacks in the order of functions; those set now must stay. Errors are *bind.Error, joined.
func (b *Binding) Bind(rec *uftrace.Recording, functions []Function, callbacks any, target Target, hooks Hooks) error {
	symbols := rec.Symbols()
	*b = Binding{hooks: hooks, table: sequence.NewTable(target, 4*len(symbols))}
	set := reflect.ValueOf(callbacks).Elem()
	wanted := make([]bool, len(functions))
	byName := make(map[string][]int)
	for i := range functions {
		wanted[i] = !set.Field(i).IsNil()
		if wanted[i] || b.table.HasText() {
			byName[functions[i].Name] = append(byName[functions[i].Name], i)
		}
	}
	found := make([]bool, len(functions))
	failed := make([]error, len(functions))
	for _, sym := range symbols {
		variants, ok := byName[sym.Name]
		if !ok {
			continue
		}
		for _, exit := range [2]bool{false, true} {
			b.bindSymbol(sym, exit, functions, variants, wanted, found, failed, rec.Info().BigEndian)
		}
	}
	return b.tell(functions, wanted, found, failed)
}

// tell reports the wanted functions that nothing is bound to.
func (b *Binding) tell(functions []Function, wanted, found []bool, failed []error) error {
	var errs []error
	for i := range functions {
		if !wanted[i] || found[i] {
			continue
		}
		err := failed[i]
		if err == nil {
			err = &bind.Error{Event: functions[i].label(), Err: bind.ErrMissing}
		}
		switch {
		case b.hooks.Missing != nil:
			b.hooks.Missing(functions[i].label(), err)
		case len(errs) < maxErrors:
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// bindSymbol finds the function that one side of a symbol is: of the module's own ones, else of those of any module, the one
// with the layout of the recording, else the first that a payload can be relocated to.
func (b *Binding) bindSymbol(sym *uftrace.Symbol, exit bool, functions []Function, variants []int, wanted, found []bool, failed []error, big bool) {
	specs, kind := sym.Args, uftrace.Enter
	if exit {
		specs, kind = sym.Results, uftrace.Leave
	}
	have := Layout(specs, big)
	own := false
	for _, i := range variants {
		own = own || functions[i].Exit == exit && functions[i].Module != "" && functions[i].Module == sym.Module.Name
	}
	best, plan := -1, (*sequence.Plan)(nil)
	for _, i := range variants {
		f := &functions[i]
		if f.Exit != exit || own && f.Module != sym.Module.Name || !own && f.Module != "" {
			continue
		}
		p, err := sequence.NewPlan(f.label(), &f.Layout, &have, sequence.Options{Narrow: b.hooks.Narrow})
		if err != nil {
			if failed[i] == nil {
				failed[i] = err
			}
			continue
		}
		exact := p == nil && len(f.Layout.Fields) == len(have.Fields)
		if best < 0 || exact {
			best, plan = i, p
		}
		if exact {
			break
		}
	}
	if best < 0 {
		return
	}
	found[best] = true
	b.table.Set(int(sym.Index)<<2|int(kind), best, plan, wanted[best])
}
