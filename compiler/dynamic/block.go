package dynamic

import "github.com/tracec/tracec/runtime/record"

// What a block holds. It is the same whatever reads the blocks, so that what is made of them is, too.
const (
	blockEvents = 4096
	blockBytes  = 256 << 10 // of data; one event may have more
)

// room is what is free of a block.
type room struct{ events, bytes int }

var emptyBlock = room{blockEvents, blockBytes}

// take takes what an event needs. It returns false when the block is full, and from then on.
func (r *room) take(data int) bool {
	data = aligned(data)
	if r.events == 0 || data > r.bytes && r.events < blockEvents {
		r.events = 0
		return false
	}
	r.events--
	r.bytes -= data
	return true
}

// aligned rounds up to what the data of records is aligned to.
func aligned(n int) int { return (n + 7) &^ 7 }

// block holds events that follow each other in the order of time, with all they alias.
type block struct {
	events  []held
	entries entries // nil: events have none
	data    []byte
}

// held is an event of a block.
type held struct {
	record.Record
	typ   *Type
	named named
}

// entries holds the entries of the events of a block.
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

func newBlock(e entries) *block {
	return &block{events: make([]held, 0, blockEvents), entries: e, data: make([]byte, 0, blockBytes)}
}

// fill takes the next events of a walk.
func (b *block) fill(w walker, ev *Event) {
	b.events, b.data = b.events[:0], b.data[:0]
	if b.entries != nil {
		b.entries.reset()
	}
	room := emptyBlock
	w.each(ev, &room, b.add)
}

// add copies an event.
func (b *block) add(ev *Event) bool {
	b.events = append(b.events, held{*ev.Record, ev.Type, ev.named})
	if b.entries != nil {
		b.entries.add(ev.Entry)
	}
	if data := ev.Data; data != nil {
		at := len(b.data)
		end := at + len(data)
		if cap(b.data) < end { // a large first event
			b.data = make([]byte, 0, aligned(end))
		}
		b.data = b.data[:aligned(end)]
		copy(b.data[at:], data)
		b.events[len(b.events)-1].Data = b.data[at:end:end]
	}
	return true
}

// each passes the events through ev to yield.
func (b *block) each(ev *Event, yield func(*Event) bool) {
	for i := range b.events {
		h := &b.events[i]
		ev.Record, ev.Type, ev.named, ev.decoded = &h.Record, h.typ, h.named, false
		if b.entries != nil {
			ev.Entry = b.entries.at(i)
		}
		if !yield(ev) {
			return
		}
	}
}
