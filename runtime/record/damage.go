package record

import (
	"fmt"
	"strings"
)

// Damage is one place of a recording that could not be read. It is also the type of the errors of opening one.
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
