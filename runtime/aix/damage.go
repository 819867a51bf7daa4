package aix

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
	ErrFormat    = errors.New("not an AIX trace")                   // neither a magic number nor plausible hook words
	ErrTruncated = errors.New("the file ends too early")            // an entry or buffer lies behind the end of the file
	ErrCorrupt   = errors.New("corrupt")                            // a value that makes no sense
	ErrCPUID     = errors.New("processor ids are placed otherwise") // see WithCPUID
	ErrLimit     = memory.ErrLimit                                  // would need more memory than the bound
)

// Damage is something in a recording that could not be read. It is also the type of the errors of Open.
type Damage struct {
	File    string
	Offset  int64  // in the file, in bytes
	Skipped int64  // bytes that are not decoded because of it
	Want    string // what was expected at Offset
	Err     error
}

// Error names file, offset, what was expected there and what is wrong.
func (d *Damage) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: offset %d (0x%x): expected %s: %v", d.File, d.Offset, d.Offset, d.Want, d.Err)
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

// damageKey keeps a place that is read twice from being counted twice.
type damageKey struct {
	file string
	off  int64
	want string
}

func (l *damageLog) add(d *Damage) {
	l.Add(d, damageKey{d.File, d.Offset, d.Want}, d.Skipped)
}

// Damage lists what could not be read so far, in the order it was met, 256 entries at most. Opening finds
// what is wrong with headers and directories, walking the streams what is wrong with the entries.
func (r *Recording) Damage() []*Damage { return r.damage.List() }

// DamageStats counts what could not be read so far.
func (r *Recording) DamageStats() DamageStats { return r.damage.Stats() }
