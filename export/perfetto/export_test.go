package perfetto

// For tests.
var (
	AppendText = appendText[[]byte]
	IsMark     = func(s string) bool { return isMark([]byte(s)) }
)
