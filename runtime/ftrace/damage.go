package ftrace

import (
	"errors"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// The kinds of errors. Every error and every Damage of this package matches one of them by
// errors.Is.
var (
	ErrFormat      = errors.New("not an ftrace recording") // unknown container
	ErrTruncated   = errors.New("the file ends too early") // a part would lie after the end of the file
	ErrCorrupt     = errors.New("corrupt")                 // an invalid value
	ErrUnsupported = errors.New("unsupported")             // known, but not by this package
	ErrLimit       = memory.ErrLimit                       // needs more memory than allowed
)

// Damage is a place of a recording that could not be read. It is also the type of the errors of
// Open.
type Damage = record.Damage

// DamageStats counts all damage, including places that the list of Recording.Damage leaves out.
type DamageStats = record.DamageStats

// Damage returns the first 256 places that could not be read so far, by file and offset. Opening
// finds damage in the container. Walking the streams finds damage in the data.
func (r *Recording) Damage() []*Damage { return r.damage.List() }

// DamageStats counts all damage so far.
func (r *Recording) DamageStats() DamageStats { return r.damage.Stats() }

// Name returns the name that the recording was opened under.
func (r *Recording) Name() string { return r.info.Name }

var _ record.Recording = (*Recording)(nil)
