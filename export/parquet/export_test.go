package parquet

// SetMostOpen bounds the files of a recording that are open at once until restore is called.
func SetMostOpen(n int) (restore func()) {
	old := mostOpen
	mostOpen = n
	return func() { mostOpen = old }
}

// SetMostKinds bounds the tables of a recording until restore is called.
func SetMostKinds(n int) (restore func()) {
	old := mostKinds
	mostKinds = n
	return func() { mostKinds = old }
}

// SetGroupRows bounds the rows of row groups until restore is called.
func SetGroupRows(n int) (restore func()) {
	old := groupRows
	groupRows = n
	return func() { groupRows = old }
}
