package uftrace

import (
	"errors"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// The kinds of trouble. Every Damage of this package is one of them, or what the system said, by errors.Is.
var (
	ErrFormat    = errors.New("not a recording of uftrace")
	ErrTruncated = errors.New("the file ends too early")
	ErrCorrupt   = errors.New("corrupt")
	ErrMissing   = errors.New("the file is missing")
	ErrTooLong   = errors.New("the file is too long to be read whole")  // what is read of it counts
	ErrLimit     = memory.ErrLimit                                      // would need more memory than the bound
	ErrPayload   = errors.New("a payload whose length cannot be known") // no spec, or it does not fit
)

// Damage is one place of a recording that could not be read. It is also the type of the errors of Open. File is
// relative to the recording.
type Damage = record.Damage

// DamageStats counts damage.
type DamageStats = record.DamageStats

// Damage lists what could not be read so far, also by streams, by file and offset, the first 256.
func (r *Recording) Damage() []*Damage { return r.damage.List() }

// DamageStats counts all damage, also what the list has no room for.
func (r *Recording) DamageStats() DamageStats { return r.damage.Stats() }

// hole says that damage skipped what may have been records of a file, right before what comes next.
type hole bool

// mark has the next record say so, whatever it says itself, and reports whether it does.
func (h *hole) mark(next *record.Record) bool {
	if !*h {
		return false
	}
	*h, next.Lost = false, record.LostUnknown
	return true
}

var _ record.Recording = (*Recording)(nil)
