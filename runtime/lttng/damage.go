package lttng

import (
	"errors"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// The kinds of damage. Every Damage of this package matches one of them by errors.Is, or an error
// of the system.
var (
	ErrFormat    = errors.New("not a trace of LTTng")
	ErrVersion   = errors.New("an unknown version")
	ErrTruncated = errors.New("the file ends too early")
	ErrCorrupt   = errors.New("corrupt")
	ErrUnclosed  = errors.New("the sub-buffer was never closed")
	ErrMarker    = errors.New("a marker that cannot be used")
	ErrLimit     = memory.ErrLimit // needs more memory than allowed
)

// Damage is one place of a trace that could not be read. It is also the type of the errors of Open.
// File is relative to the trace.
type Damage = record.Damage

// DamageStats counts damage.
type DamageStats = record.DamageStats
