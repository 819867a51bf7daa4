package ftrace

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/record"
)

// FuzzPage walks any bytes as a sub-buffer. On little-endian pages, both loops must have identical
// results. On all pages, records must lie inside the page, one after the other.
func FuzzPage(f *testing.F) {
	for _, m := range []tracefile.Machine{{Word: 8}, {Word: 4}, {Big: true, Word: 8}, {Big: true, Word: 4}} {
		p := m.NewPage(256, 1<<60).Missed(9).Event(0, m.Payload(301, 7)).Discard(3, 8).Extend(1<<40).Long(3,
			m.Payload(302, 8, 5)).
			Stamp(12).Event(9, m.Payload(303, -1)[:4]).Head(29, 0)
		f.Add(p.Done(), m.Big, m.Word == 4, uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, big, narrow bool, size uint8) {
		l := &layout{big: big, word: 8, commit: 8, data: 16, typeSize: 2, pidOff: 4, pidSize: 4}
		if narrow {
			l.word, l.data = 4, 12
		}
		var p page
		if _, ok := p.enter(l, data, len(data)); !ok {
			return
		}
		n := int(size)%batchSize + 1
		got, gotFault := collect(t, p, func(p *page, dst []record.Record) (int, fault) { return p.walkAny(l, dst) }, n)
		end := 0
		for _, r := range got {
			if len(r.Data) > len(data)-l.data-4 || len(r.Data) < 2 || len(r.Data)%4 != 0 {
				t.Fatalf("payload of %d bytes in a page of %d", len(r.Data), len(data))
			}
			end += 4 + len(r.Data)
		}
		if end > len(data)-l.data {
			t.Fatalf("%d bytes of records in a page of %d", end, len(data))
		}
		if big {
			return
		}
		plain, plainFault := collect(t, p, fast(nil), n)
		if d := cmp.Diff(got, plain); d != "" || gotFault != plainFault {
			t.Fatalf("fault %d and %d, records (-any +plain):\n%s", gotFault, plainFault, d)
		}
		chosen := choice.Of(&record.Options{IDs: []uint32{0, 2, 5, 300, 65535}})
		want := got[:chosen.Sift(got)]
		some, someFault := collect(t, p, fast(newKindSet(chosen.Kinds())), n)
		for i := range some {
			// Stream is the end of the record until the stream sets it.
			r := &some[i]
			if at := int(r.Stream) - len(r.Data); at < 0 || &p.data[at] != &r.Data[0] {
				t.Fatalf("record %d does not end at %d", i, r.Stream)
			}
			r.Stream = 0
		}
		if d := cmp.Diff(want, some, cmpopts.EquateEmpty()); d != "" || gotFault != someFault {
			t.Fatalf("fault %d and %d, records of some kinds (-any +plain):\n%s", gotFault, someFault, d)
		}
	})
}

// fast is decodeFast for some kinds; nil means all.
func fast(kinds *kindSet) func(*page, []record.Record) (int, fault) {
	return func(p *page, dst []record.Record) (int, fault) { return p.decodeFast(dst, kinds) }
}

// collect walks a copy of p to its end, n records at a time.
func collect(
	t *testing.T, p page, walk func(*page, []record.Record) (int, fault), n int,
) (all []record.Record, f fault) {
	t.Helper()
	dst := make([]record.Record, n)
	for steps := 0; !p.ended(); steps++ {
		if steps > len(p.data) {
			t.Fatal("the walk does not end")
		}
		var got int
		got, f = walk(&p, dst)
		all = append(all, dst[:got]...)
		if f != faultNone {
			break
		}
	}
	return all, f
}
