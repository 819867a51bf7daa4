package bind

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// dispatch is a stub of generated code: two events, the first with text.
type (
	dispatch struct {
		first  firstEvent
		second secondEvent
	}
	firstEvent  struct{ data []byte }
	secondEvent struct{ data []byte }
	none        = record.None
)

func (d *dispatch) Decode(slot int, data []byte, _ *record.Record, _ *none, _ *render.Env) any {
	switch slot {
	case 0:
		d.first = firstEvent{data}
		return &d.first
	case 1:
		d.second = secondEvent{data}
		return &d.second
	}
	return nil
}

func appendFirst(dst, data []byte, _ *none, _ *render.Env) []byte {
	return render.Udec(append(dst, "first "...), uint64(binary.NativeEndian.Uint32(data)))
}

func twoEvents() []Event {
	first, second := event(field("x", Int, 0, 4, 0)), event(field("y", Int, 0, 4, 0), field("z", Int, 8, 4, 0))
	first.Name, second.Name, second.ID = "first", "second", 6
	return []Event{first, second}
}

// two is the package with these events.
var two = packageOf(twoEvents()...)

func packageOf(events ...Event) Package[none] {
	texts := make([]Text[none], len(events))
	texts[0] = appendFirst
	return Package[none]{Events: events, New: func() Target[none] { return new(dispatch) }, Texts: texts}
}

// named returns the name of the event that a Decoder has returned, with its data.
func named(ev any, r *record.Record) string {
	switch ev := ev.(type) {
	case *firstEvent:
		return "first " + string(ev.data)
	case *secondEvent:
		return "second " + string(ev.data)
	case *Short:
		return "short " + string(r.Data)
	case nil:
		return "none " + string(r.Data)
	}
	return fmt.Sprintf("%T", ev)
}

// recorded describes events of a recording.
func recorded(big bool, events ...Event) Source {
	for i := range events {
		events[i].BigEndian = big
	}
	return Sources(events)
}

