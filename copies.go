package tracec

import (
	"iter"
	"math"
	"unsafe"

	"github.com/tracec/tracec/runtime/record"
)

// Copies holds copies of events of one Reader, including all memory that the events alias. They
// take little more memory than in the recording. Copies is for one goroutine at a time.
type Copies struct {
	heads   []head
	data    []byte
	entries entries // nil if the container has no entries
	types   []*Type // by Type.Number
	comms   []string
	numbers map[string]uint32 // places of names in comms
	recent  [256]recent       // by task
	asked   bool              // the thread was looked up, in all events
}

// head holds the parts of an event except its data.
type head struct {
	time    uint64
	lost    int64
	end     uint32 // end of its data
	id      uint32
	cpu     int32
	task    int32
	stream  int32
	process int32
	number  uint32 // number of its type
	comm    uint32 // place in comms
}

// noData is the end of an event without data, which differs from data of length 0. The data of the
// next event begins where the previous data ends.
const noData = math.MaxUint32

// mostData bounds the data of Copies: their ends fit into a head, and into an int of 32 bits.
const mostData = min(math.MaxUint32-8, math.MaxInt)

// mostComms bounds the names that are kept for other events.
const mostComms = 1 << 10

// recent is the name that a task had last. A comparison with it is cheaper than a lookup.
type recent struct {
	comm  string
	place uint32
}

// NewCopies returns Copies for events of r.
func (r *Reader) NewCopies() *Copies {
	e := &Copies{entries: r.source.entries(), numbers: map[string]uint32{}}
	e.Reset()
	return e
}

// Reset removes the events and reuses their memory.
func (e *Copies) Reset() {
	e.heads, e.data = e.heads[:0], e.data[:0]
	if e.entries != nil {
		e.entries.reset()
	}
	if len(e.comms) == 0 || len(e.comms) > mostComms {
		clear(e.numbers)
		e.recent = [256]recent{}
		e.comms = append(e.comms[:0], "") // place 0 is the empty name
	}
}

// Len returns the number of events.
func (e *Copies) Len() int { return len(e.heads) }

// Bytes returns the approximate memory use of the events.
func (e *Copies) Bytes() int {
	return int(unsafe.Sizeof(*e)) + len(e.heads)*int(unsafe.Sizeof(head{})) + len(e.data)
}

// Add copies an event. It returns false, and copies nothing, if the data would exceed 4 GB.
func (e *Copies) Add(ev *Event) bool {
	r := ev.Record
	end := len(e.data) + len(r.Data) // with 32 bits both slices are in memory together: the sum fits an int
	if end > mostData {
		return false
	}
	n := ev.Type.Number
	if n >= len(e.types) || e.types[n] != ev.Type {
		e.know(ev.Type)
	}
	e.asked = ev.named.asked
	h := head{
		time: r.Time, lost: r.Lost, end: uint32(end), id: r.ID, cpu: r.CPU, task: r.Task, stream: r.Stream,
		process: ev.named.Process, number: uint32(n), comm: e.place(r.Task, ev.named.Comm),
	}
	if r.Data == nil {
		h.end = noData
	}
	e.heads = append(e.heads, h)
	e.data = append(e.data, r.Data...)
	e.data = append(e.data, zeros[:aligned(end)-end]...)
	if e.entries != nil {
		e.entries.add(ev.Entry)
	}
	return true
}

var zeros [8]byte

// know enters a type by its number.
func (e *Copies) know(t *Type) {
	for t.Number >= len(e.types) {
		e.types = append(e.types, nil)
	}
	e.types[t.Number] = t
}

// place returns where the name of a task is in comms.
func (e *Copies) place(task int32, comm string) uint32 {
	l := &e.recent[uint32(task)%uint32(len(e.recent))]
	if l.comm == comm {
		return l.place
	}
	n, ok := e.numbers[comm]
	if !ok && comm != "" {
		n = uint32(len(e.comms))
		e.comms = append(e.comms, comm)
		e.numbers[comm] = n
	}
	*l = recent{comm, n}
	return n
}

// All returns an iterator over the events in the order in which they were added. Each is yielded in
// ev, which [Reader.NewEvent] has returned, and is valid until the next one.
func (e *Copies) All(ev *Event) iter.Seq[*Event] {
	return func(yield func(*Event) bool) {
		var r record.Record
		ev.Record = &r
		ev.named.asked = e.asked
		at := 0
		for i := range e.heads {
			h := &e.heads[i]
			r = record.Record{Time: h.time, Lost: h.lost, ID: h.id, CPU: h.cpu, Task: h.task, Stream: h.stream}
			if h.end != noData {
				r.Data = e.data[at:h.end:h.end]
				at = aligned(int(h.end))
			}
			// Most follow one of their type: a pointer that is written costs more than one that is
			// compared.
			if t := e.types[h.number]; ev.Type != t {
				ev.Type = t
			}
			ev.decoded = 0
			ev.named.Process, ev.named.Comm = h.process, e.comms[h.comm]
			if e.entries != nil {
				ev.Entry = e.entries.at(i)
			}
			if !yield(ev) {
				return
			}
		}
	}
}

// AppendBits appends [Event.Bits] of a field of all events, in the order of adding them. The events
// must all have the same Type. It returns false if one of them has no such value.
func (e *Copies) AppendBits(dst []uint64, field int) ([]uint64, bool) {
	if len(e.heads) == 0 {
		return dst, true
	}
	t := e.types[e.heads[0].number]
	if t.decode != nil {
		return dst, false
	}
	r := t.readers[field]
	at := 0
	for i := range e.heads {
		h := &e.heads[i]
		if h.end == noData || h.number != e.heads[0].number {
			return dst, false
		}
		bits, ok := r.Bits(e.data[at:h.end])
		if !ok {
			return dst, false
		}
		dst = append(dst, bits)
		at = aligned(int(h.end))
	}
	return dst, true
}

// entries holds the entries of events.
type entries interface {
	add(entry any)
	at(i int) any
	reset()
}

// list is the entries of one container.
type list[E any] struct{ all []E }

func (l *list[E]) add(entry any) { l.all = append(l.all, *entry.(*E)) }
func (l *list[E]) at(i int) any  { return &l.all[i] }
func (l *list[E]) reset()        { l.all = l.all[:0] }
