package tables

// A Thread is a thread of the recorded machine. Each processor has its own idle thread, with the id
// 0. If the kernel reuses a number, that is another Thread.
type Thread struct {
	TID  int32
	PID  int32  // its process; -1 if unknown
	Name string // the last known name; may be empty
	// Index numbers the threads from 0. Later threads may have the index of a thread that has
	// ended.
	Index int

	key  uint64
	main *Thread // first thread of its process; nil if unknown
	ran  bool    // it was seen running, or woken
	// inherited reports that Name is the parent's name at the fork. The next event that names the
	// thread clears it.
	inherited bool
}

// Process returns the name of the process, which is the name of its first thread. It returns "" if
// unknown.
func (t *Thread) Process() string {
	if t.main == nil {
		return ""
	}
	return t.main.Name
}

// Idle reports whether t is the idle thread of a processor.
func (t *Thread) Idle() bool { return t.TID == 0 }

// threads finds threads by id. Recently used threads are found without a map.
type threads struct {
	byKey map[uint64]*Thread
	free  []int // indexes of threads that have ended
	n     int
	last  [256]*Thread
}

// maxThreads bounds the number of threads at one time. Linux has at most 4,194,304 (PID_MAX_LIMIT),
// and real machines have a few thousand. More indicate a damaged recording. Records of further
// threads are counted, but have no rows.
const maxThreads = 1 << 20

// threadKey returns the key of a thread: its id, and for an idle thread its processor.
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

// byThread holds a value for each thread, by Thread.Index.
type byThread[T any] []T

// at returns the value of a thread. It may still be the value of an earlier thread with the same
// index.
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

// name sets the name of a thread from a field, up to a NUL.
func (t *Thread) name(comm []byte) {
	t.inherited = false
	if t.Name != string(comm) && len(comm) > 0 {
		t.Name = string(comm)
	}
}
