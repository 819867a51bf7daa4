package perf

import (
	"bytes"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// Names are the names and processes of threads, from the records up to a time. They implement
// record.Names.
type Names struct {
	rec       *Recording
	lease     *memory.Lease // for threads, processes and mappings
	threads   map[int32]thread
	kernel    process
	processes map[int32]*process
	full      error // the first error for lack of memory
	now       Maps  // of the last sample
	mode      uint16
	resolver  *Resolver // nil before the first symbol
	news      *news     // records of the next slice, for names of a Scout
	behind    bool      // other names have followed the same records
	// Caches of the last threads and processes, which save lookups in the maps.
	known          [knownThreads]known
	knownProcesses [knownThreads]*process
}

type thread struct {
	comm    string
	process int32
}

// known is the cached result of a lookup of a thread, which may not exist.
type known struct {
	thread
	tid int32
	is  bool // if false, the place is free
}

// The low bits of a thread's number are its place in the cache.
const knownThreads = 1 << 8

// idle is the name of thread 0. No record has this name.
const idle = "swapper"

// The memory of a thread without its name, of a process and of a mapping, including places in
// tables.
const (
	threadSize  = 2 * (int64(unsafe.Sizeof(thread{})) + 8)
	processSize = 2 * (int64(unsafe.Sizeof(process{})+unsafe.Sizeof(space{})) + 16)
	mappingSize = 2 * int64(unsafe.Sizeof(Mapping{}))
)

// Names returns the names of a recording, for use from its first record on.
func (r *Recording) Names() *Names {
	n := &Names{
		rec: r, lease: r.memory.Lease(), threads: map[int32]thread{0: {idle, 0}}, processes: map[int32]*process{},
	}
	runtime.AddCleanup(n, (*memory.Lease).End, n.lease)
	return n
}

// Close frees the memory of the names in the budget of the recording. Garbage collection also frees
// it.
func (n *Names) Close() { n.lease.End() }

// take frees less bytes of the recording's memory and takes more. It reports whether there is
// enough memory. If not, it sets full.
func (n *Names) take(less, more int64) bool {
	err := n.lease.Swap(less, more)
	if err != nil && n.full == nil {
		n.full = err
	}
	return err == nil
}

// Follow reads records about threads and mappings. It sets the Maps of a sample.
func (n *Names) Follow(r *record.Record, x *Entry) {
	full := n.full
	if x.Event.Attr != nil {
		n.sample(x)
	} else {
		n.follow(x)
	}
	if full == nil && n.full != nil {
		n.rec.damage.Note(n.rec.files[r.Stream].Path, x.Offset, 0, fmt.Errorf("names and mappings: %w", n.full))
	}
}

// set sets the name of a thread. If there is no memory for it, the thread keeps its last name.
func (n *Names) set(tid int32, t thread) {
	old, ok := n.threads[tid]
	less, more := int64(len(old.comm)), int64(len(t.comm))
	if !ok {
		more += threadSize
	}
	if n.take(less, more) {
		n.threads[tid] = t
		n.known[uint32(tid)%knownThreads].is = false
	}
}

// Thread implements record.Names.
func (n *Names) Thread(r *record.Record, x *Entry) record.Thread {
	if r.Task < 0 {
		return record.Unknown
	}
	k := &n.known[uint32(r.Task)%knownThreads]
	if !k.is || k.tid != r.Task {
		t, ok := n.threads[r.Task]
		if !ok {
			t.process = -1
		}
		*k = known{t, r.Task, true}
	}
	if x.process >= 0 {
		return record.Thread{Comm: k.comm, Process: x.process}
	}
	return record.Thread{Comm: k.comm, Process: k.process}
}

// Symbol implements record.Names. If the last sample is of user mode, the address is first looked
// up in the process, otherwise in the kernel. On some machines, their address spaces overlap.
func (n *Names) Symbol(_ *record.Record, addr uint64) (name string, offset uint64, ok bool) {
	if n.resolver == nil {
		n.resolver = n.rec.Resolver()
	}
	return n.resolver.Symbol(n.now, n.mode, addr)
}

// terminated returns the bytes before the first zero.
func terminated(b []byte) []byte {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return b
}
