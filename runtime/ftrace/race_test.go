//go:build race

package ftrace_test

// Under the race detector a sync.Pool drops some values on purpose (sync/pool.go). The decoder of
// zstd keeps its buffers in one.
func init() { poolsForget = true }
