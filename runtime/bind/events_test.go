package bind

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// feed is a stream of batches that ends with an error.
type feed[E any] struct {
	left []record.Batch[E]
	err  error
}

func (s *feed[E]) Next() (record.Batch[E], error) {
	if len(s.left) == 0 {
		return record.Batch[E]{}, s.err
	}
	b := s.left[0]
	s.left = s.left[1:]
	return b, nil
}

// plain returns a stream of batches without entries.
func plain(err error, batches ...[]record.Record) *feed[none] {
	s := &feed[none]{err: err}
	for _, b := range batches {
		s.left = append(s.left, record.Plain(b))
	}
	return s
}

// container holds the events of package two. Its streams are not cut.
func container(streams func(record.Options) []*feed[none]) Container[none] {
	c := Container[none]{Source: recorded(hostBig, twoEvents()...)}
	c.Merge = func(o record.Options) *record.Merger[none] { return record.Merge(streams(o), nil) }
	c.Slices = func(o record.Options, each bool) []record.Slice[none] {
		if each {
			return record.Slices[none](streams(o))
		}
		return []record.Slice[none]{{Open: func(*record.Cut) *record.Merger[none] { return c.Merge(o) }}}
	}
	return c
}

// of returns a record of the first event, with four bytes that begin with s.
func of(time uint64, s string) record.Record {
	return record.Record{ID: 5, Time: time, Data: fmt.Appendf(nil, "%-4s", s)}
}

// events is the iterator of a loop over events.
type events = iter.Seq2[*record.Record, any]

// ways are the loops over the events of a Decoder.
var ways = map[string]func(t *testing.T, d *Decoder[none], fn func(*record.Record, any)) error{
	"Events": func(t *testing.T, d *Decoder[none], fn func(*record.Record, any)) error {
		for r, ev := range d.Events(t.Context(), record.Options{}) {
			fn(r, ev)
		}
		return d.Err()
	},
	"slices": func(t *testing.T, d *Decoder[none], fn func(*record.Record, any)) error {
		return sliced(t, d, false, fn)
	},
	"streams": func(t *testing.T, d *Decoder[none], fn func(*record.Record, any)) error {
		return sliced(t, d, true, fn)
	},
}

// sliced loops over slices, one after the other.
func sliced(t *testing.T, d *Decoder[none], each bool, fn func(*record.Record, any)) error {
	s := Slicing{Records: record.Options{Workers: 1}, Streams: each}
	return Parallel(t.Context(), d, s, func(_ *Decoder[none], list events) (none, error) {
		for r, ev := range list {
			fn(r, ev)
		}
		return none{}, nil
	}, func(none) error { return nil })
}

// Loops run in the order of time or of streams. A stream that fails is left out, and Err returns
// its error.
func TestOrder(t *testing.T) {
	broken := errors.New("disk on fire")
	d := decoderOf(t, container(func(record.Options) []*feed[none] {
		return []*feed[none]{
			plain(io.EOF, []record.Record{of(1, "a"), of(4, "d")}, []record.Record{of(5, "e")}),
			plain(broken, []record.Record{of(2, "b")}),
			plain(io.EOF, []record.Record{of(3, "c")}),
		}
	}))
	for name, want := range map[string]string{"Events": "a0b1c2d0e0", "slices": "a0b1c2d0e0", "streams": "a0d0e0b1c2"} {
		got := ""
		err := ways[name](t, d, func(r *record.Record, ev any) {
			got += fmt.Sprintf("%c%d", ev.(*firstEvent).data[0], r.Stream)
		})
		if !errors.Is(err, broken) || d.Err() != err || got != want {
			t.Errorf("%s: %q, want %q; error %v", name, got, want, err)
		}
	}
}

// entered is a Target with one event. The event is the entry.
type entered struct{}

func (entered) Decode(_ int, data []byte, _ *record.Record, x *string, _ *render.Env) any {
	if data[0] == '!' {
		return nil
	}
	return x
}

