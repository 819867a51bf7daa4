package tables

import (
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
)

// blockEvent is an event of a request, or of a bio.
type blockEvent struct {
	*tracec.Event
	f      *blockFields
	dev    uint32
	sector uint64
	count  uint32 // number of sectors
}

// blockFields holds the places of fields, -1 if missing.
type blockFields struct {
	dev, sector, count, bytes, err int
	oldDev, oldSector              int // only in remap
	ops                            naming
}

// op returns the operation in ftrace's letters.
func (ev *blockEvent) op() string {
	if i := ev.f.ops.field; i >= 0 && ev.Type.Fields[i].Kind != tracec.Text { // lttng-modules record bits
		return kernel.Operation(bitsAt(ev.Event, i))
	}
	return ev.f.ops.of(ev.Event)
}

// place returns the place of the request.
func (ev *blockEvent) place() place {
	switch {
	case ev.count > 0:
		return placeOf(ev.dev, sectors, ev.sector)
	case strings.HasPrefix(ev.op(), "FF"):
		return placeOf(ev.dev, flush, 0)
	}
	return placeOf(ev.dev, empty, ev.sector)
}

// blockRule returns the rule for events of a type.
func blockRule(c *requests, t *tracec.Type, do func(*blockEvent)) rule {
	f := &blockFields{
		dev: t.Index("dev"), sector: t.Index("sector"), count: t.Index("nr_sector"), bytes: t.Index("bytes"),
		err: t.Index("error"), oldDev: t.Index("old_dev"), oldSector: t.Index("old_sector"),
		ops: naming{field: t.Index("rwbs")},
	}
	if f.err < 0 {
		f.err = t.Index("errors") // the name before Linux 4.13
	}
	if f.dev < 0 || f.sector < 0 || f.count < 0 {
		c.w.note("%s has no fields dev, sector and nr_sector: it is not followed", t.Name)
		return nil
	}
	ev := &blockEvent{f: f}
	return func(e *tracec.Event) {
		ev.Event = e
		ev.dev, ev.sector, ev.count = uint32(bitsAt(e, f.dev)), bitsAt(e, f.sector), uint32(bitsAt(e, f.count))
		if ev.sector == noSector {
			ev.sector = 0
		}
		do(ev)
	}
}

// noSector is the sector of a completed request without a sector. When the request is issued, its
// sector is 0 (docs/spec/tables.md section 6).
const noSector = ^uint64(0)
