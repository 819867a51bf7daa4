package uftrace

// extension is the time extend that a file of the kernel begins with: the time before it, and how
// many ns it adds.
type extension struct {
	time, delta uint64
	extended    bool // the file begins with one
}
