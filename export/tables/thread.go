package tables

// A Thread is a thread of the recorded machine. The idle threads, with the id 0, are one for each
// processor. A number that the kernel uses again is another Thread.
type Thread struct {
	TID  int32
	PID  int32  // its process, -1 if not known
	Name string // the latest known name; may be empty
	// Index numbers the threads from 0. Later threads may have the index of one that has ended.
	Index int

	key  uint64
	main *Thread // of its process; nil if not known
	ran  bool    // it has been seen to run, or to be woken
	// inherited reports that Name is the parent's name at the fork. The next event that names the
	// thread clears it.
	inherited bool
}

// Process returns the name of the process: its first thread's name. It is "" if not known.
func (t *Thread) Process() string {
	if t.main == nil {
		return ""
	}
	return t.main.Name
}

// Idle reports whether t is the idle thread of a processor.
func (t *Thread) Idle() bool { return t.TID == 0 }

// threads finds threads by id. The ones that were used lately are found without a map.
type threads struct {
	byKey map[uint64]*Thread
	free  []int // indexes of threads that ended
	n     int
	last  [256]*Thread
}

// maxThreads bounds the threads at one time. Linux has 4,194,304 (PID_MAX_LIMIT) at most, and real
// machines have a few thousand: more are in damaged recordings. Records of further threads are
// counted, and have no rows.
const maxThreads = 1 << 20

// threadKey is the id of a thread, and of an idle one the processor.
func threadKey(tid, cpu int32) uint64 {
	if tid == 0 {
		return 1<<32 | uint64(uint32(cpu))
	}
	return uint64(uint32(tid))
}

// at returns a thread. It returns nil for a negative id, and beyond maxThreads.
func (t *threads) at(tid, cpu int32) *Thread {
	key := threadKey(tid, cpu)
	slot := &t.last[key%uint64(len(t.last))]
	if *slot != nil && (*slot).key == key {
		return *slot
	}
	th := t.byKey[key]
	if th == nil {
		if tid < 0 || len(t.byKey) >= maxThreads {
			return nil
		}
		th = t.add(tid, key)
	}
	*slot = th
	return th
}

// find returns a thread with an id other than 0, or nil if none is known.
func (t *threads) find(tid int32) *Thread { return t.byKey[threadKey(tid, 0)] }

func (t *threads) add(tid int32, key uint64) *Thread {
	th := &Thread{TID: tid, PID: -1, Index: t.n, key: key}
	if n := len(t.free); n > 0 {
		th.Index, t.free = t.free[n-1], t.free[:n-1]
	} else {
		t.n++
	}
	if t.byKey == nil {
		t.byKey = map[uint64]*Thread{}
	}
	t.byKey[key] = th
	return th
}

// byThread has a value for each thread, by Thread.Index.
type byThread[T any] []T

// at returns the value of a thread. A thread may have the value of an earlier one with its index.
func (l *byThread[T]) at(th *Thread) *T {
	for th.Index >= len(*l) {
		*l = append(*l, *new(T))
	}
	return &(*l)[th.Index]
}

// end removes a thread that never runs again.
func (t *threads) end(th *Thread) {
	if t.byKey[th.key] != th {
		return
	}
	delete(t.byKey, th.key)
	t.free = append(t.free, th.Index)
	if slot := &t.last[th.key%uint64(len(t.last))]; *slot == th {
		*slot = nil
	}
}

// name notes the name that an event has for a thread, up to a NUL.
func (t *Thread) name(comm []byte) {
	t.inherited = false
	if t.Name != string(comm) && len(comm) > 0 {
		t.Name = string(comm)
	}
}
