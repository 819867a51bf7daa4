// Package memory counts what an open recording holds, so that no recording can ask for more than its reader allows.
package memory

import (
	"fmt"
	"sync/atomic"

	"github.com/tracec/tracec/runtime/record"
)

// Budget is the memory of one recording: the buffers of all its streams, what was unpacked, metadata and tables. It is
// safe for concurrent use.
//
// Half of the limit can be taken. The other half is for what the garbage collector has not collected yet: with the
// default of GOGC the heap grows to twice what is live.
type Budget struct {
	limit int64
	used  atomic.Int64
}

// New returns a budget of limit bytes; record.DefaultMemory when limit is not positive, and never less than
// record.MinMemory.
func New(limit int64) *Budget {
	if limit <= 0 {
		limit = record.DefaultMemory
	}
	return &Budget{limit: max(limit, record.MinMemory)}
}

// Take takes n bytes. When they are not there it takes nothing and returns a *LimitError.
func (b *Budget) Take(n int64) error {
	if n < 0 || b.used.Add(n) > b.limit/2 {
		b.used.Add(-max(n, 0))
		return &LimitError{Want: n, Limit: b.limit}
	}
	return nil
}

// Give gives n bytes back.
func (b *Budget) Give(n int64) { b.used.Add(-n) }

// Left returns how many bytes can still be taken.
func (b *Budget) Left() int64 { return max(0, b.limit/2-b.used.Load()) }

// LimitError reports that a recording needs more memory than its reader allows.
type LimitError struct {
	Want  int64 // bytes that were asked for last
	Limit int64 // of the whole recording
}

// Error names the limit and the option that raises it.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%d bytes more than the memory limit of %d MiB allows (option --memory, WithMemory)", e.Want, e.Limit>>20)
}
