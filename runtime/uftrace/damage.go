package uftrace

import (
	"errors"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// The kinds of trouble. Every Damage of this package is one of them, or what the system said, by
// errors.Is.
var (
	ErrFormat    = errors.New("not a recording of uftrace")
	ErrTruncated = errors.New("the file ends too early")
	ErrCorrupt   = errors.New("corrupt")
	ErrMissing   = errors.New("the file is missing")
	ErrTooLong   = errors.New("the file is too long to be read whole")  // what is read of it counts
	ErrLimit     = memory.ErrLimit                                      // would need more memory than the bound
	ErrPayload   = errors.New("a payload whose length cannot be known") // no spec, or it does not fit
)

// Damage is one place of a recording that could not be read. It is also the type of the errors of
// Open. File is relative to the recording.
type Damage = record.Damage

// DamageStats counts damage.
type DamageStats = record.DamageStats

// Damage lists what could not be read so far, also by streams, by file and offset, the first 256.
func (r *Recording) Damage() []*Damage { return r.damage.List() }

// DamageStats counts all damage, also what the list has no room for.
func (r *Recording) DamageStats() DamageStats { return r.damage.Stats() }

// hole is how many records of a file were lost right before what comes next, beside those that it
// says itself: record.LostUnknown where damage skipped what may have been some.
type hole int64

func (h *hole) add(lost int64) { *h = hole(record.AddLost(int64(*h), lost)) }

// mark has the next record say so, and reports whether it does.
func (h *hole) mark(next *record.Record) bool {
	if *h == 0 {
		return false
	}
	*h, next.Lost = 0, record.AddLost(next.Lost, int64(*h))
	return true
}

var _ record.Recording = (*Recording)(nil)
