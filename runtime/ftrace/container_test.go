package ftrace_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
)

// variants are all containers for the same contents.
func variants() []tracefile.File {
	var all []tracefile.File
	for _, m := range machines {
		all = append(all, tracefile.File{Machine: m, Version: 6}, tracefile.File{Machine: m, Version: 7},
			tracefile.File{Machine: m, Version: 7, Compression: "zstd"},
			tracefile.File{Machine: m, Version: 7, Compression: "zlib", ChunkPages: 3},
			tracefile.File{Machine: m, Version: 7, Compression: "zstd", PlainMeta: true, ChunkPages: 1})
	}
	return all
}

func variantName(f *tracefile.File) string {
	return fmt.Sprintf("v%d,big=%v,word=%d,%s", f.Version, f.Big, f.Word, f.Compression)
}

// manyPages returns n sub-buffers of two events each, 100 ns apart.
func manyPages(m tracefile.Machine, size, n int, from uint64, id uint16) []byte {
	var b []byte
	for i := range n {
		at := from + uint64(i)*100
		b = append(b, m.NewPage(size, at).Event(0, m.Payload(id, 7, uint32(i))).Event(50,
			m.Payload(id+1, 8, uint32(i))).Done()...)
	}
	return b
}

// fill completes a variant with two processors and two instances. One of them has large sub-buffers
// if the version supports that.
func fill(f tracefile.File) *tracefile.File {
	m := f.Machine
	f.PageSize = 256
	f.CPUs = 3
	f.Ftrace = []string{tracefile.Format("print", 5), tracefile.Format("kernel_stack", 4)}
	f.Systems = []tracefile.System{
		{Name: "sched", Formats: []string{tracefile.Format("switch", 301), tracefile.Format("wakeup", 302)}},
		{Name: "irq", Formats: []string{tracefile.Format("entry", 401), tracefile.Format("exit", 402)}},
	}
	f.Kallsyms = "ffff0000 T start\nffff0100 t next\t[mod]\n"
	f.Printk = "0xffff8000 : \"a\\tb\\n\"\n"
	f.Cmdlines = "7 seven\n8 comm with blanks\n"
	large := 256
	if f.Version == 7 {
		large = 1024
	}
	f.Buffers = []tracefile.Buffer{
		{Clock: "local [global] mono", CPUs: []tracefile.CPU{
			{ID: 0, Pages: manyPages(m, 256, 25, 1000, 301)}, {ID: 1}, {ID: 2, Pages: manyPages(m, 256, 7, 1010, 301)},
		}},
		{Name: "first", Clock: "[mono]", CPUs: []tracefile.CPU{
			{ID: 0, Pages: manyPages(m, 256, 3, 1001, 401)}, {ID: 1, Pages: manyPages(m, 256, 1, 1500, 401)}, {ID: 2},
		}},
		{Name: "second", Clock: "[mono]", PageSize: large,
			CPUs: []tracefile.CPU{{ID: 0}, {ID: 1}, {ID: 2, Pages: manyPages(m, large, 30, 1002, 401)}}},
	}
	return &f
}

func TestContainers(t *testing.T) {
	for _, v := range variants() {
		t.Run(variantName(&v), func(t *testing.T) {
			f := fill(v)
			rec := openBytes(t, f.Bytes())
			for _, d := range rec.Damage() {
				t.Error(d)
			}
			info := rec.Info()
			if info.Version != f.Version || info.WordSize != f.Word || info.RecorderWord != f.Word ||
				info.PageSize != 256 ||
				info.CPUs != 3 || info.TraceClock != "global" || info.HeaderEvent != tracefile.HeaderEvent {
				t.Errorf("%+v", info)
			}
			if big := info.ByteOrder.Uint16([]byte{1, 0}) == 256; big != f.Big {
				t.Errorf("big-endian is %v", big)
			}
			checkContent(t, rec, f)
			checkNames(t, rec)
		})
	}
}

