package report

import (
	"fmt"
	"path"
)

// damage is what the containers tell of a place that could not be read.
type damage = struct {
	File    string // within the directory
	Offset  int64  // in bytes
	Skipped int64
	Err     error
}

// Tell prints what could not be read of the directory name: the first places of count. It returns the error of the work: err, or that the recording is
// damaged.
func Tell[D ~damage](job *Job, name string, first []*D, count int64, err error) error {
	for _, x := range first {
		d := damage(*x)
		skipped := ""
		if d.Skipped > 0 {
			skipped = fmt.Sprintf(" (%d bytes are left out)", d.Skipped)
		}
		job.Warn(fmt.Errorf("%s: offset %d: %w%s", path.Join(name, d.File), d.Offset, d.Err, skipped))
	}
	if n := count - int64(len(first)); n > 0 {
		job.Warn(fmt.Errorf("%s: %d more places are damaged", name, n))
	}
	if err == nil && count > 0 {
		return ErrDamaged
	}
	return err
}
