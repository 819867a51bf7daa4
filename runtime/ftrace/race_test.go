//go:build race

package ftrace_test

// Under the race detector a sync.Pool forgets some of what it is given on purpose (sync/pool.go),
// and the decoder of zstd keeps its buffers in one.
func init() { poolsForget = true }