func checkContent(t *testing.T, rec *ftrace.Recording, f *tracefile.File) {
	t.Helper()
	var names []string
	for _, f := range rec.Formats() {
		names = append(names, fmt.Sprintf("%s:%s=%d,%d", f.System, f.Name, f.ID, len(f.Fields)))
	}
	want := []string{"ftrace:print=5,5", "ftrace:kernel_stack=4,5", "sched:switch=301,5", "sched:wakeup=302,5",
		"irq:entry=401,5", "irq:exit=402,5"}
	if d := cmp.Diff(want, names); d != "" {
		t.Errorf("formats (-want +got):\n%s", d)
	}
	if len(rec.Buffers()) != len(f.Buffers) {
		t.Fatalf("%d buffers", len(rec.Buffers()))
	}
	for i, b := range rec.Buffers() {
		w := f.Buffers[i]
		if b.Name != w.Name || len(b.CPUs) != len(w.CPUs) {
			t.Errorf("buffer %q with %d CPUs, want %q", b.Name, len(b.CPUs), w.Name)
		}
		streams := b.Streams(ftrace.StreamOptions{})
		for j, s := range streams {
			n := 0
			for {
				batch, err := s.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				for k := range batch.Records {
					r := &batch.Records[k]
					value := int(rec.Info().ByteOrder.Uint32(r.Data[8:]))
					if r.CPU != int32(w.CPUs[j].ID) || value != n/2 {
						t.Errorf("record %d: %+v", n, r)
					}
					n++
				}
			}
			size := w.PageSize
			if size == 0 {
				size = f.PageSize
			}
			if want := len(w.CPUs[j].Pages) / size * 2; n != want {
				t.Errorf("buffer %q CPU %d: %d records, want %d", b.Name, j, n, want)
			}
		}
	}
}

func checkNames(t *testing.T, rec *ftrace.Recording) {
	t.Helper()
	for pid, want := range map[int32]string{0: "<idle>", 7: "seven", 8: "comm with blanks", 9: "<...>", -1: "<...>"} {
		if got := rec.Comm(pid); got != want {
			t.Errorf("Comm(%d) = %q, want %q", pid, got, want)
		}
	}
	if s, ok := rec.Printk(0xffff8000); !ok || s != "a\tb\n" {
		t.Errorf("Printk: %q, %v", s, ok)
	}
	name, start, size, module, ok := rec.Symbols().Lookup(0xffff00ff)
	if name != "start" || start != 0xffff0000 || size != 0x100 || module != "" || !ok {
		t.Errorf("Lookup: %q %x %x %q %v", name, start, size, module, ok)
	}
	if name, _, _, module, ok := rec.Symbols().Lookup(0xffff0100); name != "next" || module != "mod" || !ok {
		t.Errorf("Lookup: %q %q %v", name, module, ok)
	}
	if _, _, _, _, ok := rec.Symbols().Lookup(0xfffefffe); ok {
		t.Error("found a symbol before the first one")
	}
}

// Recorders of 3.0 and 3.1 wrote the size of compressed CPU data 4 bytes short (kernel bugzilla
// 217367).
func TestCompressedSizeTooShort(t *testing.T) {
	f := fill(tracefile.File{Machine: machines[0], Version: 7, Compression: "zstd", SizeOff: -4})
	rec := openBytes(t, f.Bytes())
	checkContent(t, rec, f)
	if d := rec.Damage(); d != nil {
		t.Error(d)
	}
}

// A buffer of version 6 may be followed by its own number of CPUs. Padding of old recorders is
// ignored.
func TestVersion6InstanceCPUs(t *testing.T) {
	f := fill(tracefile.File{Machine: machines[0], Version: 6})
	f.Buffers[1].CPUCount, f.Buffers[1].CPUs = 2, f.Buffers[1].CPUs[:2]
	rec := openBytes(t, f.Bytes())
	if n := len(rec.Buffers()[1].CPUs); n != 2 {
		t.Errorf("%d CPUs, want 2", n)
	}
	if n := len(rec.Buffers()[2].CPUs); n != 3 {
		t.Errorf("%d CPUs, want 3", n)
	}
}

