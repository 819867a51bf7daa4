package perf

// Demangle is the form of the names of C++ and Rust functions.
type Demangle uint8

// The forms.
const (
	DemangleSimple Demangle = iota // without parameters, as perf prints them
	DemangleFull                   // with them
	DemangleNo                     // as in the symbol table
)
