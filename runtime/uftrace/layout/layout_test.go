package layout_test

import (
	"encoding/binary"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/layout"
)

const base = 0x400000

// recording makes a recording of a program app with functions f and g, and of a library libx.so
// with functions f and h, 64 KiB after it. Each function has 0x100 bytes.
func recording(t *testing.T, argspec, retspec string, records []byte) *uftrace.Recording {
	t.Helper()
	head := []byte("Ftrace!\x00")
	head = binary.LittleEndian.AppendUint32(head, 4)
	head = binary.LittleEndian.AppendUint16(head, 40)
	head = append(head, 1, 2)
	head = binary.LittleEndian.AppendUint64(head, 0x163)
	head = binary.LittleEndian.AppendUint64(head, 0x3fff)
	head = append(head, 0, 4, 0, 0, 0, 0, 0, 0)
	info := string(head) + "exename:/app\ntaskinfo:lines=2\ntaskinfo:nr_tid=1\ntaskinfo:tids=7\n" +
		fmt.Sprintf("argspec:lines=2\nargspec:%s\nretspec:%s\npattern_type:regex\nuftrace_version:v0.13\n", argspec,
			retspec)
	sym := func(names ...string) string {
		var b strings.Builder
		for i, n := range names {
			fmt.Fprintf(&b, "%016x T %s\n", 0x100*(i+1), n)
		}
		fmt.Fprintf(&b, "%016x ? __sym_end\n", 0x100*(len(names)+1))
		return b.String()
	}
	files := map[string]string{
		"info": info,
		"task.txt": "SESS timestamp=1.000000000 pid=7 sid=0123456789abcdef exename=\"/app\"\n" +
			"TASK timestamp=1.000000000 tid=7 pid=7\n",
		"sid-0123456789abcdef.map": "00400000-00410000 r-xp 00000000 00:00 0 /app\n00410000-00420000 r-xp 00000000 00:00 0 /libx.so\n" +
			"7ffdc17c2000-7ffdc17e3000 rw-p 00000000 00:00 0 [stack]\n",
		"app.sym": sym("f", "g"), "libx.so.sym": sym("f", "h"), "7.dat": string(records),
	}
	dir := fstest.MapFS{}
	for name, text := range files {
		dir[name] = &fstest.MapFile{Data: []byte(text)}
	}
	rec, err := uftrace.OpenFS(dir, "made.data")
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// call appends a record and its payload.
func call(out []byte, time uint64, addr uint64, kind uftrace.Kind, payload ...byte) []byte {
	word := addr<<16 | 5<<3 | uint64(kind)
	if len(payload) > 0 {
		word |= 4
	}
	out = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(out, 2e9+time), word)
	out = append(out, payload...)
	for len(out)%8 != 0 {
		out = append(out, 0xee)
	}
	return out
}

func records() []byte {
	var b []byte
	b = call(b, 1, base+0x104, uftrace.Enter, 1, 0, 0, 0x80)
	b = call(b, 2, base+0x10104, uftrace.Enter, 2, 0, 0, 0)
	b = call(b, 3, base+0x10104, uftrace.Leave)
	b = call(b, 4, base+0x104, uftrace.Leave)
	b = call(b, 5, base+0x10204, uftrace.Enter)
	b = call(b, 6, base+0x10204, uftrace.Leave)
	b = call(b, 7, 0, uftrace.Lost)
	return call(b, 8, base+0x204, uftrace.Enter)
}

// compiled is a package as gen writes it: f and g of any module, and a different f for libx.so.
func compiled(size int) bind.Package[uftrace.Entry] {
	list := []bind.Event{
		{Name: "f"}, {Name: "f", Exit: true}, {Name: "g"}, {Name: "g", Exit: true},
		{Group: "libx.so", Name: "f"}, {Group: "libx.so", Name: "f", Exit: true},
	}
	for i := range list {
		if list[i].Sequential = true; i%2 == 0 {
			list[i].Fields = []bind.Field{{Name: "arg1", Size: size, Align: 4, Signed: true}}
		}
	}
	return bind.Package[uftrace.Entry]{Events: list, New: func() bind.Target[uftrace.Entry] { return new(dispatch) }}
}

