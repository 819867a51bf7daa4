package uftrace

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// The sizes of items in memory, for the limit. Lines of text files become these items, with their
// names and entries in tables.
const (
	symbolBytes = int64(unsafe.Sizeof(Symbol{})) + 200 // name, indexes by address and by name
	debugBytes  = int64(unsafe.Sizeof(debugFunc{})) + 150
	taskBytes   = int64(unsafe.Sizeof(TaskEvent{})+unsafe.Sizeof(Task{})+unsafe.Sizeof(Session{})) + 200
	mapBytes    = int64(unsafe.Sizeof(Mapping{})+unsafe.Sizeof(Module{})) + 200
	eventBytes  = 150
	fieldBytes  = 120
	entryBytes  = int64(unsafe.Sizeof(record.Record{}) + unsafe.Sizeof(Entry{}))
	slotBytes   = int64(unsafe.Sizeof(addressSlot{}))
	streamBytes = int64(unsafe.Sizeof(Stream{})) + 64*slotBytes
)

// take takes the memory for the items of a file's lines, and frees the memory of its text. Lines
// beyond the limit are cut off and reported.
func (r *Recording) take(name string, text []byte, each int64) []byte {
	r.memory.Give(int64(len(text)))
	lines := int64(bytes.Count(text, []byte("\n"))) + 1
	err := r.memory.Take(lines * each)
	if err == nil {
		return text
	}
	keep := 0
	for range r.memory.Left() / each {
		i := bytes.IndexByte(text[keep:], '\n')
		if i < 0 || r.memory.Take(each) != nil {
			break
		}
		keep += i + 1
	}
	r.damage.Note(name, int64(keep), int64(len(text)-keep), err)
	return text[:keep]
}

// claim takes memory for the buffers of a stream. If there is not enough, the file cannot be read,
// which is damage.
func (r *Recording) claim(l *memory.Lease, file string, less, more int64) bool {
	err := l.Swap(less, more)
	if err != nil {
		r.damage.Note(file, 0, 0, fmt.Errorf("memory for the records: %w", err))
	}
	return err == nil
}

// Hold takes bytes from the memory budget of the recording, for data that its reader keeps, such as
// sums for each function. They are freed when the recording is closed. The error is an ErrLimit.
func (r *Recording) Hold(bytes int64) error { return r.memory.Take(bytes) }

// HoldOnce takes bytes from the memory budget of the recording, for data that several of its
// readers create, such as a compiled filter. Only the first reader takes them. They are freed when
// the recording is closed. The error is an ErrLimit.
func (r *Recording) HoldOnce(what string, bytes int64) error { return r.memory.TakeOnce(what, bytes) }

// HoldFor is HoldOnce for the text of an event. A refusal is also damage, so that readers of the
// events learn why they have no text.
func (r *Recording) HoldFor(what string, bytes int64) error {
	return r.damage.Refused("", what, r.HoldOnce(what, bytes))
}
