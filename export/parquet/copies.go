package parquet

import (
	"errors"

	"github.com/tracec/tracec/compiler/dynamic"
)

// chunk is a table's events that are copied in one piece: all that are full have about the same size, so that what one table has done with serves another.
const (
	chunkEvents = 4096
	chunkBytes  = 512 << 10
)

// mostFree bounds the pieces whose memory is kept.
const mostFree = 64

// room returns Events for the next event of a table.
func (t *table) room() *dynamic.Events {
	n := len(t.copies)
	if n > 0 {
		if c := t.copies[n-1]; c.Len() < chunkEvents && c.Bytes() < chunkBytes {
			return c
		}
	}
	t.copies = append(t.copies, t.pool.chunk(n > 0 || t.before > chunkEvents))
	return t.copies[n]
}

// chunk returns Events without events, which have room for many when the table is a busy one.
func (p *pool) chunk(busy bool) *dynamic.Events {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 || !busy {
		return p.reader.NewEvents()
	}
	c := p.free[n-1]
	p.free = p.free[:n-1]
	return c
}

// columns makes columns of copies, which it takes back. Any goroutine may call it with an encoder of its own.
func (p *pool) columns(fields []*field, copies []*dynamic.Events, e *encoder) (*batch, error) {
	b := newBatch(fields)
	n := 0
	for _, c := range copies {
		n += c.Len()
	}
	for i := range b.columns {
		p.slabs.grow(&b.columns[i], n, 0)
	}
	for _, c := range copies {
		if !e.numbers(b, fields, c) {
			return nil, errLacks
		}
		for ev := range c.All(e.event) {
			if _, ok := b.append(fields, ev, true); !ok {
				return nil, errLacks
			}
			if b.rows == slab {
				p.growTexts(b, n)
			}
		}
		p.keep(c)
	}
	return b, nil
}

// errLacks is a fault of this package: copies were asked whether they have all values.
var errLacks = errors.New("an event that was whole lacks a value")

// numbers appends the columns of the numbers of copies, one column after the other, which takes a third of the time of one event after the other.
func (e *encoder) numbers(b *batch, fields []*field, copies *dynamic.Events) bool {
	for i, f := range fields {
		if !f.ofNumbers() {
			continue
		}
		var ok bool
		if e.bits, ok = copies.AppendBits(e.bits[:0], f.bits); !ok {
			return false
		}
		c := &b.columns[i]
		if c.storage == narrow {
			for _, v := range e.bits {
				c.narrow = append(c.narrow, int32(v))
			}
			continue
		}
		for _, v := range e.bits {
			c.wide = append(c.wide, int64(v))
		}
	}
	return true
}

// keep takes back a piece that was full.
func (p *pool) keep(c *dynamic.Events) {
	if c.Len() < chunkEvents/2 {
		return
	}
	c.Reset()
	p.mu.Lock()
	if len(p.free) < mostFree {
		p.free = append(p.free, c)
	}
	p.mu.Unlock()
}

// growTexts makes room for the texts of rows that are as long as those so far.
func (p *pool) growTexts(b *batch, rows int) {
	for i := range b.columns {
		if c := &b.columns[i]; c.storage == text {
			size := len(c.bytes) * (rows + rows/8) / b.rows
			c.bytes = append(p.slabs.bytes.take(size), c.bytes...)
		}
	}
}
