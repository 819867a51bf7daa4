package bind

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
)

// twoKinds are what decoders of a test are compiled for: one that has fields at offsets, and one that has them one after the other.
func twoKinds(order int) []Event {
	fixed := Event{Name: "first", ID: 5, Size: 8, Struct: 8, Fields: []Field{{Name: "x", Size: 4}, {Name: "y", Size: 4, Offset: 4}}}
	calls := Event{Name: "second", ID: 6, Sequential: true, Fields: []Field{{Name: "s", Kind: Terminated, Size: 1}, {Name: "n", Size: 4}}}
	if order > 0 { // as recorded
		fixed.Size, fixed.Fields[0].Offset, fixed.Fields[1].Offset = 8+order, 4, order+4
		calls.Fields[0], calls.Fields[1] = calls.Fields[1], calls.Fields[0]
	}
	return []Event{fixed, calls}
}

// TestLike: a Binding that is like another one, on another goroutine, decodes what one by itself decodes, also where records are relocated. It makes tables of its own where
// something else is asked for, where there is something to report, and when it is bound again.
func TestLike(t *testing.T) {
	compiled := twoKinds(0)
	for _, order := range []int{0, 1, 8} {
		src := recorded(hostBig, twoKinds(order)...)
		var records []record.Record
		for i := range 50 {
			fixed := fmt.Appendf(nil, "%04d%04d%0*d", i, 2*i, order, 0)
			records = append(records, record.Record{ID: 5, Data: fixed}, record.Record{ID: 6, Data: fmt.Appendf(nil, "%04d%0*d\x00", i, i, i)}, record.Record{ID: 6, Data: fixed[:3]}, record.Record{ID: 7})
		}
		decode := func(like *Binding[none], change func(d *decoder, o *Options[none])) (*Binding[none], []string) {
			d, b, o := &decoder{}, new(Binding[none]), Options[none]{}
			d.First, o.Short = d.note("first"), d.note("short")
			d.Second = func(*record.Record, *none) error { d.log = append(d.log, "second "+string(d.data)); return nil }
			o.Other = d.note("other")
			if change != nil {
				change(d, &o)
			}
			b.Like(like)
			if err := b.Bind(src, o, Part[none]{Events: compiled, Target: d, Callbacks: d}); err != nil {
				t.Error(err)
			}
			d.log = nil
			batch(t, b, records)
			return b, d.log
		}
		first, want := decode(nil, nil)
		if len(want) != len(records) {
			t.Fatalf("order %d: %d of %d records", order, len(want), len(records))
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				b, got := decode(first, nil)
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("order %d (-alone +like):\n%s", order, d)
				}
				if &b.table[0] != &first.table[0] {
					t.Errorf("order %d: the table was made anew", order)
				}
			})
		}
		all.Wait()
		for name, change := range map[string]func(d *decoder, o *Options[none]){
			"one callback": func(d *decoder, o *Options[none]) { d.Second = nil },
			"narrow":       func(d *decoder, o *Options[none]) { o.Narrow = true },
		} {
			_, alone := decode(nil, change)
			b, got := decode(first, change)
			if d := cmp.Diff(alone, got); d != "" {
				t.Errorf("order %d, %s (-alone +like):\n%s", order, name, d)
			}
			if &b.table[0] == &first.table[0] {
				t.Errorf("order %d, %s: the table of the other", order, name)
			}
		}
	}
}

// TestLikeReports: each Decoder says what the recording lacks, and one that is bound again to another recording has nothing of the first.
func TestLikeReports(t *testing.T) {
	compiled := twoKinds(0)
	var missing []string
	bind := func(b, like *Binding[none], src Source) {
		d := &decoder{}
		d.First, d.Second = d.note("first"), d.note("second")
		b.Like(like)
		if err := b.Bind(src, Options[none]{Missing: func(event string, err error) { missing = append(missing, event) }}, Part[none]{Events: compiled, Target: d, Callbacks: d}); err != nil {
			t.Error(err)
		}
	}
	both, one := recorded(hostBig, twoKinds(0)...), recorded(hostBig, twoKinds(0)[:1]...)
	first, second := new(Binding[none]), new(Binding[none])
	bind(first, nil, one)
	bind(second, first, one)
	if d := cmp.Diff([]string{"second", "second"}, missing); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	bind(first, nil, both)
	bind(second, first, both)
	bind(second, nil, one)
	if n := len(second.ids); n != 1 {
		t.Errorf("%d kinds are bound, want 1", n)
	}
}
