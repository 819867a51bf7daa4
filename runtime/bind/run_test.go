package bind

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// decoder is what generated code amounts to: two events, the first with text.
type decoder struct {
	First, Second func(r *record.Record)
	log           []string
}

func (d *decoder) Event(slot int, r *record.Record) {
	switch slot {
	case 0:
		d.First(r)
	case 1:
		d.Second(r)
	}
}

func (d *decoder) Text(slot int, dst []byte, r *record.Record, _ *render.Env) ([]byte, bool) {
	if slot == 1 {
		return dst, false
	}
	dst = append(dst, "first "...)
	return render.Udec(dst, uint64(binary.NativeEndian.Uint32(r.Data))), true
}

func twoEvents() []Event {
	first, second := event(field("x", Int, 0, 4, 0)), event(field("y", Int, 0, 4, 0), field("z", Int, 8, 4, 0))
	first.Name, second.Name, second.ID = "first", "second", 6
	return []Event{first, second}
}

func (d *decoder) note(what string) func(*record.Record) {
	return func(r *record.Record) { d.log = append(d.log, what+" "+string(r.Data)) }
}

func TestDispatch(t *testing.T) {
	d := &decoder{}
	d.First, d.Second = d.note("first"), d.note("second")
	var b Binding
	src := &Source{BigEndian: hostBig, WordSize: 8, Events: twoEvents()}
	hooks := Hooks{Other: d.note("other"), Short: d.note("short")}
	if err := b.Bind(src, hooks, Part{Events: twoEvents(), Target: d, Callbacks: d}); err != nil {
		t.Fatal(err)
	}
	batch := []record.Record{
		{ID: 5, Data: []byte("12345678")},
		{ID: 5, Data: []byte("1234")}, // shorter than the struct with its padding
		{ID: 5, Data: []byte("123")},
		{ID: 6, Data: []byte("123456789abc")},
		{ID: 6},
		{ID: 7, Data: []byte("seven")},
		{ID: 1 << 31, Data: []byte("far")},
	}
	b.Batch(batch)
	want := []string{"first 12345678", "first 1234", "short 123", "second 123456789abc", "short ", "other seven", "other far"}
	if diff := cmp.Diff(want, d.log); diff != "" {
		t.Errorf("Batch (-want +got):\n%s", diff)
	}
	d.log = nil
	handled := 0
	for i := range batch {
		if b.Record(&batch[i]) {
			handled++
		}
	}
	if diff := cmp.Diff(want, d.log); diff != "" || handled != 3 {
		t.Errorf("Record: %d handled (-want +got):\n%s", handled, diff)
	}
	if want := (Stats{Other: 4, Short: 4}); b.Stats != want {
		t.Errorf("%+v, want %+v", b.Stats, want)
	}
}

// Without callbacks nothing is called, and the zero Binding has nothing bound.
func TestDispatchOfNothing(t *testing.T) {
	var b Binding
	b.Batch([]record.Record{{ID: 0}, {ID: 5, Data: []byte("12345678")}})
	d := &decoder{}
	if err := b.Bind(&Source{BigEndian: hostBig, Events: twoEvents()}, Hooks{}, Part{Events: twoEvents(), Target: d, Callbacks: d}); err != nil {
		t.Fatal(err)
	}
	b.Batch([]record.Record{{ID: 5, Data: []byte("12345678")}, {ID: 5}})
	if b.Stats.Other != 2 {
		t.Errorf("%+v", b.Stats)
	}
}

