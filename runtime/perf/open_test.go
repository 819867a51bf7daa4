package perf

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

// limited is a directory in which only two files can be open.
type limited struct {
	fstest.MapFS
	open *int
}

func (d limited) Open(name string) (fs.File, error) {
	if name != "." {
		if *d.open++; *d.open > 2 {
			return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EMFILE}
		}
	}
	return d.MapFS.Open(name)
}

// TestTooManyFiles: the error names the file and the limit.
func TestTooManyFiles(t *testing.T) {
	dir := fstest.MapFS{"data": {Data: madePipe(madeAttr(HasTID, 0))}, "data.0": {}, "data.1": {}}
	_, err := OpenFS(limited{dir, new(int)}, "dir")
	var p *fs.PathError
	if !errors.As(err, &p) || p.Path != "dir/data.1" || !errors.Is(err, syscall.EMFILE) ||
		!strings.Contains(err.Error(), "2 files of the directory are open") {
		t.Error(err)
	}
}
