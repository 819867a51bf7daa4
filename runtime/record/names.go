package record

// A Thread describes a thread at the time of a record.
type Thread struct {
	Comm    string // name; "" if not recorded
	Process int32  // process of the thread; -1 if not recorded
}

// Unknown is a thread without known properties.
var Unknown = Thread{Process: -1}

// Names resolve the numbers in the records of a recording. They are for one walk in time order and
// one goroutine. Names are never invented: if a name is not recorded, the result is "", -1 or
// false. E is the container's entry type.
//
//	names := rec.Names() // ftrace, uftrace; aix: rec.Names(layouts); lttng: process.Of(rec)
//	for r, x := range rec.Merge(o).All() {
//		names.Follow(r, x)
//		fmt.Println(r.Time, names.Thread(r, x).Comm)
//	}
type Names[E any] interface {
	// Follow learns about threads from a record. In traces of AIX and LTTng, threads are known only
	// from records. A walk that selects some kinds of records therefore knows fewer threads.
	Follow(r *Record, x *E)
	// Thread returns the thread of the record that was last passed to Follow.
	Thread(r *Record, x *E) Thread
	// Symbol returns the name of the function or object that holds an address at the time of that
	// record. It is in the kernel or in the program of the thread. The offset is the distance of
	// the address from its start, in bytes.
	Symbol(r *Record, addr uint64) (name string, offset uint64, ok bool)
}
