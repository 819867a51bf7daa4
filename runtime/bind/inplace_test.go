package bind

import (
	"testing"

	"github.com/tracec/tracec/runtime/record"
)

// TestEventsInPlace: a loop yields an event in place only for a record that has the whole struct.
func TestEventsInPlace(t *testing.T) {
	type pair struct{ A, B uint64 }
	e := Event{Name: "e", ID: 5, BigEndian: hostBig, Size: 12, Struct: 16,
		Fields: []Field{{Name: "a", Size: 8}, {Name: "b", Offset: 8, Size: 4}}}
	p := Package[none]{Events: []Event{e}, InPlace: []any{(*pair)(nil)}, New: func() Target[none] { return nil }}
	buf := make([]byte, 64)
	for i := range buf {
		buf[i] = 0xff
	}
	var list []record.Record
	for n := range 20 {
		list = append(list, record.Record{ID: 5, Data: buf[:n]})
	}
	d, err := Bind(Container[none]{Source: Sources([]Event{e}), Merge: func(record.Options) *record.Merger[none] {
		return record.Merge([]*lossyStream{{list: list, size: 7}}, nil)
	}}, []Package[none]{p}, All())
	if err != nil {
		t.Fatal(err)
	}
	for r, x := range d.Events(t.Context(), record.Options{}) {
		x, ok := x.(*pair)
		switch n := len(r.Data); {
		case ok != (n >= 12):
			t.Errorf("%d bytes: event %v", n, ok)
		case ok && !hostBig && n < 16 && x.B>>(8*uint(n-8)) != 0:
			t.Errorf("%d bytes: %#x is beyond the record", n, x.B)
		}
	}
}