// dispatch makes an event that is a text.
type dispatch struct{ text string }

func (d *dispatch) Decode(slot int, data []byte, _ *record.Record, _ *uftrace.Entry, _ *render.Env) any {
	d.text = fmt.Sprintf("%s %x", []string{"f", "f returns", "g", "g returns", "own", "own returns"}[slot], data)
	return &d.text
}

// gather returns the events of a loop over the events of d.
func gather(d *bind.Decoder[uftrace.Entry], events iter.Seq2[*record.Record, any]) (list []string) {
	for _, ev := range events {
		if text, ok := ev.(*string); ok {
			list = append(list, *text)
		} else {
			list = append(list, fmt.Sprintf("other %d %#x", d.Entry().Kind, d.Entry().Addr))
		}
	}
	return list
}

// Functions are found by name, first in their own module. Payloads are widened. Records have the
// ids of Source, and all other records have no event.
func TestSource(t *testing.T) {
	rec := recording(t, "f@arg1/i32", "", records())
	p := compiled(8)
	f, fReturns, own, ownReturns := &p.Events[0], &p.Events[1], &p.Events[4], &p.Events[5]
	c, err := layout.Of(rec)
	if err != nil {
		t.Fatal(err)
	}
	d, err := bind.Bind(c, []bind.Package[uftrace.Entry]{p}, f, fReturns, own, ownReturns, bind.All())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"f 01000080ffffffff", "own 0200000000000000", "own returns ", "f returns ", "other 0 0x410204",
		"other 1 0x410204", "other 2 0x0", "other 0 0x400204",
	}
	inSlices := func(streams bool) (got []string) {
		err := bind.Parallel(t.Context(), d, bind.Slicing{Streams: streams},
			func(c *bind.Decoder[uftrace.Entry], events iter.Seq2[*record.Record, any]) ([]string, error) {
				return gather(c, events), nil
			}, func(list []string) error { got = append(got, list...); return nil })
		if err != nil {
			t.Error(err)
		}
		return got
	}
	for name, way := range map[string]func() []string{
		"time":    func() []string { return gather(d, d.Events(t.Context(), record.Options{})) },
		"slices":  func() []string { return inSlices(false) },
		"streams": func() []string { return inSlices(true) },
	} {
		if diff := cmp.Diff(want, way()); diff != "" || d.Err() != nil {
			t.Errorf("%s: error %v (-want +got):\n%s", name, d.Err(), diff)
		}
		if d.Stats() != (bind.Stats{Other: 4}) {
			t.Errorf("%s: %+v", name, d.Stats())
		}
	}
	for _, sym := range rec.Symbols() {
		for _, kind := range []uftrace.Kind{uftrace.Enter, uftrace.Leave} {
			if id := sym.ID(kind); id == uftrace.NoSymbol || id < uftrace.EventExtern {
				t.Errorf("%s: id %#x", sym.Name, id)
			}
		}
	}
}

func TestFields(t *testing.T) {
	specs := []uftrace.Spec{
		{Result: true, Format: 'd', Size: 8}, {Result: true, Format: 'f', Size: 4},
		{Index: 1, Float: true, Format: 'f', Size: 10},
		{Index: 2, Format: 'S'}, {Index: 3, Format: 'c', Size: 1}, {Index: 4, Format: 't', Size: 4, TypeName: "pair"},
		{Index: 5, Format: 'f', Size: 2}, {Index: 6, Format: 'u', Size: 3},
	}
	want := []bind.Field{
		{Name: "retval", Size: 8, Align: 4, Signed: true}, {Name: "retval_2", Kind: bind.Float, Size: 4, Align: 4},
		{Name: "fparg1", Kind: bind.Bytes, Size: 10, Align: 4}, {Name: "arg2", Kind: bind.Counted, Size: 2, Align: 4},
		{Name: "arg3", Size: 1, Align: 4}, {Name: "arg4", Kind: bind.Bytes, Size: 4, Align: 4},
		{Name: "arg5", Size: 2, Align: 4}, {Name: "arg6", Kind: bind.Bytes, Size: 3, Align: 4},
	}
	if d := cmp.Diff(want, layout.Fields(specs)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
