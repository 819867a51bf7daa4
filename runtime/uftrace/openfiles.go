package uftrace

import (
	"io/fs"
	"sync"
)

// openFiles are the files of a recording that are open.
type openFiles struct {
	mu     sync.Mutex // guards open, handles and closed
	files  map[*file]bool
	closed bool
	// handles are the file handles that slices share, by file name.
	handles map[string]fs.File
}
