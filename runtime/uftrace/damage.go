package uftrace

import (
	"errors"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// The kinds of damage. By errors.Is, every Damage of this package is one of them or an error of the
// system.
var (
	ErrFormat    = errors.New("not a recording of uftrace")
	ErrTruncated = errors.New("the file ends too early")
	ErrCorrupt   = errors.New("corrupt")
	ErrMissing   = errors.New("the file is missing")
	ErrTooLong   = errors.New("the file is too long to be read whole") // the part that was read counts
	ErrLimit     = memory.ErrLimit                                     // would need more memory than the bound
	ErrPayload   = errors.New("a payload of unknown length")           // no spec, or it does not fit
)

// Damage is one place of a recording that could not be read. It is also the type of the errors of
// Open. File is relative to the recording.
type Damage = record.Damage

// DamageStats counts damage.
type DamageStats = record.DamageStats

// Damage lists the damage found so far, including damage found by streams, by file and offset, the
// first 256.
func (r *Recording) Damage() []*Damage { return r.damage.List() }

// DamageStats counts all damage, including damage that the list has no room for.
func (r *Recording) DamageStats() DamageStats { return r.damage.Stats() }

// hole is the number of records of a file lost right before the next one, besides those that it
// reports itself. It is record.LostUnknown if damage skipped bytes that may have been records.
type hole int64

func (h *hole) add(lost int64) { *h = hole(record.AddLost(int64(*h), lost)) }

// mark records the loss in the next record, and reports whether there was one.
func (h *hole) mark(next *record.Record) bool {
	if *h == 0 {
		return false
	}
	*h, next.Lost = 0, record.AddLost(next.Lost, int64(*h))
	return true
}

var _ record.Recording = (*Recording)(nil)
