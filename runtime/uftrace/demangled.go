package uftrace

import "github.com/tracec/tracec/runtime/symbols/demangle"

// WithDemangle sets the form of names that [Symbol.Shown] returns, and that patterns of uftrace's
// own options match. The default is demangle.FormSimple. Specs always match Symbol.Simple.
func WithDemangle(form demangle.Form) Option { return func(c *config) { c.demangle = form } }

// Demangle returns the form of names set by WithDemangle.
func (r *Recording) Demangle() demangle.Form { return r.config.demangle }

// Shown returns the name of the function in the form with which the recording was opened. A full
// name is computed at each call, so frequent callers should keep it.
func (s *Symbol) Shown() string {
	if s.form == demangle.FormSimple {
		return s.Simple
	}
	return s.form.Name(s.Name)
}
