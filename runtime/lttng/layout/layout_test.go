package layout_test

import (
	"encoding/binary"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/layout"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// compiled holds the tables of a decoder for a little-endian 32-bit machine.
var compiled = []bind.Event{
	{Group: "fs", Name: "open", Sequential: true, Fields: []bind.Field{
		{Name: "fd", Size: 4, Align: 4, Signed: true}, {Name: "name", Kind: bind.Terminated},
		{Name: "port", Size: 2, Align: 2, Order: bind.BigEndian}, {Name: "ino", Size: 8, Align: 4}}},
	{Group: "fs", Name: "close", Sequential: true, Fields: []bind.Field{{Name: "fd", Size: 4}}},
	{Group: "fs", Name: "gone", Sequential: true},
}

// dispatch is a stub of generated code. Its events are the data.
type dispatch struct{ open, close, gone []byte }

func (d *dispatch) Decode(slot int, data []byte, _ *record.Record, _ *lttng.Entry, _ *render.Env) any {
	ev := []*[]byte{&d.open, &d.close, &d.gone}[slot]
	*ev = data
	return ev
}

// decoderOf binds events of rec.
func decoderOf(rec *lttng.Recording, opts ...bind.Option) (*bind.Decoder[lttng.Entry], error) {
	c, err := layout.Of(rec)
	if err != nil {
		return nil, err
	}
	p := bind.Package[lttng.Entry]{Events: compiled, New: func() bind.Target[lttng.Entry] { return new(dispatch) }}
	return bind.Bind(c, []bind.Package[lttng.Entry]{p}, opts...)
}

// The events, as options.
var openEvent, closeEvent, goneEvent = &compiled[0], &compiled[1], &compiled[2]

// trace writes a trace of another machine.
func trace(t *testing.T, l lttng.Layout, format string) *lttng.Recording {
	t.Helper()
	dir := t.TempDir()
	writeTrace(t, dir, l, format)
	return openTrace(t, dir)
}

func openTrace(t *testing.T, dir string) *lttng.Recording {
	t.Helper()
	rec, err := lttng.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func writeTrace(t *testing.T, dir string, l lttng.Layout, format string) {
	t.Helper()
	l.BlockSize, l.CPUs, l.Freq = 4096, 1, 1e9
	w, err := lttng.NewWriter(lttng.CreateIn(dir), l)
	if err != nil {
		t.Fatal(err)
	}
	channel := "fs"
	open, err := w.Marker(channel, "open", "fd %d name %s port #n2u%hu ino %lu")
	if err != nil {
		t.Fatal(err)
	}
	closed, err := w.Marker(channel, "close", format)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Event(0, open, 10, -2, "abc", 0x1234, 7), w.Event(0, closed, 20, 3),
		w.Close()); err != nil {
		t.Fatal(err)
	}
}

// Payloads of every machine reach the target in the compiled layout.
func TestRelocation(t *testing.T) {
	want := binary.LittleEndian.AppendUint32(nil, ^uint32(1))
	want = append(want, "abc\x00\x12\x34\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00"...)
	for _, l := range []lttng.Layout{
		{Dialect: lttng.V26, WordSize: 8, Alignment: 8, BigEndian: true},
		{Dialect: lttng.V26, WordSize: 8},
		{Dialect: lttng.V23, WordSize: 4, BigEndian: true},
		{Dialect: lttng.V22, WordSize: 8}, // markers have no channel
	} {
		rec := trace(t, l, "fd %u")
		d, err := decoderOf(rec, openEvent)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, ev := range d.Events(t.Context(), record.Options{}) {
			got = append(got, string(*ev.(*[]byte)))
		}
		var others [2]int // of all records, and of records that the Decoder selects
		for i, o := range []record.Options{{}, d.Select(record.Options{})} {
			fn := func(records []record.Record, entries []lttng.Entry) error {
				for k := range records {
					if ev := d.Decode(&records[k], &entries[k]); ev != nil {
						got = append(got, string(*ev.(*[]byte)))
					} else {
						others[i]++
					}
				}
				return nil
			}
			err = errors.Join(err, record.InStreamOrder(rec.Streams(o), fn))
		}
		if err := errors.Join(d.Err(), err); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(slices.Repeat([]string{string(want)}, 3), got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", l, diff)
		}
		if others[0] == 0 || others[1] != 0 || d.Stats() != (bind.Stats{}) {
			t.Errorf("%+v: %d others, %+v", l, others, d.Stats())
		}
	}
}

// The traces of a set are bound one by one. An event is missing only if all traces lack it. An
// event that cannot be converted from one trace is an error that names the trace.
func TestSet(t *testing.T) {
	dir := t.TempDir()
	writeTrace(t, filepath.Join(dir, "a"), lttng.Layout{Dialect: lttng.V26, WordSize: 8, BigEndian: true}, "other %u")
	writeTrace(t, filepath.Join(dir, "b"), lttng.Layout{Dialect: lttng.V23, WordSize: 4, Alignment: 4}, "fd %u")
	rec := openTrace(t, dir)
	d, err := decoderOf(rec, openEvent)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r, ev := range d.Events(t.Context(), record.Options{}) {
		if got = append(got, string(*ev.(*[]byte))); d.Event(r) != openEvent {
			t.Errorf("event %v", d.Event(r))
		}
	}
	if d.Err() != nil || len(got) != 2 || got[0] != got[1] {
		t.Errorf("events %q, want two equal ones; error %v", got, d.Err())
	}
	_, err = decoderOf(rec, closeEvent, goneEvent)
	if err == nil || !strings.Contains(err.Error(), `a: event "fs:close"`) || strings.Contains(err.Error(), "b: ") ||
		strings.Count(err.Error(), "fs:gone") != 1 {
		t.Errorf("error %v, want one of fs:close in trace a, and one of fs:gone", err)
	}
}

// An event that cannot be bound is an error with a name, of Bind or for Unfit.
func TestUnfit(t *testing.T) {
	for format, want := range map[string]error{"other %u": bind.ErrMissing, "fd %llu": bind.ErrNarrow} {
		l := lttng.Layout{Dialect: lttng.V26, WordSize: 8}
		rec := trace(t, l, format)
		_, err := decoderOf(rec, closeEvent, goneEvent)
		if !errors.Is(err, want) || !strings.Contains(err.Error(), "fs:close") ||
			!strings.Contains(err.Error(), "fs:gone") {
			t.Errorf("%s: %v", format, err)
		}
		var told []string
		unfit := bind.Unfit(func(event string, err error) { told = append(told, event) })
		if _, err := decoderOf(rec, closeEvent, goneEvent, unfit, bind.Narrow()); err != nil {
			t.Error(err)
		}
		if format == "fd %llu" && cmp.Diff([]string{"fs:gone"}, told) != "" {
			t.Errorf("%s: %v", format, told)
		}
	}
}
