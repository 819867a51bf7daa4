package uftrace

import "github.com/tracec/tracec/runtime/symbols/demangle"

// Demangle is the form in which names of C++ and Rust functions are shown.
type Demangle uint8

// The forms.
const (
	DemangleSimple Demangle = iota // without template arguments and parameters
	DemangleFull                   // with them
	DemangleNo                     // as in the symbol table
)

// ParseDemangle returns the form of a name, as uftrace's --demangle has it: simple, full or no. It
// returns false for others.
func ParseDemangle(name string) (form Demangle, ok bool) {
	switch name {
	case "simple":
		return DemangleSimple, true
	case "full":
		return DemangleFull, true
	case "no":
		return DemangleNo, true
	}
	return 0, false
}

// Name returns a mangled name in the form.
func (d Demangle) Name(mangled string) string {
	switch d {
	case DemangleFull:
		return demangle.Full(mangled)
	case DemangleNo:
		return mangled
	}
	return demangle.Simple(mangled)
}

// WithDemangle sets the form of names that [Symbol.Shown] returns. The default is DemangleSimple.
// Specs and the patterns of uftrace's own options match Symbol.Simple all the same.
func WithDemangle(form Demangle) Option { return func(c *config) { c.demangle = form } }

// Demangle returns the form of names set by WithDemangle.
func (r *Recording) Demangle() Demangle { return r.config.demangle }

// Shown returns the name of the function in the form that the recording was opened with. A full
// name is made at each call: frequent callers should keep it.
func (s *Symbol) Shown() string {
	switch s.form {
	case DemangleFull:
		return demangle.Full(s.Name)
	case DemangleNo:
		return s.Name
	}
	return s.Simple
}