// TestEvents: a loop gets records, events and entries. Each loop starts from the beginning. After
// it, Err and Stats have its result.
func TestEvents(t *testing.T) {
	broken := errors.New("broken")
	c := Container[string]{Source: recorded(hostBig, twoEvents()...),
		Merge: func(record.Options) *record.Merger[string] {
			b := record.Batch[string]{Entries: []string{"entry 0", "entry 1", "entry 2", "entry 3", "entry 4"}}
			for i, data := range []string{"a", "b", "!", "", "e"} {
				b.Records = append(b.Records, record.Record{ID: 5, Time: uint64(i),
					Data: fmt.Appendf(nil, "%s---", data)})
			}
			b.Records[3].Data = nil
			b.Records[4].ID = 7
			return record.Merge([]*feed[string]{{left: []record.Batch[string]{b, b}, err: broken}}, nil)
		}}
	d, err := Bind(c, []Package[string]{{Events: twoEvents(), New: func() Target[string] { return entered{} }}})
	if err != nil {
		t.Fatal(err)
	}
	events := d.Events(t.Context(), record.Options{})
	for range 2 {
		var got []string
		for r, ev := range events {
			if x := ev.(*string); x != d.Entry() {
				t.Errorf("%q, the entry is %q", *x, *d.Entry())
			}
			got = append(got, fmt.Sprint(r.Time, string(r.Data), *d.Entry()))
		}
		if diff := cmp.Diff([]string{"0a---entry 0", "1b---entry 1", "0a---entry 0", "1b---entry 1"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if d.Err() != broken || d.Stats() != (Stats{Other: 2, Short: 4}) || d.Entry() != nil {
			t.Error(d.Err(), d.Stats(), d.Entry())
		}
		n := 0
		for range events {
			if n++; n == 2 {
				break
			}
		}
		if n != 2 || d.Err() != nil || d.Stats() != (Stats{}) || d.Entry() != nil {
			t.Error(n, d.Err(), d.Stats(), d.Entry())
		}
	}
}

// TestSelect: records of other events are not selected, except with All.
func TestSelect(t *testing.T) {
	var asked record.Options
	c := container(func(o record.Options) []*feed[none] { asked = o; return nil })
	for _, tt := range []struct {
		opts       []Option
		have, want []uint32
	}{
		{nil, nil, []uint32{5, 6}},
		{[]Option{&two.Events[1]}, nil, []uint32{6}},
		{nil, []uint32{1, 6, 7}, []uint32{6}},
		{[]Option{&two.Events[0]}, []uint32{6}, []uint32{}},
		{[]Option{&two.Events[0], All()}, nil, nil},
		{[]Option{&two.Events[0], All()}, []uint32{6}, []uint32{6}},
	} {
		d := decoderOf(t, c, tt.opts...)
		for name, way := range map[string]func(o record.Options){
			"Events": func(o record.Options) {
				for range d.Events(t.Context(), o) {
				}
			},
			"Parallel": func(o record.Options) {
				for _, each := range []bool{false, true} {
					asked = record.Options{}
					ignore := func(*Decoder[none], events) (none, error) { return none{}, nil }
					_ = Parallel(t.Context(), d, Slicing{o, each}, ignore, func(none) error { return nil })
				}
			},
			"Select": func(o record.Options) { asked = d.Select(o) },
		} {
			way(record.Options{IDs: tt.have, CPUs: []int32{3}})
			if diff := cmp.Diff(tt.want, asked.IDs); diff != "" || len(asked.CPUs) != 1 {
				t.Errorf("%s, %v of %v: %v (-want +got):\n%s", name, tt.opts, tt.have, asked, diff)
			}
		}
	}
}

// TestAll: with All, loops yield every record, with the number of events lost before it.
func TestAll(t *testing.T) {
	d := decoderOf(t, container(func(record.Options) []*feed[none] {
		return []*feed[none]{plain(io.EOF, []record.Record{
			of(1, "a"), {ID: 6, Data: []byte("b"), Lost: 2}, {ID: 7, Data: []byte("c"), Lost: 3}, of(4, "d"), {ID: 5},
		})}
	}), &two.Events[0], All())
	for name, way := range ways {
		var got []string
		err := way(t, d, func(r *record.Record, ev any) { got = append(got, fmt.Sprint(named(ev, r), r.Lost)) })
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"first a   0", "none b2", "none c3", "first d   0", "short 0"}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if d.Stats() != (Stats{Other: 2, Short: 1}) {
			t.Errorf("%s: %+v", name, d.Stats())
		}
	}
}

// sink prevents the compiler from removing calls.
var sink any

func BenchmarkDecode(b *testing.B) {
	records := make([]record.Record, 256)
	for i := range records {
		records[i] = record.Record{ID: uint32(5 + i%2), Data: make([]byte, 16)}
	}
	for name, big := range map[string]bool{"in place": hostBig, "relocated": !hostBig} {
		c := container(nil)
		c.Source = recorded(big, twoEvents()...)
		c.Merge = func(record.Options) *record.Merger[none] {
			return record.Merge([]*feed[none]{plain(io.EOF, records)}, nil)
		}
		d := decoderOf(b, c)
		n := 0
		report := func(b *testing.B) { b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mev/s") }
		b.Run("Decode "+name, func(b *testing.B) {
			b.ReportAllocs()
			for n = 0; b.Loop(); n += len(records) {
				for i := range records {
					sink = d.Decode(&records[i], nil)
				}
			}
			report(b)
		})
		b.Run("Events "+name, func(b *testing.B) {
			b.ReportAllocs()
			for n = 0; b.Loop(); {
				for range d.Events(b.Context(), record.Options{}) {
					n++
				}
			}
			report(b)
		})
	}
}
