package ftrace

import "sync"

// sections are the places of the parts of a file, from its options and from a search.
type sections struct {
	first      int64     // in version 7: offset of the first section
	found      []found   // all of them, if offsets did not lead to them
	searched   sync.Once // found is filled
	led        map[uint16]bool
	searching  bool            // offsets are not trusted
	measuring  bool            // for Extent: no searches
	claimed    int64           // end of the parts found so far
	moves      int             // searches for data
	ids        map[uint32]bool // of the formats, if offsets are in doubt
	ledBuffers []int64         // sections of buffers to which options led; for sections of metadata see led, by id
	parts      []Section       // in version 6
}
