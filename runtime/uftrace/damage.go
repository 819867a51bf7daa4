package uftrace

import (
	"errors"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// The kinds of damage. Every Damage of this package matches one of them by errors.Is, or an error
// of the system.
var (
	ErrFormat    = errors.New("not a recording of uftrace")
	ErrTruncated = errors.New("the file ends too early")
	ErrCorrupt   = errors.New("corrupt")
	ErrMissing   = errors.New("the file is missing")
	ErrTooLong   = errors.New("the file is too long to be read whole") // the part that was read is used
	ErrLimit     = memory.ErrLimit                                     // needs more memory than allowed
	ErrPayload   = errors.New("a payload of unknown length")           // no spec, or the payload does not fit it
)

// Damage is one place of a recording that could not be read. It is also the type of the errors of
// Open. File is relative to the recording.
type Damage = record.Damage

// DamageStats counts damage.
type DamageStats = record.DamageStats

// Damage lists the first 256 places of damage so far, by file and offset, including damage found by
// streams.
func (r *Recording) Damage() []*Damage { return r.damage.List() }

// DamageStats counts all damage, including places that the list leaves out.
func (r *Recording) DamageStats() DamageStats { return r.damage.Stats() }

// hole is the number of records of a file lost directly before the next one, in addition to those
// that the record reports itself. It is record.LostUnknown if damage skipped bytes that may have
// been records.
type hole int64

func (h *hole) add(lost int64) { *h = hole(record.AddLost(int64(*h), lost)) }

// mark adds the loss to the next record, and reports whether there was one.
func (h *hole) mark(next *record.Record) bool {
	if *h == 0 {
		return false
	}
	*h, next.Lost = 0, record.AddLost(next.Lost, int64(*h))
	return true
}

var _ record.Recording = (*Recording)(nil)
