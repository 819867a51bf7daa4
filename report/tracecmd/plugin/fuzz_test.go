package plugin

import (
	"bytes"
	"math"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
)

// FuzzHandlers calls every handler with arbitrary bytes as its record and as the next record. No
// handler may panic, change earlier text, or print without bound.
func FuzzHandlers(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	var all []map[uint32]Handler
	var next record.Record
	for _, file := range files {
		c := loadCase(f, file)
		ctx := c.context(f, "parent offset tailprint depth")
		ctx.Peek = func() *record.Record { return &next }
		all = append(all, c.handlers(f, ctx))
		for i := range min(8, len(c.records)) {
			f.Add(c.records[i].Data)
		}
	}
	blk := blkContext()
	all = append(all, map[uint32]Handler{13: New(&ir.Event{Group: "ftrace", Name: BlkTrace, ID: 13}, blk)})
	prefix := []byte("prefix")
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, handlers := range all {
			for id, h := range handlers {
				for exit := range handlers {
					next = record.Record{ID: exit, Data: data}
					r := record.Record{ID: id, Data: data}
					got := h(append([]byte(nil), prefix...), &r)
					if !bytes.HasPrefix(got, prefix) {
						t.Fatalf("event %d: %q lost what was printed before", id, got)
					}
					if limit := 4096 + 64*len(data); len(got) > limit {
						t.Fatalf("event %d: %d bytes from a record of %d", id, len(got), len(data))
					}
				}
			}
		}
	})
}

// TestHostileLayout: for descriptions with fields at any offset, New returns no handler or one that
// does not panic.
func TestHostileLayout(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		c := loadCase(t, file)
		ctx := c.context(t, "parent tailprint")
		for _, ev := range c.events {
			for i := range ev.Fields {
				for _, at := range []int{-1, 5, 1 << 20, math.MaxInt >> 23, math.MaxInt} {
					for _, size := range []int{-8, 0, 1, 3, 4, 8, math.MaxInt/2 + 1, math.MaxInt} {
						for kind := ir.Int; kind <= ir.Bytes; kind++ {
							bad := *ev
							bad.Fields = append([]*ir.Field(nil), ev.Fields...)
							field := *ev.Fields[i]
							field.Offset, field.Size, field.Kind = at, size, kind
							bad.Fields[i] = &field
							h := New(&bad, ctx)
							if h == nil {
								continue
							}
							for j := range min(4, len(c.records)) {
								h(nil, &c.records[j])
							}
						}
					}
				}
			}
		}
	}
}
