package plugin

// Style is the version of trace-cmd for texts. The zero value is V31.
type Style uint8

// The styles.
const (
	V31 Style = 1 + iota // 3.1 and 3.2
	V33                  // 3.3: return values of functions
	V34                  // 3.4: arguments of functions, and return addresses
)
