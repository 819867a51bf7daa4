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
	First, Second callback
	data          []byte // of the event
	log           []string
}

type (
	none     = record.None
	callback = func(r *record.Record, _ *none) error
)

func (d *decoder) Batch(b *Binding[none], records []record.Record, entries []none) error {
	for i := range records {
		r, x := &records[i], &entries[i]
		slot, data, err := b.Slot(r), &r.Data, error(nil)
		if slot < 0 {
			slot, data, err = b.Move(r, x)
		}
		switch slot {
		case 0:
			d.data = *data
			err = d.First(r, x)
		case 1:
			d.data = *data
			err = d.Second(r, x)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) Text(slot int, dst []byte, data *[]byte, _ *none, _ *render.Env) ([]byte, bool) {
	if slot == 1 {
		return dst, false
	}
	dst = append(dst, "first "...)
	return render.Udec(dst, uint64(binary.NativeEndian.Uint32(*data))), true
}

func twoEvents() []Event {
	first, second := event(field("x", Int, 0, 4, 0)), event(field("y", Int, 0, 4, 0), field("z", Int, 8, 4, 0))
	first.Name, second.Name, second.ID = "first", "second", 6
	return []Event{first, second}
}

func (d *decoder) note(what string) callback {
	return func(r *record.Record, _ *none) error { d.log = append(d.log, what+" "+string(r.Data)); return nil }
}

func (d *decoder) part() Part[none] { return Part[none]{Events: twoEvents(), Target: d, Callbacks: d} }

// recorded describes events of a recording.
func recorded(big bool, events ...Event) Source {
	for i := range events {
		events[i].BigEndian = big
	}
	return Sources(events)
}

// batch dispatches records, none of which ends the walk.
func batch(t testing.TB, b *Binding[none], records []record.Record) {
	t.Helper()
	if err := b.Batch(records, make([]none, len(records))); err != nil {
		t.Error(err)
	}
}

func TestDispatch(t *testing.T) {
	d := &decoder{}
	d.First, d.Second = d.note("first"), d.note("second")
	var b Binding[none]
	src := recorded(hostBig, twoEvents()...)
	opts := Options[none]{Other: d.note("other"), Short: d.note("short")}
	if err := b.Bind(src, opts, d.part()); err != nil {
		t.Fatal(err)
	}
	records := []record.Record{
		{ID: 5, Data: []byte("12345678")},
		{ID: 5, Data: []byte("1234")}, // shorter than the struct with its padding
		{ID: 5, Data: []byte("123")},
		{ID: 6, Data: []byte("123456789abc")},
		{ID: 6},
		{ID: 7, Data: []byte("seven")},
		{ID: 1 << 31, Data: []byte("far")},
	}
	batch(t, &b, records)
	want := []string{"first 12345678", "first 1234", "short 123", "second 123456789abc", "short ", "other seven", "other far"}
	if diff := cmp.Diff(want, d.log); diff != "" {
		t.Errorf("Batch (-want +got):\n%s", diff)
	}
	d.log = nil
	handled := 0
	for i := range records {
		if ok, err := b.Record(&records[i], nil); ok && err == nil {
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
	var b Binding[none]
	batch(t, &b, []record.Record{{ID: 0}, {ID: 5, Data: []byte("12345678")}})
	d := &decoder{}
	if err := b.Bind(recorded(hostBig, twoEvents()...), Options[none]{}, d.part()); err != nil {
		t.Fatal(err)
	}
	batch(t, &b, []record.Record{{ID: 5, Data: []byte("12345678")}, {ID: 5}})
	if b.Stats.Other != 2 {
		t.Errorf("%+v", b.Stats)
	}
}

// A record of the other byte order reaches the callback relocated, and is itself again afterwards.
func TestDispatchRelocated(t *testing.T) {
	d := &decoder{}
	var b Binding[none]
	d.First = func(r *record.Record, _ *none) error {
		d.log = append(d.log, string(d.data))
		text, _ := b.AppendText(nil, r, nil, nil) // within the callback: not relocated twice
		d.log = append(d.log, string(text))
		other := record.Record{ID: 5, Data: host(uint32(0x02000000))}
		text, _ = b.AppendText(nil, &other, nil, nil) // leaves the callback's own record alone
		d.log = append(d.log, string(text), string(d.data), string(r.Data))
		return nil
	}
	src := recorded(!hostBig, twoEvents()...)
	if err := b.Bind(src, Options[none]{}, d.part()); err != nil {
		t.Fatal(err)
	}
	data := host(uint32(0x04030201))
	r := record.Record{ID: 5, Data: data}
	batch(t, &b, []record.Record{r})
	swapped := host(uint32(0x01020304), uint32(0))
	if diff := cmp.Diff([]string{string(swapped), "first 16909060", "first 2", string(swapped), string(data)}, d.log); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	text, ok := b.AppendText([]byte("> "), &r, nil, nil)
	if string(text) != "> first 16909060" || !ok || &r.Data[0] != &data[0] {
		t.Errorf("%q %v, data %x", text, ok, r.Data)
	}
	if n := testing.AllocsPerRun(100, func() { text, _ = b.AppendText(text[:0], &r, nil, nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAppendText(t *testing.T) {
	d := &decoder{}
	var b Binding[none]
	if err := b.Bind(recorded(hostBig, twoEvents()...), Options[none]{}, d.part()); err != nil {
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
		if got, ok := b.AppendText([]byte(">"), &tt.r, nil, nil); string(got) != tt.want || ok != tt.ok {
			t.Errorf("id %d: %q %v, want %q %v", tt.r.ID, got, ok, tt.want, tt.ok)
		}
	}
}

func TestBindErrors(t *testing.T) {
	d := &decoder{}
	d.First, d.Second = d.note("first"), d.note("second")
	part := d.part()
	var b Binding[none]
	two, opts := twoEvents(), Options[none]{}
	bind := func() error { return b.Bind(recorded(hostBig, two...), opts, part) }
	two = two[:1]
	err := bind()
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), `event "g:second"`) {
		t.Errorf("got %v", err)
	}
	var missing []string
	opts.Missing = func(event string, err error) { missing = append(missing, event+": "+err.Error()) }
	if err := bind(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{`g:second: event "g:second": missing in the recording`}, missing); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	opts = Options[none]{Optional: true}
	if err := bind(); err != nil {
		t.Error(err)
	}
	two = twoEvents()
	two[1].Fields[0].Name = "other"
	if err := bind(); !errors.Is(err, ErrMissing) {
		t.Errorf("an optional event without its field: %v", err)
	}
	opts.Optional = false
	two = twoEvents()
	two[1].ID = two[0].ID
	if err := bind(); err == nil {
		t.Error("two events of one id are bound")
	}
	two[1].ID = 1 << 30
	if err := bind(); !errors.Is(err, ErrMissing) {
		t.Errorf("an id that needs a table of gigabytes: %v", err)
	}
	d.Second = nil // not wanted
	two = twoEvents()[:1]
	if err := bind(); err != nil {
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
	d.First = func(r *record.Record, _ *none) error {
		got.WriteByte(r.Data[0])
		return got.WriteByte(byte('0' + r.Stream))
	}
	var b Binding[none]
	if err := b.Bind(recorded(hostBig, twoEvents()...), Options[none]{}, d.part()); err != nil {
		t.Fatal(err)
	}
	if err := b.InTimeOrder(nil, record.Merge(streams(), nil)); !errors.Is(err, broken) || got.String() != "a0b1c2d0e0" {
		t.Errorf("time order: %q, %v", got.String(), err)
	}
	got.Reset()
	if err := InStreamOrder(&b, nil, streams()); !errors.Is(err, broken) || got.String() != "a0d0e0b1c2" {
		t.Errorf("stream order: %q, %v", got.String(), err)
	}
}

// TestLostBeforeShort: what was lost before a record that nobody receives counts as lost before the next one of its stream, and what the caller has stays as it is.
func TestLostBeforeShort(t *testing.T) {
	rec := func(time uint64, data string, lost int64) record.Record {
		return record.Record{ID: 5, Time: time, Data: []byte(data), Lost: lost}
	}
	other := rec(9, "----", 2)
	other.ID = 77
	streams := func() []record.Stream[record.None] {
		return []record.Stream[record.None]{
			&batches{[][]record.Record{{rec(1, "a---", 0), rec(2, "", 5), rec(3, "", 1), rec(4, "b---", 3), rec(8, "", 7)}, {other, rec(9, "c---", 0)}, {rec(10, "", 1)}}, io.EOF},
			&batches{[][]record.Record{{rec(5, "d---", 0), rec(6, "", record.LostUnknown)}, {rec(8, "e---", 4)}}, io.EOF},
		}
	}
	d := &decoder{}
	got := map[string]int64{}
	d.First = func(r *record.Record, _ *none) error { got[string(r.Data[:1])] = r.Lost; return nil }
	var b Binding[none]
	if err := b.Bind(recorded(hostBig, twoEvents()...), Options[none]{}, d.part()); err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{"a": 0, "b": 9, "c": 9, "d": 0, "e": record.LostUnknown}
	for name, walk := range map[string]func() error{
		"time":    func() error { return b.InTimeOrder(nil, record.Merge(streams(), nil)) },
		"streams": func() error { return InStreamOrder(&b, nil, streams()) },
		"slice": func() error {
			failed, err := b.slice(record.Merge(streams(), nil), nil)
			return errors.Join(failed, err)
		},
	} {
		clear(got)
		if err := walk(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	again := []record.Record{rec(1, "", 5), rec(2, "", 1), rec(3, "a---", 0)}
	if err := b.InTimeOrder(nil, record.Merge([]*batches{{[][]record.Record{again}, io.EOF}}, nil)); err != nil || got["a"] != 6 || again[1].Lost != 1 || again[2].Lost != 0 {
		t.Error("a stream has other records than it had", err, got, again)
	}
	own := []record.Record{rec(1, "", 5), rec(2, "a---", 0)}
	if batch(t, &b, own); own[1].Lost != 0 {
		t.Error("a record of the caller has changed")
	}
}

func BenchmarkBatch(b *testing.B) {
	for name, big := range map[string]bool{"in place": hostBig, "relocated": !hostBig} {
		b.Run(name, func(b *testing.B) {
			d := &decoder{}
			n := 0
			count := func(*record.Record, *none) error { n++; return nil }
			d.First, d.Second = count, count
			var bd Binding[none]
			if err := bd.Bind(recorded(big, twoEvents()...), Options[none]{}, d.part()); err != nil {
				b.Fatal(err)
			}
			records := make([]record.Record, 256)
			for i := range records {
				records[i] = record.Record{ID: uint32(5 + i%2), Data: make([]byte, 16)}
			}
			b.ReportAllocs()
			for b.Loop() {
				batch(b, &bd, records)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mev/s")
		})
	}
}

// The error of a callback ends the walk.
func TestCallbackEndsBatch(t *testing.T) {
	enough := errors.New("enough")
	for _, c := range []struct {
		name string
		id   uint32
		data string
		opts func(fail callback) Options[none]
	}{
		{"callback", 5, "12345678", func(callback) Options[none] { return Options[none]{} }},
		{"padded", 5, "1234", func(callback) Options[none] { return Options[none]{} }},
		{"other", 9, "", func(fail callback) Options[none] { return Options[none]{Other: fail} }},
		{"short", 5, "", func(fail callback) Options[none] { return Options[none]{Short: fail} }},
		{"short and other", 5, "", func(fail callback) Options[none] { return Options[none]{Other: fail} }},
	} {
		n := 0
		fail := func(*record.Record, *none) error { n++; return enough }
		d := &decoder{First: fail}
		var b Binding[none]
		if err := b.Bind(recorded(hostBig, twoEvents()...), c.opts(fail), d.part()); err != nil {
			t.Fatal(err)
		}
		r := record.Record{ID: c.id, Data: []byte(c.data)}
		if err := b.Batch([]record.Record{r, r}, make([]none, 2)); err != enough || n != 1 {
			t.Errorf("%s: %d calls, %v", c.name, n, err)
		}
		if _, err := b.Record(&r, nil); err != enough || n != 2 {
			t.Errorf("%s, one record: %d calls, %v", c.name, n, err)
		}
	}
}
