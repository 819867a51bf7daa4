package record

import (
	"fmt"
	"strings"
)

// A Damage is a place of a recording that could not be read. It is also the type of errors from
// opening a recording.
type Damage struct {
	File    string // path, or the name that the recording was opened under
	Part    string // of the recording, such as a buffer and a CPU; may be empty
	Offset  int64  // in the file, in bytes; if data are compressed, the offset of the packed chunk
	Skipped int64  // bytes that are not decoded because of it; if data are compressed, unpacked bytes
	Want    string // expected contents at Offset; may be empty
	Err     error  // wraps an error of the container's package, or comes from the file system
}

// Error names the file, the offset, the expected contents and the error.
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

// Unwrap returns Err.
func (d *Damage) Unwrap() error { return d.Err }

// DamageStats counts all damage of a recording, including places that the bounded list leaves out.
type DamageStats struct {
	Count   int64
	Skipped int64 // bytes
}

// A DamageError reports that parts of a recording could not be read. All intact parts were decoded
// and delivered. A caller that accepts that finds this error with errors.As and continues.
// Recording.Damage lists the places.
type DamageError struct {
	Name string // of the recording
	DamageStats
	First *Damage // the first place by file and offset
}

// Damaged returns a *[DamageError] if parts of rec could not be read so far, or nil.
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

// Error returns the number of places and bytes, and the error of the first place.
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

// Unwrap returns First, so that errors.Is finds its error.
func (e *DamageError) Unwrap() error {
	if e.First == nil {
		return nil
	}
	return e.First
}
