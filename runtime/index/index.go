package index

import (
	"context"
	"iter"
	"time"
)

// An Index lists the kinds of records in the parts of a recording. It is safe for concurrent reads.
type Index struct {
	Identity          // of the recording
	Kinds    []uint32 // of records, in rising order
	Streams  []Stream

	sets   []byte // bitmaps of kinds, setSize bytes each
	count  int    // of sets
	byName map[string]int
}

// A Source is a recording that can be indexed.
type Source interface {
	Index(context.Context) (*Index, error)
}

// An Identity distinguishes a recording from others and from earlier states of itself.
type Identity struct {
	Size     int64 // in bytes
	Modified time.Time
	Probe    [32]byte // hash of some contents
}

// A Stream lists the parts of one stream of a recording that may be skipped.
type Stream struct {
	Name  string // name given by the container
	Parts int
	parts []byte
	sets  int // number of sets of the index
}

// A Part is a group of records that are stored together: a sub-buffer, several sub-buffers that are
// packed together, or a range of records in a file without sub-buffers.
type Part struct {
	At          int64  // offset in the recording
	Bytes       int64  // length in bytes; 0 if the recording itself determines it
	First, Last uint64 // times as recorded
	Records     int
	Set         int // set of the kinds of its records
}

// setSize is the length of a bitmap of kinds.
func (x *Index) setSize() int { return (len(x.Kinds) + 7) / 8 }

// Find returns the stream of a name, or nil.
func (x *Index) Find(name string) *Stream {
	if i, ok := x.byName[name]; ok {
		return &x.Streams[i]
	}
	return nil
}

// add adds a stream. If several have one name, Find returns the first.
func (x *Index) add(s Stream) {
	if x.byName == nil {
		x.byName = map[string]int{}
	}
	if _, ok := x.byName[s.Name]; !ok {
		x.byName[s.Name] = len(x.Streams)
	}
	x.Streams = append(x.Streams, s)
}

// Bytes returns the approximate memory size of the index.
func (x *Index) Bytes() int64 {
	n := int64(len(x.sets) + 4*len(x.Kinds))
	for i := range x.Streams {
		n += int64(len(x.Streams[i].Name)+len(x.Streams[i].parts)) + 128
	}
	return n
}

// Parts returns the number of parts.
func (x *Index) Parts() (n int) {
	for i := range x.Streams {
		n += x.Streams[i].Parts
	}
	return n
}

// Records returns the number of records of all parts.
func (x *Index) Records() (n int) {
	for i := range x.Streams {
		for p := range x.Streams[i].All() {
			n += p.Records
		}
	}
	return n
}

// Wanted reports for each set whether it has a kind for which has returns true.
func (x *Index) Wanted(has func(kind uint32) bool) []bool {
	size := x.setSize()
	mask := make([]byte, size)
	for i, kind := range x.Kinds {
		if has(kind) {
			mask[i/8] |= 1 << (i % 8)
		}
	}
	wanted := make([]bool, x.count)
	for i := range wanted {
		for j, b := range x.sets[i*size : (i+1)*size] {
			wanted[i] = wanted[i] || b&mask[j] != 0
		}
	}
	return wanted
}

// All returns an iterator over the parts by rising offset.
func (s *Stream) All() iter.Seq[Part] {
	return func(yield func(Part) bool) {
		for c := s.Cursor(); c.Next(); {
			if !yield(c.Part) {
				return
			}
		}
	}
}
