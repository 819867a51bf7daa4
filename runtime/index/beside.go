package index

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// ErrNone is the error of recordings that cannot have an index, such as recordings from a pipe.
var ErrNone = errors.New("only a trace.dat, a perf.data, or a directory of uftrace, LTTng or CTF, neither packed nor being recorded, can have an index")

// Beside is the index beside a recording, for containers. The zero value is for a recording without
// an index.
type Beside struct {
	// Path is the file or directory of the recording. It is empty if the recording is not in the
	// file system.
	Path string
	// Name is the path of the index, if it differs from the result of [Name]. An empty path means
	// no index.
	Name *string

	index *Index
	err   error

	mu     sync.Mutex
	ids    []uint32 // kinds of the last call of Unwanted
	wanted []bool   // by set: whether it contains one of them
}

// Memory is the budget for an index, in bytes.
type Memory interface {
	Left() int64
	Take(bytes int64) error
}

// Load loads the index of the recording whose identity of returns. If there is no usable index, the
// whole recording is read, and Err returns the reason.
func (b *Beside) Load(of func() (Identity, error), memory Memory) {
	name := ""
	switch {
	case b.Name != nil:
		name = *b.Name
	case b.Path != "":
		name = Name(b.Path)
	}
	if name == "" {
		return
	}
	if b.Path == "" {
		b.err = ErrNone
		return
	}
	x, err := Load(name, of, memory.Left()/2)
	if err == nil && x != nil {
		err = memory.Take(x.Bytes())
	}
	if err != nil {
		b.err = fmt.Errorf("%w; the whole recording is read", err)
		return
	}
	b.index = x
}

// Err returns the reason why an existing index is not used: it is damaged, of another version, or
// of an earlier state of the recording. It returns nil if there is no index, or if it is used.
func (b *Beside) Err() error { return b.err }

// Used reports whether there is an index in use.
func (b *Beside) Used() bool { return b.index != nil }

// Build returns an index of the parts that fill adds, for the recording whose identity of returns.
// It calls take for memory, as [NewBuilder] does. The error is ErrNone if the recording cannot have
// an index.
func (b *Beside) Build(
	of func() (Identity, error), take func(bytes int64) error, fill func(*Builder) error,
) (*Index, error) {
	if b.Path == "" {
		return nil, ErrNone
	}
	to := NewBuilder(take)
	if err := fill(to); err != nil {
		return nil, err
	}
	x, err := to.Index()
	if err != nil {
		return nil, err
	}
	x.Identity, err = of()
	return x, err
}

// Unwanted returns a cursor over the parts of a stream that have no record of the given kinds. ids
// may be in any order. The cursor is at the first such part. Parts for which read returns true are
// left out. read may be nil. Unwanted returns nil if the index does not list the stream, or if ids
// is nil, which means all kinds.
func (b *Beside) Unwanted(stream string, ids []uint32, read func(*Part) bool) *Unwanted {
	if b.index == nil || ids == nil {
		return nil
	}
	list := b.index.Find(stream)
	if list == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.wanted == nil || !slices.Equal(b.ids, ids) {
		b.ids = slices.Clone(ids)
		sorted := slices.Sorted(slices.Values(ids))
		b.wanted = b.index.Wanted(func(kind uint32) bool {
			_, found := slices.BinarySearch(sorted, kind)
			return found
		})
	}
	u := &Unwanted{Cursor: *list.Cursor(), wanted: b.wanted, read: read}
	u.step()
	return u
}

// Unwanted goes through the parts of a stream that can be skipped, by rising offset. It is for one
// goroutine. A nil Unwanted has no parts.
type Unwanted struct {
	Cursor
	// More reports whether the cursor is at such a part.
	More bool

	wanted []bool           // by set
	read   func(*Part) bool // may be nil
}

// step goes to the next part that can be skipped.
func (u *Unwanted) step() {
	for u.More = u.Next(); u.More; u.More = u.Next() {
		if !u.wanted[u.Set] && (u.read == nil || !u.read(&u.Part)) {
			return
		}
	}
}

// Has reports whether the part at an offset can be skipped. Offsets must rise from one call to the
// next.
func (u *Unwanted) Has(off int64) bool {
	if u == nil {
		return false
	}
	for u.More && u.At < off {
		u.step()
	}
	return u.More && u.At == off
}
