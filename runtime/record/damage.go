package record

import (
	"fmt"
	"strings"
)

// Damage is one place of a recording that could not be read. It is also the type of the errors of
// opening one.
type Damage struct {
	File    string // path, or the name that the recording was opened under
	Part    string // of the recording, such as a buffer and a CPU; may be empty
	Offset  int64  // in the file, in bytes; of the packed chunk where data are compressed
	Skipped int64  // bytes that are not decoded because of it; unpacked bytes where data are compressed
	Want    string // what was expected at Offset; may be empty
	Err     error  // wraps one of the errors of the container's package, or is of the file system
}

// Error names file, offset, what was expected there and what is wrong.
func (d *Damage) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: offset %d (0x%x)", d.File, d.Offset, d.Offset)
	if d.Part != "" {
		b.WriteString(", " + d.Part)
	}
	if d.Want != "" {
		b.WriteString(": expected " + d.Want)
	}
	fmt.Fprintf(&b, ": %v", d.Err)
	if d.Skipped > 0 {
		fmt.Fprintf(&b, " (%d bytes skipped)", d.Skipped)
	}
	return b.String()
}

// Unwrap returns the kind, or what the system said.
func (d *Damage) Unwrap() error { return d.Err }

// DamageStats counts all damage of a recording, also what a bounded list of it has no room for.
type DamageStats struct {
	Count   int64
	Skipped int64 // bytes
}

// DamageError says that parts of a recording could not be read. What is intact was decoded and
// delivered nevertheless: who is content with that finds this error with errors.As, and goes on. It
// is not for the damage of one place: that is a [Damage].
type DamageError struct {
	Name string // of the recording
	DamageStats
	First *Damage // by file and offset
}

// Damaged returns a *[DamageError] when parts of rec could not be read so far, nil when all could.
func Damaged(rec Recording) error {
	stats := rec.DamageStats()
	if stats.Count == 0 {
		return nil
	}
	e := &DamageError{Name: rec.Name(), DamageStats: stats}
	if list := rec.Damage(); len(list) > 0 {
		e.First = list[0]
	}
	return e
}

// Error counts places and bytes, and says what is wrong in the first place.
func (e *DamageError) Error() string {
	places := "1 place"
	if e.Count != 1 {
		places = fmt.Sprintf("%d places", e.Count)
	}
	s := fmt.Sprintf("%s: %s could not be read, %d bytes in all", e.Name, places, e.Skipped)
	if e.First != nil {
		s += fmt.Sprintf("; the first: %v", e.First)
	}
	return s
}

// Unwrap returns First, so that errors.Is finds its kind.
func (e *DamageError) Unwrap() error {
	if e.First == nil {
		return nil
	}
	return e.First
}
