package plugin

// Style is the version of trace-cmd whose texts are printed. The zero value is V31.
type Style uint8

// The styles.
const (
	V31 Style = 1 + iota // 3.1 and 3.2
	V33                  // 3.3: what functions returned
	V34                  // 3.4: arguments of functions, and where they return to
)
