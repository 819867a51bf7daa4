package uftrace

// CutOften has slices cut in small files, until the function that it returns is called.
func CutOften() func() {
	stride := leastStride
	leastStride = 64
	return func() { leastStride = stride }
}
