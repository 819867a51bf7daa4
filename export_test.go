package tracec

// SetSliceBytes changes the size of slices for a test. It returns a function that changes it back.
func SetSliceBytes(n int64) (restore func()) {
	old := sliceBytes
	sliceBytes = n
	return func() { sliceBytes = old }
}
