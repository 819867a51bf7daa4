package ftrace

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// The kinds of trouble; every error and every Damage of this package is one of them by errors.Is.
var (
	ErrFormat      = errors.New("not an ftrace recording") // no known container
	ErrTruncated   = errors.New("the file ends too early") // something lies behind the end of the file
	ErrCorrupt     = errors.New("corrupt")                 // a value that makes no sense
	ErrUnsupported = errors.New("unsupported")             // known, but not by this package
	ErrLimit       = memory.ErrLimit                       // would need more memory than the bound
)

// Damage is something in a recording that could not be read. It is also the type of the errors of Open.
type Damage struct {
	File    string
	Offset  int64 // in the file, in bytes; of the packed chunk when data are compressed
	Buffer  string
	CPU     int    // -1 when it concerns no CPU
	Skipped int64  // bytes of the file (unpacked bytes, in compressed data) that are not decoded because of it
	Want    string // what was expected at Offset
	Err     error
}

// Error names file, offset, what was expected there and what is wrong.
func (d *Damage) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: offset %d (0x%x)", d.File, d.Offset, d.Offset)
	if d.Buffer != "" {
		fmt.Fprintf(&b, ", buffer %q", d.Buffer)
	}
	if d.CPU >= 0 {
		fmt.Fprintf(&b, ", CPU %d", d.CPU)
	}
	fmt.Fprintf(&b, ": expected %s: %v", d.Want, d.Err)
	if d.Skipped > 0 {
		fmt.Fprintf(&b, " (%d bytes skipped)", d.Skipped)
	}
	return b.String()
}

// Unwrap returns the kind, or what the system said.
func (d *Damage) Unwrap() error { return d.Err }

// DamageStats counts all damage, also what the list of Recording.Damage has no room for.
type DamageStats = record.DamageStats

// damageLog collects damage.
type damageLog struct{ damage.Log[*Damage, damageKey] }

// damageKey keeps a place that is read twice (two walks, a bisection) from being counted twice.
type damageKey struct {
	file string
	off  int64
	sub  int64
	cpu  int
}

func (l *damageLog) add(d *Damage, sub int64) {
	l.Add(d, damageKey{d.File, d.Offset, sub, d.CPU}, d.Skipped)
}

// Damage lists what could not be read so far, in the order it was met, 256 entries at most. Opening finds
// what is wrong with the container, walking the streams what is wrong with the data.
func (r *Recording) Damage() []*Damage { return r.damage.List() }

// DamageStats counts what could not be read so far.
func (r *Recording) DamageStats() DamageStats { return r.damage.Stats() }
