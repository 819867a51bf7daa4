package perf

import (
	"bytes"

	"github.com/tracec/tracec/runtime/record"
)

// Names are the names and processes of threads, as the records up to a time tell them. They
// implement record.Names.
type Names struct {
	rec       *Recording
	threads   map[int32]thread
	bytes     int // of their names
	kernel    process
	processes map[int32]*process
	last      *process // of lastPID
	lastPID   int32
	count     int  // of mappings
	full      bool // there are more
	now       Maps // of the last sample
	mode      uint16
	resolver  *Resolver // nil before the first symbol
}

type thread struct {
	comm    string
	process int32
}

// idle is the name of thread 0, which no record gives.
const idle = "swapper"

// mostThreads and mostNames bound the names, and their bytes: the kernel's have at most 15.
const (
	mostThreads = 1 << 20
	mostNames   = 16 * mostThreads
)

// Names returns the names of a recording before its first record.
func (r *Recording) Names() *Names {
	return &Names{rec: r, threads: map[int32]thread{0: {idle, 0}}, processes: map[int32]*process{}}
}

// Follow takes what a record says of threads and mappings. It sets the Maps of a sample.
func (n *Names) Follow(r *record.Record, x *Entry) {
	if x.Event.Attr != nil {
		n.sample(x)
		return
	}
	n.follow(r, x)
	if pid, tid, name, ok := x.Command(); ok {
		n.set(tid, thread{string(name), pid})
	}
	if t, ok := x.Task(); ok && x.Event.Kind == Fork {
		n.set(t.Thread, thread{n.threads[t.ParentThread].comm, t.Process})
	}
}

func (n *Names) set(tid int32, t thread) {
	old, ok := n.threads[tid]
	if more := len(t.comm) - len(old.comm); (ok || len(n.threads) < mostThreads) && n.bytes+more <= mostNames {
		n.bytes += more
		n.threads[tid] = t
	}
}

// Thread implements record.Names.
func (n *Names) Thread(r *record.Record, x *Entry) record.Thread {
	if r.Task < 0 {
		return record.Unknown
	}
	t, ok := n.threads[r.Task]
	if !ok {
		t.process = -1
	}
	if pid, _ := x.task(); pid >= 0 {
		t.process = pid
	}
	return record.Thread{Comm: t.comm, Process: t.process}
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
