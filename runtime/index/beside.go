package index

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// ErrNone is the error of recordings that cannot have an index, also of those that come through a
// pipe.
var ErrNone = errors.New("only a trace.dat, or a directory of uftrace or of traces of LTTng, that is neither packed nor being recorded can have an index")

// Beside is the index that lies beside a recording, for containers. The zero value is of a
// recording that has none.
type Beside struct {
	// Path is the file or directory of the recording; empty when it is none of the system.
	Path string
	// Name is where the index is when that is not what [Name] says; an empty one is none.
	Name *string

	index *Index
	err   error

	mu     sync.Mutex
	ids    []uint32 // that were asked for last
	wanted []bool   // the sets that have one of them
}

// Memory is what an index may take, in bytes.
type Memory interface {
	Left() int64
	Take(bytes int64) error
}

// Load takes the index of the recording that has the identity of. Without one that can be used all
// is read; Err says why.
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
		b.err = fmt.Errorf("%w; all of the recording is read", err)
		return
	}
	b.index = x
}

// Err returns why the index that is there is not used: it is damaged, of another version or of what
// the recording was before. It is nil when there is none, or when it is used.
func (b *Beside) Err() error { return b.err }

// Build returns an index of what fill adds, of the recording that has the identity of. It asks take
// for memory, as [NewBuilder] does. The error is ErrNone where the recording cannot have an index.
func (b *Beside) Build(of func() (Identity, error), take func(bytes int64) error, fill func(*Builder) error) (*Index, error) {
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

// Unwanted returns the parts of a stream that have no record of some kinds, which are in any order,
// at the first of these parts, but for those that read reports; it may be nil. Unwanted is nil when
// the index says nothing of the stream, and for ids that are nil, which are all.
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

// Unwanted goes over the parts of a stream that can be passed over, by rising offset. It is for one
// goroutine. nil has none.
type Unwanted struct {
	Cursor
	// More reports whether the cursor is at such a part.
	More bool

	wanted []bool           // by set
	read   func(*Part) bool // may be nil
}

// step goes to the next part that can be passed over.
func (u *Unwanted) step() {
	for u.More = u.Next(); u.More; u.More = u.Next() {
		if !u.wanted[u.Set] && (u.read == nil || !u.read(&u.Part)) {
			return
		}
	}
}

// Has reports whether the part at an offset can be passed over. Offsets rise from one call to the
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
