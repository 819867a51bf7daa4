package fileset

import (
	"os"
	"sync"
)

// temporaries are the named unfinished files and folders of this process.
var temporaries = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

// Temporary notes a file or folder for DiscardAll. Calling the returned function cancels that.
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

// DiscardAll removes the noted files and folders. It is for a process that ends before its work is
// complete. Nothing can be noted or released after it.
func DiscardAll() {
	temporaries.Lock() // never unlocked
	for name := range temporaries.names {
		away := name + ".gone" // writers no longer find the folder
		if os.Rename(name, away) == nil {
			name = away
		}
		os.RemoveAll(name) // an error can no longer be reported
	}
}
