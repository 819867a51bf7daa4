// Package mem sums the kernel's allocations and frees by the calling function: trace-cmd mem.
package mem

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// usage holds the allocations of one function, in bytes.
type usage struct {
	name                 string
	alloc, req           uint64 // bytes held now
	totalAlloc, totalReq uint64
	maxAlloc, maxReq     uint64
}

// block is the memory at a pointer.
type block struct {
	by         *usage
	alloc, req uint64
}

// event describes the fields of an allocation or a release.
type event struct {
	free                      bool
	site, ptr, bytes, request *ftrace.Field // bytes and request are nil for a release
	need                      int
}

type counter struct {
	rec    *ftrace.Recording
	order  binary.ByteOrder
	events map[uint32]*event
	byName map[string]*usage
	held   map[uint64]block
	missed int64 // number of blocks beyond the limit
}

// maxHeld bounds the blocks that are held at the same time: about 100 MB.
const maxHeld = 1 << 21

// events are the allocations and releases that trace-cmd reads.
var events = map[string]bool{
	"kmalloc": false, "kmalloc_node": false, "kmem_cache_alloc": false, "kmem_cache_alloc_node": false,
	"kfree": true, "kmem_cache_free": true,
}

// Run prints the sums. The error is report.ErrDamaged if data were unreadable and everything else
// was counted.
func Run(ctx context.Context, rec *ftrace.Recording, job *report.Job) error {
	c := &counter{
		rec: rec, order: rec.Info().ByteOrder, events: map[uint32]*event{}, byName: map[string]*usage{},
		held: map[uint64]block{},
	}
	for _, f := range rec.Formats() {
		if free, ok := events[f.Name]; ok && f.System == "kmem" {
			if ev := newEvent(f, free); ev != nil {
				c.events[uint32(f.ID)] = ev
			}
		}
	}
	if len(c.events) == 0 {
		job.Warn(errors.New("the recording describes no events of allocation (kmem:kmalloc, kmem:kfree, …)"))
	}
	damaged := false
	var streams []record.Stream[record.None]
	if list := rec.Buffers(); len(list) > 0 {
		streams = list[0].Streams(ftrace.StreamOptions{})
		job.ReadsAll(streams)
	}
	m := record.Merge(streams, nil)
	for {
		run, _, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			damaged = true
			job.Warn(err)
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range run {
			c.count(&run[i])
		}
	}
	if c.missed > 0 {
		damaged = true
		job.Warn(fmt.Errorf("%d allocations are not followed: more than %d are held at the same time", c.missed,
			maxHeld))
	}
	if _, err := job.Out.Write(c.print()); err != nil {
		return err
	}
	if job.EachDamage(rec, job.Warn) || damaged {
		return report.ErrDamaged
	}
	return nil
}

// newEvent finds the fields. It returns nil if one is missing.
func newEvent(f *ftrace.Format, free bool) *event {
	e := &event{free: free, site: f.Field("call_site"), ptr: f.Field("ptr")}
	fields := []*ftrace.Field{e.site, e.ptr}
	if !free {
		e.bytes, e.request = f.Field("bytes_alloc"), f.Field("bytes_req")
		fields = append(fields, e.bytes, e.request)
	}
	for _, fd := range fields {
		if fd == nil || fd.Size != 4 && fd.Size != 8 || fd.Offset < 0 {
			return nil
		}
		e.need = max(e.need, fd.Offset+fd.Size)
	}
	return e
}

func (c *counter) uint(data []byte, f *ftrace.Field) uint64 {
	if f.Size == 4 {
		return uint64(c.order.Uint32(data[f.Offset:]))
	}
	return c.order.Uint64(data[f.Offset:])
}

func (c *counter) count(r *record.Record) {
	e := c.events[r.ID]
	if e == nil || len(r.Data) < e.need {
		return
	}
	ptr := c.uint(r.Data, e.ptr)
	if e.free {
		if old, ok := c.held[ptr]; ok {
			delete(c.held, ptr)
			old.by.alloc -= old.alloc
			old.by.req -= old.req
		}
		return
	}
	b := block{by: c.function(c.uint(r.Data, e.site)), alloc: c.uint(r.Data, e.bytes), req: c.uint(r.Data, e.request)}
	b.by.add(b.alloc, b.req)
	if len(c.held) == maxHeld {
		c.missed++
		return
	}
	c.held[ptr] = b
}

// function returns the sums of the function at an address.
func (c *counter) function(addr uint64) *usage {
	name, _, _, _, ok := c.rec.Symbols().Lookup(addr)
	if !ok {
		name = fmt.Sprintf("0x%x", addr)
	}
	u := c.byName[name]
	if u == nil {
		u = &usage{name: name}
		c.byName[name] = u
	}
	return u
}

func (u *usage) add(alloc, req uint64) {
	u.alloc += alloc
	u.req += req
	u.totalAlloc += alloc
	u.totalReq += req
	u.maxAlloc = max(u.maxAlloc, u.alloc)
	u.maxReq = max(u.maxReq, u.req)
}

func (u *usage) waste() int64 { return int64(u.alloc - u.req) }

// print lists the functions, the most wasteful first, then by name (trace-cmd: in the order of a
// hash table).
func (c *counter) print() []byte {
	list := make([]*usage, 0, len(c.byName))
	for _, u := range c.byName {
		list = append(list, u)
	}
	slices.SortFunc(list, func(a, b *usage) int {
		return cmp.Or(cmp.Compare(b.waste(), a.waste()), cmp.Compare(a.name, b.name))
	})
	out := []byte("                Function            \tWaste\tAlloc\treq\t\tTotAlloc     TotReq\t\tMaxAlloc     MaxReq\tMaxWaste\n" +
		"                --------            \t-----\t-----\t---\t\t--------     ------\t\t--------     ------\t--------\n")
	for _, u := range list {
		out = fmt.Appendf(out, "%32s\t%d\t%d\t%d\t\t%8d   %8d\t\t%8d   %8d\t%d\n", u.name, u.waste(), u.alloc, u.req,
			u.totalAlloc, u.totalReq, u.maxAlloc, u.maxReq, int64(u.maxAlloc-u.maxReq))
	}
	return out
}
