package aix

import (
	"errors"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// The kinds of damage. Every error and every Damage of this package matches one of them by
// errors.Is.
var (
	ErrFormat    = errors.New("not an AIX trace")                   // neither a magic number nor plausible hook words
	ErrTruncated = errors.New("the file ends too early")            // an entry or buffer is after the end of the file
	ErrCorrupt   = errors.New("corrupt")                            // an invalid value
	ErrCPUID     = errors.New("processor ids are placed otherwise") // see WithCPUID
	ErrLimit     = memory.ErrLimit                                  // needs more memory than allowed
)

// Damage is a place of a recording that could not be read. It is also the type of the errors of
// Open.
type Damage = record.Damage

// DamageStats counts all damage, including places that the list of Recording.Damage leaves out.
type DamageStats = record.DamageStats

// Damage lists the first 256 places of damage so far, by file and offset. Opening finds damage of
// headers and directories. Walking the streams finds damage of entries.
func (r *Recording) Damage() []*Damage { return r.damage.List() }

// DamageStats counts the damage found so far.
func (r *Recording) DamageStats() DamageStats { return r.damage.Stats() }

// Name returns the name under which the recording was opened.
func (r *Recording) Name() string { return r.info.Name() }

var _ record.Recording = (*Recording)(nil)
