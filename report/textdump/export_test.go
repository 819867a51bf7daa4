package textdump

// SetBlockLines has blocks of n lines, until restore is called.
func SetBlockLines(n int) (restore func()) {
	old := blockLines
	blockLines = n
	return func() { blockLines = old }
}
