package tables

import (
	"strings"

	"github.com/tracec/tracec/runtime/pair"
)

// interrupts makes the rows of Interrupts: docs/spec/tables.md section 5.
type interrupts struct {
	w      *Walk
	yield  func(*Interrupt) bool
	cpus   []processor // by number plus 1: the first is for events without a processor
	before Reason      // reason for missing begins on a processor without earlier events
	timers pair.Table[uint64, armed]
	row    Interrupt // for events that make a row by themselves
	work
}

// processor holds the open interrupts of a processor.
type processor struct {
	open    []Interrupt // innermost last
	raised  [32]uint64  // times of the first raise of pending soft interrupts
	pending uint32
	missing Reason // reason for missing begins: OpenBegin, or Lost after a loss
}

// armed is a started hrtimer.
type armed struct {
	expires int64
	losses  int64
}

// maxNested bounds the open rows of a processor. Linux nests a handful: a soft interrupt, an
// interrupt, its timers, and a non-maskable interrupt.
const maxNested = 64

func newInterrupts(w *Walk, yield func(*Interrupt) bool) *interrupts {
	c := &interrupts{w: w, yield: yield, before: OpenBegin, timers: pair.Table[uint64, armed]{AcrossLost: true}}
	c.work.init(c)
	return c
}

// at returns a processor.
func (c *interrupts) at(cpu int32) *processor {
	n := int(cpu) + 1
	if n < 0 || n > maxCPUs {
		n = 0
	}
	for n >= len(c.cpus) {
		c.cpus = append(c.cpus, processor{missing: c.before})
	}
	return &c.cpus[n]
}

// begin begins a row. An open row that excludes the new one has ended unseen.
func (c *interrupts) begin(p *processor, row Interrupt, alone bool) {
	for i := range p.open {
		if o := &p.open[i]; o.Kind == row.Kind && (alone || o.Key == row.Key) {
			c.cut(p, i, Replaced)
			break
		}
	}
	c.push(p, row)
}

// push begins a row inside the open rows.
func (c *interrupts) push(p *processor, row Interrupt) {
	if len(p.open) == maxNested { // these begins cannot be right
		c.cut(p, 0, Evicted)
	}
	row.losses = c.w.extent.Losses
	row.Context = p.context(&row)
	p.open = append(p.open, row)
}

// context returns the kind of the row, or of the thread, that a row interrupts.
func (p *processor) context(row *Interrupt) string {
	switch n := len(p.open); {
	case n > 0:
		return p.open[n-1].Kind
	case row.Thread == nil:
		return ""
	case row.Thread.Idle():
		return "idle"
	case row.Kind == "softirq" && strings.HasPrefix(row.Thread.Name, "ksoftirqd/"):
		return "ksoftirqd"
	}
	return ""
}

// find returns the index of the innermost open row of a kind, or -1. If keyed is set, the key must
// also be equal.
func (p *processor) find(kind string, key uint64, keyed bool) int {
	for i := len(p.open) - 1; i >= 0; i-- {
		if row := &p.open[i]; row.Kind == kind && (!keyed || row.Key == key) {
			return i
		}
	}
	return -1
}

// finish ends an open row. Rows that interrupted it have ended unseen.
func (c *interrupts) finish(p *processor, i int, time uint64, ret int32) {
	c.cut(p, i+1, Unpaired)
	row := &p.open[i]
	row.End, row.Ret = max(time, row.Begin), ret
	p.open = p.open[:i]
	c.around(p, row)
	c.yield(row)
}

// around adds the time of a row to the nested time of the row that it interrupted, or of the
// thread's work.
func (c *interrupts) around(p *processor, row *Interrupt) {
	d, ok := row.Dur()
	outer := c.work.of(row.Thread)
	if n := len(p.open); n > 0 {
		outer = &p.open[n-1]
	}
	if outer != nil {
		outer.nested += d
		outer.unsure = outer.unsure || !ok
	}
}

// cut gives up the open rows of a processor from an index on.
func (c *interrupts) cut(p *processor, from int, why Reason) {
	for i := len(p.open) - 1; i >= from; i-- {
		row := &p.open[i]
		row.NoEnd = why
		p.open = p.open[:i]
		c.around(p, row)
		c.yield(row)
	}
}

// lost implements collector. Open rows of the processor may have ended, and begun again.
func (c *interrupts) lost(cpu int32, _ uint64) {
	if cpu < 0 {
		c.before = Lost
		for i := range c.cpus {
			c.forget(&c.cpus[i], Lost)
		}
		return
	}
	c.forget(c.at(cpu), Lost)
}

// forget gives up the state of a processor.
func (c *interrupts) forget(p *processor, why Reason) {
	c.cut(p, 0, why)
	p.pending, p.missing = 0, Lost
}

// ended implements collector.
func (c *interrupts) ended(*Thread, uint64) {}

// end implements collector.
func (c *interrupts) end(uint64) {
	for i := range c.cpus {
		c.forget(&c.cpus[i], OpenEnd)
	}
	c.work.end()
}
