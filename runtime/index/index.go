package index

import (
	"context"
	"iter"
	"time"
)

// Index is what is in the parts of a recording. It may be read by several goroutines.
type Index struct {
	Identity          // of the recording
	Kinds    []uint32 // of records, in rising order
	Streams  []Stream

	sets   []byte // bitmaps of kinds, setSize bytes each
	count  int    // of sets
	byName map[string]int
}

// Source is a recording that an index can be made of.
type Source interface {
	Index(context.Context) (*Index, error)
}

// Identity tells a recording from others, and from what it was before.
type Identity struct {
	Size     int64 // in bytes
	Modified time.Time
	Probe    [32]byte // of what it holds
}

// Stream is the parts of one stream of a recording that may be passed over.
type Stream struct {
	Name  string // as the container calls it
	Parts int
	parts []byte
	sets  int // of the index
}

// Part is some records that are stored together: a sub-buffer, several that are packed together, or
// a stretch of records in a file that has no sub-buffers.
type Part struct {
	At          int64  // offset in the recording
	Bytes       int64  // its length; 0 where the recording says where it ends
	First, Last uint64 // times as recorded
	Records     int
	Set         int // of the kinds of its records
}

// setSize is the length of a bitmap of kinds.
func (x *Index) setSize() int { return (len(x.Kinds) + 7) / 8 }

// Find returns the stream of a name, nil when there is none.
func (x *Index) Find(name string) *Stream {
	if i, ok := x.byName[name]; ok {
		return &x.Streams[i]
	}
	return nil
}

// add adds a stream. Of several of one name the first is found.
func (x *Index) add(s Stream) {
	if x.byName == nil {
		x.byName = map[string]int{}
	}
	if _, ok := x.byName[s.Name]; !ok {
		x.byName[s.Name] = len(x.Streams)
	}
	x.Streams = append(x.Streams, s)
}

// Bytes returns about how much memory the index takes.
func (x *Index) Bytes() int64 {
	n := int64(len(x.sets) + 4*len(x.Kinds))
	for i := range x.Streams {
		n += int64(len(x.Streams[i].Name)+len(x.Streams[i].parts)) + 128
	}
	return n
}

// Parts returns how many parts are listed.
func (x *Index) Parts() (n int) {
	for i := range x.Streams {
		n += x.Streams[i].Parts
	}
	return n
}

// Records returns how many records the parts have.
func (x *Index) Records() (n int) {
	for i := range x.Streams {
		for p := range x.Streams[i].All() {
			n += p.Records
		}
	}
	return n
}

// Wanted returns for each set whether it has one of the kinds that has reports.
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
