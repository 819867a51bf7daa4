package perf

import (
	"bytes"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// Names are the names and processes of threads, as the records up to a time tell them. They
// implement record.Names.
type Names struct {
	rec       *Recording
	lease     *memory.Lease // for threads, processes and mappings
	threads   map[int32]thread
	kernel    process
	processes map[int32]*process
	full      error // why there are more
	now       Maps  // of the last sample
	mode      uint16
	resolver  *Resolver // nil before the first symbol
	news      *news     // of the slice that they have come to, if they are of a Scout
	behind    bool      // other names have followed the same records
	// Those of the last samples, so that not each asks the maps.
	known          [knownThreads]known
	knownProcesses [knownThreads]*process
}

type thread struct {
	comm    string
	process int32
}

// known is a thread that was found in the map, or that is not there.
type known struct {
	thread
	tid int32
	is  bool // else the place is free
}

// The low bits of its number are the place of a known thread.
const knownThreads = 1 << 8

// idle is the name of thread 0, which no record gives.
const idle = "swapper"

// The memory of a thread without its name, of a process and of a mapping, with places in tables.
const (
	threadSize  = 2 * (int64(unsafe.Sizeof(thread{})) + 8)
	processSize = 2 * (int64(unsafe.Sizeof(process{})+unsafe.Sizeof(space{})) + 16)
	mappingSize = 2 * int64(unsafe.Sizeof(Mapping{}))
)

// Names returns the names of a recording before its first record.
func (r *Recording) Names() *Names {
	n := &Names{
		rec: r, lease: r.memory.Lease(), threads: map[int32]thread{0: {idle, 0}}, processes: map[int32]*process{},
	}
	runtime.AddCleanup(n, (*memory.Lease).End, n.lease)
	return n
}

// Close returns the memory of the names to the recording, which also garbage collection does.
func (n *Names) Close() { n.lease.End() }

// take returns less bytes of the recording's memory and takes more. It reports whether there is
// room. If not, full is set.
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

// set names a thread. If there is no room, it keeps its last name.
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

// Symbol implements record.Names. The address is first looked up in the kernel, or in the process
// if the last sample is of user mode: the address spaces of some machines overlap.
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
