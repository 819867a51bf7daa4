// Package held keeps records of uftrace in little memory, for a goroutine that prints them later.
package held

import (
	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Record is what the text of a record is made from.
type Record struct {
	time, addr uint64
	sym        *uftrace.Symbol
	data       ordered.Span
	id         uint32
	depth      uint16
	kind       uftrace.Kind
	more       bool
}

// Keep takes over a record, whose payload is in the block as data.
func (h *Record) Keep(r *record.Record, e *uftrace.Entry, data ordered.Span) {
	h.time, h.addr, h.sym, h.data, h.id, h.depth, h.kind, h.more = r.Time, e.Addr, e.Sym, data, r.ID, e.Depth, e.Kind, e.More
}

// Data is where the payload is.
func (h *Record) Data() ordered.Span { return h.data }

// Restore sets what a record and its entry had, but for the thread, the processor and the source. The payload is data.
func (h *Record) Restore(r *record.Record, e *uftrace.Entry, data []byte) {
	r.Time, r.ID, r.Data = h.time, h.id, data
	e.Addr, e.Sym, e.Depth, e.Kind, e.More = h.addr, h.sym, h.depth, h.kind, h.more
}
