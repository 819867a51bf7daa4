package parquet

// SetMostOpen bounds the files of a recording that are open at once until restore is called.
func SetMostOpen(n int) (restore func()) {
	old := mostOpen
	mostOpen = n
	return func() { mostOpen = old }
}

// SetSpread makes the largest table be encoded after n bytes, and tables of n bytes before they are
// full, until restore is called.
func SetSpread(n int) (restore func()) {
	oldSpread, oldLeast := spread, leastGroup
	spread, leastGroup = n, n
	return func() { spread, leastGroup = oldSpread, oldLeast }
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

// Describe is describe, for tests.
var Describe = describe