// The size of commit is authoritative, not the recorder's word: 32-bit trace-cmd on a 64-bit
// kernel.
func TestRecorderWordDiffers(t *testing.T) {
	f := fill(tracefile.File{Machine: machines[0], Version: 6, RecorderWord: 4})
	rec := openBytes(t, f.Bytes())
	if i := rec.Info(); i.WordSize != 8 || i.RecorderWord != 4 {
		t.Errorf("words of %d and %d bytes", i.WordSize, i.RecorderWord)
	}
	checkContent(t, rec, f)
}

func TestLatencyText(t *testing.T) {
	const text = "# tracer: wakeup\n#\n<idle>-0 1d..2 5us : something\n"
	for _, v := range variants() {
		t.Run(variantName(&v), func(t *testing.T) {
			f := fill(v)
			f.Buffers = []tracefile.Buffer{{Text: text}}
			rec := openBytes(t, f.Bytes())
			if len(rec.Buffers()) != 1 || rec.Buffers()[0].Text() == nil {
				t.Fatalf("%d buffers", len(rec.Buffers()))
			}
			got, err := io.ReadAll(rec.Buffers()[0].Text())
			if err != nil || string(got) != text {
				t.Errorf("%q, %v", got, err)
			}
			if s := rec.Streams(ftrace.StreamOptions{}); len(s) != 0 {
				t.Errorf("%d streams", len(s))
			}
		})
	}
}

// numbers builds an option's payload out of 16-, 32- and 64-bit numbers and text.
func numbers(o binary.AppendByteOrder, values ...any) []byte {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case uint32:
			b = o.AppendUint32(b, v)
		case uint64:
			b = o.AppendUint64(b, v)
		case int64:
			b = o.AppendUint64(b, uint64(v))
		case string:
			b = append(b, v...)
		}
	}
	return b
}

func TestOptions(t *testing.T) {
	for _, v := range variants() {
		t.Run(variantName(&v), func(t *testing.T) {
			f := fill(v)
			o := f.Order()
			f.Options = []tracefile.Option{
				{ID: ftrace.OptionDate, Payload: []byte("0x10\x00")},
				{ID: ftrace.OptionCPUStat, Payload: []byte("CPU: 0\nentries: 3\n")},
				{ID: ftrace.OptionCPUStat, Payload: []byte("CPU: 1\n\x00")},
				{ID: ftrace.OptionTraceClock},
				{ID: ftrace.OptionUname, Payload: []byte("Linux guest 6.1 x86_64\x00")},
				{ID: ftrace.OptionHook, Payload: []byte("a:b,c/d:e,f\x00")},
				{ID: ftrace.OptionOffset, Payload: []byte("-77\x00")},
				{ID: ftrace.OptionCPUCount, Payload: bytes.Repeat([]byte{9}, 1047)}, // gpuvis' own blob
				{ID: ftrace.OptionVersion, Payload: []byte("3.1.6 x\x00")},
				{ID: ftrace.OptionProcMaps, Payload: []byte("1f 2 /bin/my prog\n400000 401000 /bin/my prog\n7f00 7f10 [vdso]\n")},
				{ID: ftrace.OptionTraceID, Payload: numbers(o, uint64(1)<<63|5)},
				{ID: ftrace.OptionTimeShift, Payload: numbers(o, uint64(9), uint32(1), uint32(2),
					uint32(1), uint64(10), int64(-5), uint64(1), uint32(0), uint64(32))},
				{ID: ftrace.OptionGuest, Payload: numbers(o, "vm\x00", uint64(4), uint32(2), uint32(0), uint32(100),
					uint32(1), ^uint32(0))},
				{ID: ftrace.OptionTSC2NSEC, Payload: numbers(o, uint32(3), uint32(1), uint64(8))},
				{ID: ftrace.OptionLastBoot, Payload: []byte("boot_map:10 [kernel]\x00")},
				{ID: 999, Payload: []byte("of the future")},
			}
			rec := openBytes(t, f.Bytes())
			for _, d := range rec.Damage() {
				t.Error(d)
			}
			checkOptions(t, rec.Info())
			n := 0
			for _, o := range rec.Info().Options {
				if o.ID == 999 && string(o.Payload) == "of the future" {
					n++
				}
			}
			if n != 1 {
				t.Error("the unknown option is not listed")
			}
		})
	}
}

