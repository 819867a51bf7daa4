package record

import (
	"fmt"
	"strings"
)

// Damage is one place of a recording that could not be read.
type Damage struct {
	File    string // name within the recording
	Offset  int64  // in bytes
	Skipped int64  // bytes that were left out because of it
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

// DamageStats counts all damage of a recording, also what a bounded list of it has no room for.
type DamageStats struct {
	Count   int64
	Skipped int64 // bytes
}
