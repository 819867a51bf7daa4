package uftrace

// Kind is the kind of a record.
type Kind uint8

// The kinds, numbered as in the files.
const (
	Enter Kind = iota // a function is called
	Leave             // a function returns
	Lost              // records are missing before the next one: Addr is their number; Time is 0
	Event             // Addr is the event id
)

// Source is the kind of file from which a record comes. At equal times the lower one comes first.
type Source uint8

// The sources in the order of ties.
const (
	User Source = iota
	Kernel
	Perf
	Extern
)

// NoSymbol is Record.ID of a call whose address is in no symbol.
const NoSymbol = ^uint32(0)

// Entry is the part of an event beyond its record.Record. In the Record, ID is Symbol.ID or
// NoSymbol for a call or a return, and the event id for an event. Task is the thread. CPU is the
// processor of kernel and perf records, and -1 otherwise. Data is the payload: the values, or the
// data of an event after its length. Its capacity includes the padding. It is nil if there is no
// payload, or if the payload could not be distinguished from the bytes after it.
type Entry struct {
	// Addr is the address as recorded, with kernel addresses extended to 64 bits. For an event it
	// is the event id. For lost records it is their number.
	Addr uint64
	// Sym is the function that contains Addr, or nil.
	Sym    *Symbol
	Depth  uint16 // of the recorded call stack, 0 outermost
	Kind   Kind
	Source Source
	// More reports whether the record has a payload. The specs of Sym then determine the length of
	// Data.
	More bool
}

// NextCall returns the first of consecutive entries of a thread that is a call or the end of one.
// It is nil if there is no such entry or if records are lost before it.
func NextCall(list []Entry) *Entry {
	for i := range list {
		switch e := &list[i]; e.Kind {
		case Enter, Leave:
			return e
		case Lost:
			return nil
		}
	}
	return nil
}
