package calls

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/bind/sequence"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
)

const base = 0x400000

// recording makes one of a program app with functions f and g and of a library libx.so with functions f and h, 64 KiB after.
// Each function has 0x100 bytes.
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
		fmt.Sprintf("argspec:lines=2\nargspec:%s\nretspec:%s\npattern_type:regex\nuftrace_version:v0.13\n", argspec, retspec)
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

// decoder is what gen writes, by hand: all payloads have one number.
type decoder struct {
	callbacks struct{ F, FReturn, G, GReturn, Own, OwnReturn func(payload string) }
	short     bool
}

func (d *decoder) Call(slot int, r *record.Record, _ *uftrace.Entry) bool {
	if d.short {
		return false
	}
	c := &d.callbacks
	[]func(string){c.F, c.FReturn, c.G, c.GReturn, c.Own, c.OwnReturn}[slot](fmt.Sprintf("%x", r.Data))
	return true
}

func (d *decoder) Text(slot int, dst, data []byte, _ *render.Env) []byte {
	return fmt.Appendf(dst, "%d:%x", slot, data)
}

// functions are f and g of any module, and f of libx.so, which is another one.
func functions(size int) []Function {
	list := []Function{{Name: "f"}, {Name: "f", Exit: true}, {Name: "g"}, {Name: "g", Exit: true}, {Module: "libx.so", Name: "f"}, {Module: "libx.so", Name: "f", Exit: true}}
	for i := 0; i < len(list); i += 2 {
		list[i].Layout = sequence.Layout{Fields: []sequence.Field{{Name: "arg1", Size: size, Align: 4, Signed: true}}}
	}
	return list
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

// listen sets callbacks that log.
func (d *decoder) listen(log *[]string) {
	note := func(what string) func(string) { return func(data string) { *log = append(*log, what+" "+data) } }
	c := &d.callbacks
	c.F, c.FReturn, c.Own, c.OwnReturn = note("f"), note("f returns"), note("own"), note("own returns")
}

// Functions are found by name, a module's own first; payloads are widened; what is not wanted goes where it is asked for.
func TestRun(t *testing.T) {
	rec := recording(t, "f@arg1/i32", "", records())
	var log []string
	d := &decoder{}
	d.listen(&log)
	other := func(what string) func(*record.Record, *uftrace.Entry) {
		return func(r *record.Record, x *uftrace.Entry) { log = append(log, fmt.Sprintf("%s %#x", what, x.Addr)) }
	}
	var b Binding
	hooks := Hooks{Enter: other("enter"), Leave: other("leave"), Other: other("other"), Short: other("short")}
	if err := b.Bind(rec, functions(8), &d.callbacks, d, hooks); err != nil {
		t.Fatal(err)
	}
	if err := b.InTimeOrder(rec); err != nil {
		t.Fatal(err)
	}
	want := []string{"f 01000080ffffffff", "own 0200000000000000", "own returns ", "f returns ", "enter 0x410204", "leave 0x410204", "other 0x0", "enter 0x400204"}
	if d := cmp.Diff(want, log); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	log = nil
	if err := b.InTaskOrder(rec); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, log); d != "" {
		t.Errorf("by task (-want +got):\n%s", d)
	}
	if d := cmp.Diff(bind.Stats{Other: 8}, b.Stats); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Without Enter, Leave and Short, their records are Other or only counted; payloads that are not there are Short.
func TestShort(t *testing.T) {
	rec := recording(t, "f@arg1/i32", "", records())
	var log []string
	d := &decoder{short: true}
	d.listen(&log)
	var b Binding
	n := 0
	hooks := Hooks{Other: func(*record.Record, *uftrace.Entry) { n++ }}
	if err := b.Bind(rec, functions(4), &d.callbacks, d, hooks); err != nil {
		t.Fatal(err)
	}
	if err := b.InTimeOrder(rec); err != nil {
		t.Fatal(err)
	}
	if n != 4 || log != nil || b.Stats != (bind.Stats{Other: 4, Short: 4}) {
		t.Error(n, log, b.Stats)
	}
	if err := b.Bind(rec, functions(8), &d.callbacks, d, hooks); err != nil { // relocated
		t.Fatal(err)
	}
	f := rec.Symbols()[slices.IndexFunc(rec.Symbols(), func(s *uftrace.Symbol) bool { return s.Name == "f" })]
	if b.Record(&record.Record{ID: uint32(f.Index), Data: []byte{1, 2}}, &uftrace.Entry{Sym: f}) || b.Stats.Short != 1 {
		t.Error("two bytes are no number", b.Stats)
	}
	if b.Record(&record.Record{ID: uint32(f.Index), Data: []byte{1, 2, 3, 4}}, &uftrace.Entry{Sym: f, Kind: uftrace.Event}) || b.Stats.Other != 1 {
		t.Error("an event is no call", b.Stats)
	}
}

// Text is that of the compiled layout, during a callback and outside, also for functions without one.
func TestAppendText(t *testing.T) {
	rec := recording(t, "f@arg1/i32;g@arg1/i32", "", nil)
	d := &decoder{}
	var b Binding
	var r *record.Record
	x := &uftrace.Entry{}
	during := ""
	d.callbacks.F = func(string) {
		text, ok := b.AppendText(nil, r, x, nil)
		during = fmt.Sprintf("%s %v", text, ok)
	}
	if err := b.Bind(rec, functions(8), &d.callbacks, d, Hooks{}); err != nil {
		t.Fatal(err)
	}
	for _, s := range rec.Symbols() {
		x.Sym = s
		r = &record.Record{ID: uint32(s.Index), Data: []byte{1, 0, 0, 0}}
		text, ok := b.AppendText([]byte("> "), r, x, nil)
		want := map[string]string{"app:f": "> 0:0100000000000000", "app:g": "> 2:0100000000000000", "libx.so:f": "> 4:0100000000000000"}[s.Module.Name+":"+s.Name]
		if ok != (want != "") || ok && string(text) != want {
			t.Errorf("%s: %q %v, want %q", s.Name, text, ok, want)
		}
		if b.Record(r, x) && during != "0:0100000000000000 true" {
			t.Errorf("%s during its callback: %s", s.Name, during)
		}
	}
	if during == "" {
		t.Error("no callback")
	}
}

// What cannot be bound is named.
func TestMissing(t *testing.T) {
	tests := []struct {
		specs  string
		size   int
		narrow bool
		want   []string
	}{
		{"f@arg1/i32", 4, false, []string{`event "g/entry": field "arg1": missing in the recording`}},
		{"f@arg2/i32;g@arg1/i32", 4, false, []string{`event "f/entry": field "arg1": missing`, `event "libx.so:f/entry": field "arg1": missing`}},
		{"f@arg1/f32;g@arg1/i64", 4, false, []string{`"f/entry": field "arg1": incompatible`, `"libx.so:f/entry": field "arg1": incompatible`, `"g/entry": field "arg1": incompatible with the recording: the recorded number is wider`}},
		{"f@arg1/i64;g@arg1/i64", 4, true, nil},
	}
	for _, tt := range tests {
		rec := recording(t, tt.specs, "", nil)
		var log []string
		d := &decoder{}
		d.listen(&log)
		d.callbacks.G = d.callbacks.F
		var got []error
		var b Binding
		err := b.Bind(rec, functions(tt.size), &d.callbacks, d, Hooks{Narrow: tt.narrow, Missing: func(f string, err error) { got = append(got, err) }})
		if err != nil || len(got) != len(tt.want) {
			t.Errorf("%s: %v, %v", tt.specs, err, got)
		}
		joined := b.Bind(rec, functions(tt.size), &d.callbacks, d, Hooks{Narrow: tt.narrow})
		for _, want := range tt.want {
			if !slices.ContainsFunc(got, func(err error) bool { return strings.Contains(err.Error(), want) }) || !strings.Contains(joined.Error(), want) {
				t.Errorf("%s: %v, joined %v, want %q", tt.specs, got, joined, want)
			}
		}
		if len(tt.want) == 0 && joined != nil {
			t.Error(joined)
		}
	}
	var b Binding
	d := &decoder{}
	d.callbacks.F = func(string) {}
	err := b.Bind(recording(t, "", "", nil), []Function{{Name: "nowhere"}}, &d.callbacks, d, Hooks{})
	var e *bind.Error
	if !errors.Is(err, bind.ErrMissing) || !errors.As(err, &e) || e.Event != "nowhere/entry" {
		t.Error(err)
	}
}

// Of two functions of one name and module, a symbol is the one with its layout.
func TestSameName(t *testing.T) {
	rec := recording(t, "f@arg1/i32", "", records())
	list := functions(8)
	list[4].Module, list[5].Module = "", ""
	list[4].Layout.Fields = []sequence.Field{{Name: "arg1", Size: 4, Align: 4}}
	var log []string
	d := &decoder{}
	d.listen(&log)
	var b Binding
	if err := b.Bind(rec, list, &d.callbacks, d, Hooks{Missing: func(string, error) {}}); err != nil {
		t.Fatal(err)
	}
	if err := b.InTimeOrder(rec); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"own 01000080", "own 02000000", "f returns ", "f returns "}, log); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestLayout(t *testing.T) {
	specs := []uftrace.Spec{
		{Result: true, Format: 'd', Size: 8}, {Result: true, Format: 'f', Size: 4}, {Index: 1, Float: true, Format: 'f', Size: 10},
		{Index: 2, Format: 'S'}, {Index: 3, Format: 'c', Size: 1}, {Index: 4, Format: 't', Size: 4, TypeName: "pair"}, {Index: 5, Format: 'f', Size: 2}, {Index: 6, Format: 'u', Size: 3},
	}
	want := sequence.Layout{BigEndian: true, Fields: []sequence.Field{
		{Name: "retval", Size: 8, Align: 4, Signed: true}, {Name: "retval_2", Kind: sequence.Float, Size: 4, Align: 4},
		{Name: "fparg1", Kind: sequence.Bytes, Size: 10, Align: 4}, {Name: "arg2", Kind: sequence.Counted, Size: 2, Align: 4},
		{Name: "arg3", Size: 1, Align: 4}, {Name: "arg4", Kind: sequence.Bytes, Size: 4, Align: 4}, {Name: "arg5", Size: 2, Align: 4}, {Name: "arg6", Kind: sequence.Bytes, Size: 3, Align: 4},
	}}
	if d := cmp.Diff(want, Layout(specs, true)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
