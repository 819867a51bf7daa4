package uftrace

import (
	"errors"
	"io"
	"io/fs"
	"path"

	"github.com/tracec/tracec/runtime/internal/pagecache"
)

// The limits keep a damaged or hostile recording from filling the memory. Symbol tables, .dbg files
// and the kernel's list of symbols grow with the program: the table of a browser has 100 MB. A file
// of options is a line.
const (
	maxSymbols = 1 << 30
	maxText    = 1 << 28
	maxOptions = 1 << 16
)

// textLimit returns the maximum number of bytes to read from a text file.
func textLimit(name string) int64 {
	switch {
	case path.Ext(name) == ".sym" || path.Ext(name) == ".dbg" || name == "kallsyms":
		return maxSymbols
	case name == "default.opts":
		return maxOptions
	}
	return maxText
}

// openRegular opens a file of a recording and returns its size. A pipe or a device is an error: a
// pipe would never open, and a device would never end.
func openRegular(dir fs.FS, name string) (fs.File, int64, error) {
	st, err := fs.Stat(dir, name)
	if err != nil {
		return nil, 0, err
	}
	if !st.Mode().IsRegular() {
		return nil, 0, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	f, err := dir.Open(name)
	if err != nil {
		return nil, 0, err
	}
	return pagecache.File(f), st.Size(), nil
}

var errNotRegular = errors.New("not a regular file")

// readAll reads size bytes, or fewer if the file has become shorter.
func readAll(f fs.File, size int64) ([]byte, error) {
	data := make([]byte, size)
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return data[:n], err
}