// decoderOf binds the package two.
func decoderOf(t testing.TB, c Container[none], opts ...Option) *Decoder[none] {
	t.Helper()
	d, err := Bind(c, []Package[none]{two}, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDecode(t *testing.T) {
	records := []record.Record{
		{ID: 5, Data: []byte("12345678")},
		{ID: 5, Data: []byte("1234")}, // shorter than the struct with its padding
		{ID: 5, Data: []byte("123")},
		{ID: 6, Data: []byte("123456789abc")},
		{ID: 6},
		{ID: 7, Data: []byte("seven")},
		{ID: 1 << 31, Data: []byte("far")},
	}
	src := recorded(hostBig, twoEvents()...)
	for _, tt := range []struct {
		opts []Option
		want []string
	}{
		{nil, []string{
			"first 12345678", "first 1234", "short 123", "second 123456789abc", "short ", "none seven", "none far",
		}},
		{[]Option{&two.Events[0]}, []string{
			"first 12345678", "first 1234", "short 123", "none 123456789abc", "none ", "none seven", "none far",
		}},
	} {
		d := decoderOf(t, Container[none]{Source: src}, tt.opts...)
		var got []string
		for i := range records {
			ev := d.Decode(&records[i], nil)
			if got = append(got, named(ev, &records[i])); (ev != nil) != (d.Event(&records[i]) != nil) {
				t.Errorf("%s: event %v", got[i], d.Event(&records[i]))
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if e := d.Event(&records[0]); e != &two.Events[0] {
			t.Errorf("event %v", e)
		}
	}
	d := decoderOf(t, Container[none]{Source: Sources(nil)}, Optional())
	for i := range records {
		if ev := d.Decode(&records[i], nil); ev != nil || d.Event(&records[i]) != nil {
			t.Error("nothing is bound, and there is an event:", named(ev, &records[i]))
		}
	}
}

// A record with the other byte order becomes a relocated event. The record itself is unchanged.
func TestDecodeRelocated(t *testing.T) {
	d := decoderOf(t, Container[none]{Source: recorded(!hostBig, twoEvents()...)})
	data := host(uint32(0x04030201))
	r := record.Record{ID: 5, Data: data}
	ev := d.Decode(&r, nil).(*firstEvent)
	text, _ := d.AppendText(nil, &r, nil, nil) // not relocated twice
	other := record.Record{ID: 5, Data: host(uint32(0x02000000))}
	said, _ := d.AppendText(nil, &other, nil, nil) // leaves the event alone
	swapped := host(uint32(0x01020304), uint32(0))
	want := []string{string(swapped), "first 16909060", "first 2", string(host(uint32(0x04030201)))}
	if diff := cmp.Diff(want, []string{string(ev.data), string(text), string(said), string(r.Data)}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	text, ok := d.AppendText([]byte("> "), &r, nil, nil)
	if string(text) != "> first 16909060" || !ok || &r.Data[0] != &data[0] {
		t.Errorf("%q %v, data %x", text, ok, r.Data)
	}
	if n := testing.AllocsPerRun(100, func() { text, _ = d.AppendText(text[:0], &r, nil, nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A Decoder does not allocate for a record, however the record is decoded.
func TestDecodeAllocates(t *testing.T) {
	for name, big := range map[string]bool{"in place": hostBig, "relocated": !hostBig} {
		d := decoderOf(t, Container[none]{Source: recorded(big, twoEvents()...)})
		for _, r := range []record.Record{
			{ID: 5, Data: make([]byte, 8)}, {ID: 5, Data: make([]byte, 4)}, {ID: 5}, {ID: 6, Data: make([]byte, 16)},
			{ID: 7},
		} {
			if n := testing.AllocsPerRun(100, func() { d.Decode(&r, nil) }); n != 0 {
				t.Errorf("%s, id %d of %d bytes: %v allocations", name, r.ID, len(r.Data), n)
			}
		}
	}
}

func TestAppendText(t *testing.T) {
	for _, opts := range [][]Option{nil, {&two.Events[1]}} { // events that were not requested also have text
		d := decoderOf(t, Container[none]{Source: recorded(hostBig, twoEvents()...)}, opts...)
		for _, tt := range []struct {
			r    record.Record
			want string
			ok   bool
		}{
			{record.Record{ID: 5, Data: host(uint32(7))}, ">first 7", true},
			{record.Record{ID: 5, Data: []byte("12")}, ">[short record: 2 of 4 bytes]", true},
			{record.Record{ID: 6, Data: make([]byte, 12)}, ">", false},
			{record.Record{ID: 9}, ">", false},
		} {
			if got, ok := d.AppendText([]byte(">"), &tt.r, nil, nil); string(got) != tt.want || ok != tt.ok {
				t.Errorf("id %d: %q %v, want %q %v", tt.r.ID, got, ok, tt.want, tt.ok)
			}
		}
	}
	silent := two
	silent.Texts = nil
	d, err := Bind(Container[none]{Source: recorded(hostBig, twoEvents()...)}, []Package[none]{silent})
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := d.AppendText(nil, &record.Record{ID: 5, Data: make([]byte, 8)}, nil, nil); ok || text != nil {
		t.Errorf("%q of a package without text", text)
	}
}

// TestClone: clones on other goroutines decode in the same way as the first Decoder, also if
// records are relocated. They share its tables, and have their own events and statistics.
func TestClone(t *testing.T) {
	for _, big := range []bool{hostBig, !hostBig} {
		d := decoderOf(t, Container[none]{Source: recorded(big, twoEvents()...)}, &two.Events[0], &two.Events[1])
		var records []record.Record
		for i := range 50 {
			records = append(records, record.Record{ID: uint32(5 + i%3), Data: fmt.Appendf(nil, "%0*d", i, i)})
		}
		decode := func(d *Decoder[none]) (list []string) {
			for i := range records {
				list = append(list, named(d.Decode(&records[i], nil), &records[i]))
			}
			return list
		}
		want := decode(d)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				c := d.Clone()
				if diff := cmp.Diff(want, decode(c)); diff != "" || &c.table[0] != &d.table[0] {
					t.Errorf("big-endian %v (-first +clone):\n%s", big, diff)
				}
			})
		}
		all.Wait()
		ev := d.Decode(&records[48], nil).(*firstEvent)
		kept := string(ev.data)
		if d.Clone().Decode(&records[45], nil); string(ev.data) != kept {
			t.Error("a clone has the event of the first")
		}
	}
}

// TestView: an interface consists of a type word and a pointer. view relies on this.
func TestView(t *testing.T) {
	type big struct{ a, b uint64 }
	data := binary.NativeEndian.AppendUint64(binary.NativeEndian.AppendUint64(nil, 1), 2)
	e, ok := view(typeOf((*big)(nil)), data).(*big)
	if !ok || *e != (big{1, 2}) || unsafe.Pointer(e) != unsafe.Pointer(&data[0]) {
		t.Errorf("%v %v", e, ok)
	}
	if typeOf(nil) != nil || typeOf((*big)(nil)) != typeOf(e) {
		t.Error("the type of a nil pointer is another one")
	}
	runtime.GC()
	if e.b = 3; data[8] == data[0] {
		t.Error("another memory")
	}
}