func checkOptions(t *testing.T, i *ftrace.Info) {
	t.Helper()
	type parsed struct {
		Date, Offset int64
		Stats, Hooks []string
		Uname, Rec   string
		Maps         []ftrace.ProcMap
		ID           uint64
		Shift        *ftrace.TimeShift
		Guests       []ftrace.Guest
		TSC          *ftrace.TSC
		LastBoot     []string
		CPUs         int
	}
	got := parsed{i.Date, i.Offset, i.CPUStats, i.Hooks, i.Uname, i.Recorder, i.ProcMaps, i.TraceID, i.TimeShift,
		i.Guests, i.TSC,
		i.LastBootInfo, i.CPUs}
	want := parsed{
		Date: 16000, Offset: -77, Stats: []string{"CPU: 0\nentries: 3\n", "CPU: 1\n"}, Hooks: []string{"a:b,c/d:e,f"},
		Uname: "Linux guest 6.1 x86_64", Rec: "3.1.6 x",
		Maps: []ftrace.ProcMap{{PID: 31, Name: "/bin/my prog", Libraries: []ftrace.Mapping{
			{Start: 0x400000, End: 0x401000, Name: "/bin/my prog"}, {Start: 0x7f00, End: 0x7f10, Name: "[vdso]"},
		}}},
		ID: 1<<63 | 5,
		Shift: &ftrace.TimeShift{Peer: 9, Interpolate: true, CPUs: [][]ftrace.TimeSample{
			{{Time: 10, Offset: -5, Scaling: 1, Fraction: 32}}, {},
		}},
		Guests: []ftrace.Guest{{Name: "vm", TraceID: 4,
			VCPUs: []ftrace.VCPU{{CPU: 0, HostPID: 100}, {CPU: 1, HostPID: -1}}}},
		TSC:      &ftrace.TSC{Mult: 3, Shift: 1, Offset: 8},
		LastBoot: []string{"boot_map:10 [kernel]"},
		CPUs:     3,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestBrokenOptions checks that an invalid option loses only itself.
func TestBrokenOptions(t *testing.T) {
	for _, o := range []tracefile.Option{
		{ID: ftrace.OptionDate, Payload: []byte("soon")},
		{ID: ftrace.OptionTraceID, Payload: []byte{1, 2}},
		{ID: ftrace.OptionGuest, Payload: []byte("no end")},
		{ID: ftrace.OptionGuest, Payload: append([]byte("vm\x00"), bytes.Repeat([]byte{0xff}, 12)...)},
		{ID: ftrace.OptionTimeShift, Payload: bytes.Repeat([]byte{0x7f}, 40)},
		{ID: ftrace.OptionTSC2NSEC, Payload: bytes.Repeat([]byte{0xff}, 16)},
		{ID: ftrace.OptionProcMaps, Payload: []byte("nonsense")},
	} {
		for _, version := range []int{6, 7} {
			f := fill(tracefile.File{Machine: machines[0], Version: version})
			f.Options = []tracefile.Option{o, {ID: ftrace.OptionUname, Payload: []byte("after")}}
			rec := openBytes(t, f.Bytes())
			if d := rec.Damage(); len(d) != 1 || !errors.Is(d[0], ftrace.ErrCorrupt) {
				t.Errorf("option %d %q: damage %v", o.ID, o.Payload, d)
			}
			if rec.Info().Uname != "after" {
				t.Errorf("option %d %q hides the next one", o.ID, o.Payload)
			}
			checkContent(t, rec, f)
		}
	}
}
