package demangle

// Form is the form in which names of C++ and Rust functions are shown.
type Form uint8

// The forms.
const (
	FormSimple Form = iota // without template arguments and parameters; perf keeps template arguments
	FormFull               // with template arguments and parameters
	FormNo                 // as in the symbol table
)

// ParseForm returns the form of a name: simple, full or no. It returns false for others.
func ParseForm(name string) (form Form, ok bool) {
	switch name {
	case "simple":
		return FormSimple, true
	case "full":
		return FormFull, true
	case "no":
		return FormNo, true
	}
	return 0, false
}

// Name returns a mangled name in the form.
func (f Form) Name(mangled string) string { return f.by(mangled, Simple) }

// PerfName is Name with the simple names that perf prints.
func (f Form) PerfName(mangled string) string { return f.by(mangled, noParameters) }

func (f Form) by(mangled string, simple func(string) string) string {
	switch f {
	case FormFull:
		return Full(mangled)
	case FormNo:
		return mangled
	}
	return simple(mangled)
}
