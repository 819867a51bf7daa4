package uftrace

import (
	"io/fs"
	"sync"
)

// openFiles are the open files of a recording.
type openFiles struct {
	mu     sync.Mutex // guards open, handles and closed
	files  map[*file]bool
	closed bool
	// handles are the file handles that slices share, by file name.
	handles map[string]fs.File
}
