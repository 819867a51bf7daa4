package ftrace_test

import "testing"

// FuzzOpen opens and walks any bytes as a trace.dat.
func FuzzOpen(f *testing.F) {
	for _, v := range variants() {
		f.Add(small(v))
	}
	f.Fuzz(func(t *testing.T, b []byte) { survive(t, b) })
}
