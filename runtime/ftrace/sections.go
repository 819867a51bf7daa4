package ftrace

import "sync"

// sections are the places of a file's parts: as its options name them, and as a search found them.
type sections struct {
	first      int64     // in version 7: where the sections begin
	found      []found   // all of them, if offsets did not lead to them
	searched   sync.Once // found is filled
	led        map[uint16]bool
	searching  bool            // offsets are not trusted
	measuring  bool            // for Extent: no searches
	claimed    int64           // end of the parts found so far
	moves      int             // searches for data
	ids        map[uint32]bool // of the formats, if offsets are in doubt
	ledBuffers []int64         // sections of buffers, and of metadata (led, by id), that options led to
	parts      []Section       // in version 6
}