// A record of the other byte order reaches the callback relocated, and is itself again afterwards.
func TestDispatchRelocated(t *testing.T) {
	d := &decoder{}
	var b Binding
	d.First = func(r *record.Record) {
		d.log = append(d.log, string(r.Data))
		text, _ := b.AppendText(nil, r, nil) // within the callback: not relocated twice
		d.log = append(d.log, string(text))
		other := record.Record{ID: 5, Data: host(uint32(0x02000000))}
		text, _ = b.AppendText(nil, &other, nil) // leaves the callback's own record alone
		d.log = append(d.log, string(text), string(r.Data))
	}
	src := &Source{BigEndian: !hostBig, WordSize: 8, Events: twoEvents()}
	if err := b.Bind(src, Hooks{}, Part{Events: twoEvents(), Target: d, Callbacks: d}); err != nil {
		t.Fatal(err)
	}
	data := host(uint32(0x04030201))
	r := record.Record{ID: 5, Data: data}
	b.Batch([]record.Record{r})
	swapped := host(uint32(0x01020304), uint32(0))
	if diff := cmp.Diff([]string{string(swapped), "first 16909060", "first 2", string(swapped)}, d.log); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	text, ok := b.AppendText([]byte("> "), &r, nil)
	if string(text) != "> first 16909060" || !ok || &r.Data[0] != &data[0] {
		t.Errorf("%q %v, data %x", text, ok, r.Data)
	}
	if n := testing.AllocsPerRun(100, func() { text, _ = b.AppendText(text[:0], &r, nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAppendText(t *testing.T) {
	d := &decoder{}
	var b Binding
	if err := b.Bind(&Source{BigEndian: hostBig, Events: twoEvents()}, Hooks{}, Part{Events: twoEvents(), Target: d, Callbacks: d}); err != nil {
		t.Fatal(err)
	}
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
		if got, ok := b.AppendText([]byte(">"), &tt.r, nil); string(got) != tt.want || ok != tt.ok {
			t.Errorf("id %d: %q %v, want %q %v", tt.r.ID, got, ok, tt.want, tt.ok)
		}
	}
}

func TestBindErrors(t *testing.T) {
	d := &decoder{}
	d.First, d.Second = d.note("first"), d.note("second")
	part := Part{Events: twoEvents(), Target: d, Callbacks: d}
	src := &Source{BigEndian: hostBig, Events: twoEvents()[:1]}
	var b Binding
	err := b.Bind(src, Hooks{}, part)
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), `event "g:second"`) {
		t.Errorf("got %v", err)
	}
	var missing []string
	hooks := Hooks{Missing: func(event string, err error) { missing = append(missing, event+": "+err.Error()) }}
	if err := b.Bind(src, hooks, part); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{`g:second: event "g:second": missing in the recording`}, missing); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	src.Events = twoEvents()
	src.Events[1].ID = src.Events[0].ID
	if err := b.Bind(src, Hooks{}, part); err == nil {
		t.Error("two events of one id are bound")
	}
	src.Events[1].ID = 1 << 30
	if err := b.Bind(src, Hooks{}, part); !errors.Is(err, ErrMissing) {
		t.Errorf("an id that needs a table of gigabytes: %v", err)
	}
	src.Events[1].ID = 6
	d.Second = nil // not wanted
	src.Events = src.Events[:1]
	if err := b.Bind(src, Hooks{}, part); err != nil {
		t.Error(err)
	}
}

// batches is a stream that ends with an error.
type batches struct {
	left [][]record.Record
	err  error
}

func (s *batches) Next() (record.Batch[record.None], error) {
	if len(s.left) == 0 {
		return record.Batch[record.None]{}, s.err
	}
	b := s.left[0]
	s.left = s.left[1:]
	return record.Plain(b), nil
}

func TestStreams(t *testing.T) {
	broken := errors.New("disk on fire")
	streams := func() []record.Stream[record.None] {
		rec := func(time uint64, s string) record.Record {
			return record.Record{ID: 5, Time: time, Data: []byte(s + "---")}
		}
		return []record.Stream[record.None]{
			&batches{[][]record.Record{{rec(1, "a"), rec(4, "d")}, {rec(5, "e")}}, io.EOF},
			&batches{[][]record.Record{{rec(2, "b")}}, broken},
			&batches{[][]record.Record{{rec(3, "c")}}, io.EOF},
		}
	}
	d := &decoder{}
	var got strings.Builder
	d.First = func(r *record.Record) { got.WriteByte(r.Data[0]); got.WriteByte(byte('0' + r.Stream)) }
	var b Binding
	if err := b.Bind(&Source{BigEndian: hostBig, Events: twoEvents()}, Hooks{}, Part{Events: twoEvents(), Target: d, Callbacks: d}); err != nil {
		t.Fatal(err)
	}
	if err := b.InTimeOrder(streams()); !errors.Is(err, broken) || got.String() != "a0b1c2d0e0" {
		t.Errorf("time order: %q, %v", got.String(), err)
	}
	got.Reset()
	if err := b.InStreamOrder(streams()); !errors.Is(err, broken) || got.String() != "a0d0e0b1c2" {
		t.Errorf("stream order: %q, %v", got.String(), err)
	}
}

func BenchmarkBatch(b *testing.B) {
	for name, big := range map[string]bool{"in place": hostBig, "relocated": !hostBig} {
		b.Run(name, func(b *testing.B) {
			d := &decoder{}
			n := 0
			d.First, d.Second = func(*record.Record) { n++ }, func(*record.Record) { n++ }
			var bd Binding
			if err := bd.Bind(&Source{BigEndian: big, Events: twoEvents()}, Hooks{}, Part{Events: twoEvents(), Target: d, Callbacks: d}); err != nil {
				b.Fatal(err)
			}
			batch := make([]record.Record, 256)
			for i := range batch {
				batch[i] = record.Record{ID: uint32(5 + i%2), Data: make([]byte, 16)}
			}
			b.ReportAllocs()
			for b.Loop() {
				bd.Batch(batch)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mev/s")
		})
	}
}
