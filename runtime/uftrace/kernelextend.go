package uftrace

// extension is the time extend at the beginning of a kernel file: the time before it, and its
// length in ns.
type extension struct {
	time, delta uint64
	extended    bool // the file begins with one
}
