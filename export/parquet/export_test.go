package parquet

// SetMostKinds bounds the tables of a recording until restore is called.
func SetMostKinds(n int) (restore func()) {
	old := mostKinds
	mostKinds = n
	return func() { mostKinds = old }
}
