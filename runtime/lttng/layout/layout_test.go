package layout_test

import (
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/layout"
	"github.com/tracec/tracec/runtime/record"
)

// compiled is what a decoder for a little-endian 32-bit machine has in its tables.
var compiled = []bind.Event{
	{Group: "fs", Name: "open", Sequential: true, Fields: []bind.Field{
		{Name: "fd", Size: 4, Align: 4, Signed: true}, {Name: "name", Kind: bind.Terminated},
		{Name: "port", Size: 2, Align: 2, Network: true}, {Name: "ino", Size: 8, Align: 4}}},
	{Group: "fs", Name: "close", Sequential: true, Fields: []bind.Field{{Name: "fd", Size: 4}}},
	{Group: "fs", Name: "gone", Sequential: true},
}

type (
	callback = func(*record.Record, *lttng.Entry) error
	options  = bind.Options[lttng.Entry]
)

// decoder stands for a generated one.
type decoder struct {
	callbacks struct{ Open, Close, Gone callback }
	got       []string
	data      []string
}

// wants returns a decoder with callbacks for events.
func wants(names ...string) *decoder {
	d := &decoder{}
	for _, n := range names {
		*map[string]*callback{"open": &d.callbacks.Open, "close": &d.callbacks.Close, "gone": &d.callbacks.Gone}[n] = func(*record.Record, *lttng.Entry) error { return nil }
	}
	return d
}

func (d *decoder) Batch(b *bind.Binding[lttng.Entry], records []record.Record, entries []lttng.Entry) error {
	for i := range records {
		r, x := &records[i], &entries[i]
		slot, data, err := b.Slot(r), &r.Data, error(nil)
		if slot < 0 {
			slot, data, err = b.Move(r, x)
		}
		if slot >= 0 {
			d.got, d.data = append(d.got, compiled[slot].Name), append(d.data, string(*data))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bind finds the events in rec.
func (d *decoder) bind(b *bind.Binding[lttng.Entry], rec *lttng.Recording, opts options) error {
	return b.Bind(layout.Source(rec), opts, bind.Part[lttng.Entry]{Events: compiled, Target: d, Callbacks: &d.callbacks})
}

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
	if err := errors.Join(w.Event(0, open, 10, -2, "abc", 0x1234, 7), w.Event(0, closed, 20, 3), w.Close()); err != nil {
		t.Fatal(err)
	}
}

// Payloads of every machine reach the target as it was compiled.
func TestRelocation(t *testing.T) {
	want := binary.LittleEndian.AppendUint32(nil, ^uint32(1))
	want = append(want, "abc\x00\x12\x34\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00"...)
	for _, l := range []lttng.Layout{
		{Dialect: lttng.V26, WordSize: 8, Alignment: 8, BigEndian: true},
		{Dialect: lttng.V26, WordSize: 8},
		{Dialect: lttng.V23, WordSize: 4, BigEndian: true},
		{Dialect: lttng.V22, WordSize: 8}, // markers have no channel
	} {
		d := wants("open")
		var b bind.Binding[lttng.Entry]
		rec := trace(t, l, "fd %u")
		if err := d.bind(&b, rec, options{}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(b.InTimeOrder(rec, layout.Merge(rec, record.Options{Context: t.Context()})), bind.InStreamOrder(&b, rec, layout.Streams(rec, record.Options{Context: t.Context()}))); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{string(want), string(want)}, d.data); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", l, diff)
		}
		if b.Stats.Other == 0 || b.Stats.Short != 0 {
			t.Errorf("%+v: %+v", l, b.Stats)
		}
	}
}

// The traces of a set are bound one by one: what one of them lacks is missing only if all do, and what one cannot be converted from
// is an error that names it.
func TestSet(t *testing.T) {
	dir := t.TempDir()
	writeTrace(t, filepath.Join(dir, "a"), lttng.Layout{Dialect: lttng.V26, WordSize: 8, BigEndian: true}, "other %u")
	writeTrace(t, filepath.Join(dir, "b"), lttng.Layout{Dialect: lttng.V23, WordSize: 4, Alignment: 4}, "fd %u")
	rec := openTrace(t, dir)
	d := wants("open")
	var b bind.Binding[lttng.Entry]
	if err := d.bind(&b, rec, options{}); err != nil {
		t.Fatal(err)
	}
	if err := b.InTimeOrder(rec, layout.Merge(rec, record.Options{Context: t.Context()})); err != nil {
		t.Fatal(err)
	}
	if len(d.got) != 2 || d.data[0] != d.data[1] {
		t.Errorf("events %q of %q, want two equal ones", d.data, d.got)
	}
	err := wants("close", "gone").bind(&b, rec, options{})
	if err == nil || !strings.Contains(err.Error(), `a: event "fs:close"`) || strings.Contains(err.Error(), "b: ") || strings.Count(err.Error(), "fs:gone") != 1 {
		t.Errorf("error %v, want one of fs:close in trace a, and one of fs:gone", err)
	}
}

// What cannot be bound is an error with a name, of Bind or for Missing.
func TestMissing(t *testing.T) {
	for format, want := range map[string]error{"other %u": bind.ErrMissing, "fd %llu": bind.ErrNarrow} {
		l := lttng.Layout{Dialect: lttng.V26, WordSize: 8}
		rec := trace(t, l, format)
		d := wants("close", "gone")
		var b bind.Binding[lttng.Entry]
		err := d.bind(&b, rec, options{})
		if !errors.Is(err, want) || !strings.Contains(err.Error(), "fs:close") || !strings.Contains(err.Error(), "fs:gone") {
			t.Errorf("%s: %v", format, err)
		}
		var told []string
		if err := d.bind(&b, rec, options{Missing: func(m string, err error) { told = append(told, m) }, Narrow: true}); err != nil {
			t.Error(err)
		}
		if format == "fd %llu" && cmp.Diff([]string{"fs:gone"}, told) != "" {
			t.Errorf("%s: %v", format, told)
		}
	}
}
