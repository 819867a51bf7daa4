package aix

import (
	"errors"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// The kinds of damage. By errors.Is, every error and every Damage of this package is one of them.
var (
	ErrFormat    = errors.New("not an AIX trace")                   // neither a magic number nor plausible hook words
	ErrTruncated = errors.New("the file ends too early")            // an entry or buffer lies after the end of the file
	ErrCorrupt   = errors.New("corrupt")                            // a value that makes no sense
	ErrCPUID     = errors.New("processor ids are placed otherwise") // see WithCPUID
	ErrLimit     = memory.ErrLimit                                  // would need more memory than the bound
)

// Damage is a place of a recording that could not be read. It is also the type of the errors of
// Open.
type Damage = record.Damage

// DamageStats counts all damage, including damage that the list of Recording.Damage has no room
// for.
type DamageStats = record.DamageStats

// Damage lists the damage found so far, by file and offset, the first 256. Opening finds damage of
// headers and directories. Walking the streams finds damage of entries.
func (r *Recording) Damage() []*Damage { return r.damage.List() }

// DamageStats counts the damage found so far.
func (r *Recording) DamageStats() DamageStats { return r.damage.Stats() }

// Name returns the name that the recording was opened under.
func (r *Recording) Name() string { return r.info.Name() }

var _ record.Recording = (*Recording)(nil)
