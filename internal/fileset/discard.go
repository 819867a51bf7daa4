package fileset

import (
	"os"
	"sync"
)

// temporaries are the files and folders of this process that have a name and are not yet what they
// are for.
var temporaries = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

// Temporary notes a file or folder for DiscardAll, until the function that it returns is called.
func Temporary(name string) (kept func()) {
	temporaries.Lock()
	defer temporaries.Unlock()
	temporaries.names[name] = true
	return func() {
		temporaries.Lock()
		defer temporaries.Unlock()
		delete(temporaries.names, name)
	}
}

// DiscardAll removes what has been noted. It is for the end of a process that cannot wait until the
// work has ended: nothing can be noted or released after it.
func DiscardAll() {
	temporaries.Lock() // for ever
	for name := range temporaries.names {
		away := name + ".gone" // what still writes to a folder does not find it
		if os.Rename(name, away) == nil {
			name = away
		}
		os.RemoveAll(name) // no one is left to report an error to
	}
}
