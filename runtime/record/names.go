package record

// Thread is what is known of a thread at the time of a record.
type Thread struct {
	Comm    string // its name; "" when the recording does not say
	Process int32  // that it belongs to; -1 when the recording does not say
}

// Unknown is a thread of which nothing is known.
var Unknown = Thread{Process: -1}

// Names say what the numbers in the records of a recording stand for. They are for one walk in the
// order of time and one goroutine. No name is invented: what a recording does not say is "", -1 or
// false. E is what the container knows of a record beside [Record].
//
//	names := rec.Names() // of ftrace, uftrace; rec.Names(layouts) of aix; process.Of(rec) of lttng
//	for r, x := range rec.Merge(o).All() {
//		names.Follow(r, x)
//		fmt.Println(r.Time, names.Thread(r, x).Comm)
//	}
type Names[E any] interface {
	// Follow learns what a record says of threads. In traces of AIX and LTTng threads are known
	// from records alone, so that it gets all of them: a walk of some kinds of records knows less.
	Follow(r *Record, x *E)
	// Thread returns what is known of the thread of the record that Follow had last.
	Thread(r *Record, x *E) Thread
	// Symbol returns the name of the function or object that holds an address at the time of that
	// record, in the kernel or in the program that its thread runs, and how many bytes the address
	// lies after its start.
	Symbol(r *Record, addr uint64) (name string, offset uint64, ok bool)
}
