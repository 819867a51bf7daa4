package lttng

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tracec/tracec/runtime/internal/damage"
)

// The kinds of trouble. Every Damage of this package is one of them, or what the system said, by errors.Is.
var (
	ErrFormat    = errors.New("not a trace of LTTng")
	ErrVersion   = errors.New("an unknown version")
	ErrTruncated = errors.New("the file ends too early")
	ErrCorrupt   = errors.New("corrupt")
	ErrUnclosed  = errors.New("the sub-buffer was never closed")
	ErrMarker    = errors.New("a marker that cannot be used")
)

// Damage is one place of a trace that could not be read. It is also the type of the errors of Open.
type Damage struct {
	File    string // relative to the trace
	Offset  int64  // in bytes
	Skipped int64  // bytes that were left out
	Err     error
}

// Error names file, offset and what is wrong.
func (d *Damage) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: offset %d (0x%x): %v", d.File, d.Offset, d.Offset, d.Err)
	if d.Skipped > 0 {
		fmt.Fprintf(&b, " (%d bytes skipped)", d.Skipped)
	}
	return b.String()
}

// Unwrap returns the kind, or what the system said.
func (d *Damage) Unwrap() error { return d.Err }

// DamageStats counts damage.
type DamageStats struct {
	Count   int64
	Skipped int64 // bytes
}

// damageLog collects damage.
type damageLog struct{ damage.Log[*Damage, damageKey] }

// damageKey keeps a place that is read twice from being counted twice.
type damageKey struct {
	file string
	off  int64
}

func (l *damageLog) add(file string, off, skipped int64, err error) {
	l.Add(&Damage{File: file, Offset: off, Skipped: skipped, Err: err}, damageKey{file, off}, skipped)
}
