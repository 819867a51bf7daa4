package ftrace

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// MaxMeta bounds the metadata that Open unpacks and copies, independent of the memory limit.
// Offsets in a recording may lead to the same place any number of times, so the length of the file
// is not a bound.
const MaxMeta = 256 << 20

// charge counts n more bytes of metadata, which are kept until Close.
func (r *Recording) charge(n int64) error {
	if r.pool.meta += n; r.pool.meta > MaxMeta {
		return fmt.Errorf("%w: more than %d MiB of metadata", ErrLimit, int64(MaxMeta>>20))
	}
	return r.memory.Take(n)
}

// Memory sizes for the limit, in bytes. A processor has an entry, a stream, and a place in the
// merger.
const (
	fieldSize   = int64(unsafe.Sizeof(Field{}))
	cpuSize     = int64(unsafe.Sizeof(CPU{})+unsafe.Sizeof(stream{})+unsafe.Sizeof(chunks{})) + 256
	optionSize  = 256 // of an option without its payload, approximate
	mappingSize = int64(unsafe.Sizeof(Mapping{}))
	nameSize    = 64 // of an entry of a table of names, approximate
	recordSize  = int64(unsafe.Sizeof(record.Record{}))
)

// A share is the memory of each stream of a recording for its buffers.
type share struct {
	block int64 // bytes read at a time
	batch int64 // records
	slack int   // bytes after unpacked data, see zstdSlack
	ahead int64 // bytes that are unpacked ahead of the stream
}

// The minimum share, for recordings with very many streams.
const (
	minBlock = 4 << 10
	minBatch = 16
)

// blockSize is the size of a read. It is large enough that the system call does not matter, and
// small enough to stay in the second-level cache of a core (measured: 64 to 512 KiB make no
// difference).
const blockSize = 128 << 10

// mostAhead keeps a dozen processors busy with the chunks of 40 KiB that trace-cmd writes.
const mostAhead = 1 << 20

// batchSize is a compromise: a batch and its payloads stay in the first-level cache.
const batchSize = 256

// shareOut divides half of the remaining memory among all processors with data. The other half is
// for texts that are fetched later and for unusually large chunks.
func (r *Recording) shareOut() share {
	n := int64(0)
	for _, b := range r.buffers {
		for i := range b.CPUs {
			if b.CPUs[i].avail > 0 {
				n++
			}
		}
	}
	each := r.memory.Left() / 2 / max(n, 1)
	s := share{
		block: min(blockSize, max(minBlock, each/2)),
		batch: min(batchSize, max(minBatch, each/8/recordSize)),
		ahead: min(mostAhead, each/4),
	}
	if each > 4*zstdSlack {
		s.slack = zstdSlack
	}
	return s
}

// scratch holds the buffers for packed data. Streams need one only while they unpack.
type scratch struct {
	mu   sync.Mutex
	free [][]byte
}

// get returns a buffer of at least n bytes.
func (s *scratch) get(m *memory.Budget, n int64) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b []byte
	if last := len(s.free) - 1; last >= 0 {
		b, s.free = s.free[last], s.free[:last]
	}
	have := int64(cap(b))
	if have >= n {
		return b, nil
	}
	m.Give(have)
	n = max(n, min(2*have, blockSize))
	if err := m.Take(n); err != nil {
		return nil, err
	}
	return make([]byte, n), nil
}

// put makes a buffer available again.
func (s *scratch) put(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, b)
}

// Hold takes bytes of the recording's memory for data that its reader keeps, such as sums for each
// task. They are freed when the recording is closed. The error is an ErrLimit.
func (r *Recording) Hold(bytes int64) error { return r.memory.Take(bytes) }

// HoldOnce takes bytes from the memory budget of the recording, for data that several of its
// readers create, such as a compiled filter. Only the first reader takes them. They are freed when
// the recording is closed. The error is an ErrLimit.
func (r *Recording) HoldOnce(what string, bytes int64) error { return r.memory.TakeOnce(what, bytes) }

// HoldFor is HoldOnce for the text of an event. A refusal is also damage, so that readers of the
// events learn why they have no text.
func (r *Recording) HoldFor(what string, bytes int64) error {
	return r.damage.Refused(r.info.Name, what, r.HoldOnce(what, bytes))
}
