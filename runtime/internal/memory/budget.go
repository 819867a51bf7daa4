// Package memory limits the memory that an open recording uses.
package memory

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/tracec/tracec/runtime/record"
)

// A Budget is the memory of one recording: the buffers of all its streams, unpacked data, metadata
// and tables. It is safe for concurrent use.
//
// Half of the limit can be taken. The other half is for garbage that has not been collected yet:
// with the default GOGC the heap grows to twice the live heap.
type Budget struct {
	limit int64
	used  atomic.Int64

	mu    sync.Mutex
	taken map[once]bool // by TakeOnce
}

// New returns a budget of limit bytes. If limit is not positive, it is record.DefaultMemory. It is
// never less than record.MinMemory.
func New(limit int64) *Budget {
	if limit <= 0 {
		limit = record.DefaultMemory
	}
	return &Budget{limit: max(limit, record.MinMemory)}
}

// Take takes n bytes. If fewer are left, it takes nothing and returns a *LimitError.
func (b *Budget) Take(n int64) error {
	if n < 0 || b.used.Add(n) > b.limit/2 {
		b.used.Add(-max(n, 0))
		return &LimitError{Want: n, Limit: b.limit}
	}
	return nil
}

// TakeOnce takes n bytes for something that several readers of a recording make, such as the text
// of an event. what is its name. Only the first reader takes the bytes. They stay taken, since
// readers come and go while the recording stays.
func (b *Budget) TakeOnce(what string, n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := once{what, n}
	if b.taken[key] {
		return nil
	}
	if err := b.Take(n); err != nil {
		return err
	}
	if b.taken == nil {
		b.taken = map[once]bool{}
	}
	b.taken[key] = true
	return nil
}

// once identifies something that is taken only once.
type once struct {
	what  string
	bytes int64
}

// Give returns n bytes to the budget.
func (b *Budget) Give(n int64) { b.used.Add(-n) }

// Left returns the number of bytes that can still be taken.
func (b *Budget) Left() int64 { return max(0, b.limit/2-b.used.Load()) }

// ErrLimit is the error of every container for a recording that needs more memory than its reader
// allows.
var ErrLimit = errors.New("larger than this package reads")

// A LimitError is an ErrLimit with the sizes.
type LimitError struct {
	Want  int64 // bytes requested last
	Limit int64 // limit of the whole recording
}

// Error names the limit and the option that raises it.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%v: %d bytes more than the memory limit of %d MiB allows (option --memory, WithMemory)",
		ErrLimit, e.Want, e.Limit>>20)
}

// Unwrap returns ErrLimit.
func (*LimitError) Unwrap() error { return ErrLimit }

// A Lease is the part of a budget that one stream has taken. It is for one goroutine.
type Lease struct {
	budget *Budget
	taken  int64
}

// Lease returns an empty lease.
func (b *Budget) Lease() *Lease { return &Lease{budget: b} }

// Swap frees less bytes and takes more bytes.
func (l *Lease) Swap(less, more int64) error {
	if err := l.budget.Take(max(0, more-less)); err != nil {
		return err
	}
	l.budget.Give(max(0, less-more))
	l.taken += more - less
	return nil
}

// End returns all bytes of the lease to the budget.
func (l *Lease) End() {
	l.budget.Give(l.taken)
	l.taken = 0
}
