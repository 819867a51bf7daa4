package lttng

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// smallLayouts are the two traces that are damaged.
var smallLayouts = []Layout{
	{Dialect: V10, WordSize: 4, Alignment: 4, BlockSize: 4096, CPUs: 1, Freq: 1e9, StartTSC: 1 << 40, Heartbeat: true},
	{Dialect: V26, WordSize: 8, Alignment: 8, BlockSize: 4096, CPUs: 1, Freq: 1e9, StartTSC: 1 << 40},
}

// smallTrace has a data file of three sub-buffers. The last is nearly empty.
func smallTrace(t testing.TB, l Layout) (mem *traceFiles, data, meta string) {
	mem = newMemory()
	w, err := NewWriter(mem.create, l)
	if err != nil {
		t.Fatal(err)
	}
	data = "kernel"
	if !l.Dialect.perChannel() {
		data = "cpu"
	}
	fixed, err := w.Marker(data, "fixed", "a #1u%u b %lu c #2d%d")
	if err != nil {
		t.Fatal(err)
	}
	text, err := w.Marker(data, "text", "name %s v %u")
	if err != nil {
		t.Fatal(err)
	}
	tsc := l.StartTSC
	for i := 0; mem.files[data] == nil && w.files[data][0].blocks < 2; i++ {
		tsc += 1000
		if i%3 == 0 {
			err = w.Event(0, text, tsc, strings.Repeat("n", i%17), i)
		} else {
			err = w.Event(0, fixed, tsc, i, i*1000, -i)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return mem, data + "_0", l.metadata() + "_0"
}

// placed is an event with its place in its file.
type placed struct {
	got
	offset, end int64
}

// readFile reads the events of one file. It does not set end.
func readFile(t testing.TB, rec *Recording, name string) []placed {
	t.Helper()
	var out []placed
	for _, f := range rec.Files() {
		if f.Path != name {
			continue
		}
		s := f.trace.newStream(f)
		for {
			batch, err := s.Next()
			for i, e := range batch.Entries {
				p := placed{got: got{TSC: e.TSC, Data: string(batch.Records[i].Data)}, offset: e.Offset}
				if e.Marker != nil {
					p.Marker = e.Marker.Name
				}
				out = append(out, p)
			}
			if err != nil {
				break
			}
		}
	}
	return out
}

// usedIn returns the ends of the events in each sub-buffer of a whole file.
func usedIn(b []byte, l Layout) (ends []int64) {
	for at := 0; at < len(b); at += l.BlockSize {
		h, ok := parseHeader(b[at:min(at+maxHeader, len(b))], Auto)
		if !ok {
			panic("no header")
		}
		ends = append(ends, int64(at)+h.used)
	}
	return ends
}

// TestTruncation cuts a file at every byte. Every event in front of the cut is shown, and the cut
// is reported.
func TestTruncation(t *testing.T) {
	for _, l := range smallLayouts {
		t.Run(l.Dialect.String(), func(t *testing.T) {
			mem, data, _ := smallTrace(t, l)
			whole := readFile(t, openMemory(t, mem), data)
			b := mem.files[data].Data
			ends := usedIn(b, l)
			for i := range whole {
				whole[i].end = ends[whole[i].offset/int64(l.BlockSize)]
				if i+1 < len(whole) && whole[i+1].offset/int64(l.BlockSize) == whole[i].offset/int64(l.BlockSize) {
					whole[i].end = whole[i+1].offset
				}
			}
			for cut := 0; cut < len(b); cut += needs.Cases(t, 7, 1) {
				rec := openMemory(t, mem.put(data, b[:cut]))
				have := readFile(t, rec, data)
				want := 0
				for want < len(whole) && whole[want].end <= int64(cut) {
					want++
				}
				if len(have) != want {
					t.Fatalf("cut at %d: %d events, want %d", cut, len(have), want)
				}
				for i, p := range have {
					if p.got != whole[i].got || p.offset != whole[i].offset {
						t.Fatalf("cut at %d: %+v, want %+v", cut, p, whole[i])
					}
				}
				inside := cut%l.BlockSize != 0 && int64(cut) < ends[cut/l.BlockSize] || cut == 0
				if told := len(rec.Damage()) > 0; inside && !told {
					t.Fatalf("cut at %d: nothing is said", cut)
				}
				for _, d := range rec.Damage() {
					if d.File != "trace/"+data || d.Offset > int64(cut) {
						t.Fatalf("cut at %d: %v", cut, d)
					}
				}
			}
		})
	}
}

// TestTruncatedMetadata cuts the descriptions at every byte.
func TestTruncatedMetadata(t *testing.T) {
	for _, l := range smallLayouts {
		mem, data, meta := smallTrace(t, l)
		b := mem.files[meta].Data
		for cut := 0; cut < len(b); cut += 1 + cut/600 { // the second half is empty
			rec := openMemory(t, mem.put(meta, b[:cut]))
			readFile(t, rec, data)
			if len(rec.Damage()) == 0 && int64(cut) < usedIn(b, l)[0] {
				t.Fatalf("%s cut at %d: nothing is said", l.Dialect, cut)
			}
		}
	}
}

// TestMutation changes bytes of one sub-buffer. The other sub-buffers are read unchanged, and there
// are never more events than fit into the bytes.
func TestMutation(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, l := range smallLayouts {
		mem, data, meta := smallTrace(t, l)
		whole := readFile(t, openMemory(t, mem), data)
		for n := range needs.Cases(t, 800, 5000) {
			name := data
			if n%4 == 0 {
				name = meta
			}
			b := slices.Clone(mem.files[name].Data)
			block := rng.IntN(len(b) / l.BlockSize)
			size := l.BlockSize
			if rng.IntN(3) == 0 {
				size = l.headerSize()
			}
			for range 1 + rng.IntN(4) {
				b[block*l.BlockSize+rng.IntN(size)] = byte(rng.Uint32())
			}
			rec, err := OpenFS(mem.put(name, b).files, "trace")
			if err != nil {
				t.Fatal(err)
			}
			have := readFile(t, rec, data)
			if len(have) > len(b)/4 {
				t.Fatalf("mutation %d: %d events of %d bytes", n, len(have), len(b))
			}
			if name == meta {
				continue
			}
			before, after := intact(whole, block, l), intact(have, block, l)
			if !slices.Equal(before, after) {
				d := cmp.Diff(before, after, cmp.AllowUnexported(placed{}))
				t.Fatalf("mutation %d of sub-buffer %d of %s (-before +after)\n%s\n%v", n, block, l.Dialect, d,
					rec.Damage())
			}
		}
	}
}

// intact leaves out one sub-buffer.
func intact(list []placed, block int, l Layout) []placed {
	return slices.DeleteFunc(slices.Clone(list), func(p placed) bool { return p.offset/int64(l.BlockSize) == int64(block) })
}

// TestUnclosed reads sub-buffers that were never closed. The bytes after the last event were never
// written.
func TestUnclosed(t *testing.T) {
	for _, c := range []struct {
		dialect Dialect
		at      []int // fields of the header that mark it as unclosed
	}{{V10, []int{32}}, {V10, []int{32, 36}}, {V23, []int{52}}, {V26, []int{52}}, {V26, []int{52, 56}}} {
		t.Run(fmt.Sprint(c.dialect, c.at), func(t *testing.T) {
			l := smallLayouts[1]
			l.Dialect = c.dialect
			mem, data, _ := smallTrace(t, l)
			whole := readFile(t, openMemory(t, mem), data)
			b := slices.Clone(mem.files[data].Data)
			last := len(b) - l.BlockSize
			for _, at := range c.at {
				copy(b[last+at:], "\xff\xff\xff\xff")
			}
			rec := openMemory(t, mem.put(data, b))
			have := readFile(t, rec, data)
			if d := cmp.Diff(whole, have, cmp.AllowUnexported(placed{})); d != "" {
				t.Errorf("(-closed +open)\n%s", d)
			}
			text := damageText(rec)
			if want := fmt.Sprintf("%s: offset %d (%#x): %v", data, last, last, ErrUnclosed); !strings.Contains(text,
				want) {
				t.Errorf("damage:\n%s\nwants %s", text, want)
			}
			for _, f := range rec.Files() {
				if f.Path == data && f.Unclosed != 1 {
					t.Errorf("%d sub-buffers unclosed, want 1", f.Unclosed)
				}
			}
		})
	}
}

// TestStrangers checks that files outside of any trace are skipped, and that damaged files of a
// trace are reported.
func TestStrangers(t *testing.T) {
	mem, data, _ := smallTrace(t, smallLayouts[1])
	version := slices.Clone(mem.files[data].Data[:4096])
	version[21] = 9
	mem = mem.put("notes.txt", []byte("hello")).put(".hidden_0", version).put("other_1",
		[]byte("no header")).put("newer_0", version)
	rec := openMemory(t, mem)
	if n := len(rec.Files()); n != 2 {
		t.Errorf("%d files, want 2", n)
	}
	text := damageText(rec)
	for _, want := range []string{"other_1: offset 0 (0x0): no magic number",
		"newer_0: offset 0 (0x0): an unknown version: 2.9"} {
		if !strings.Contains(text, want) {
			t.Errorf("damage:\n%s\nwants %s", text, want)
		}
	}
	if len(rec.Damage()) != 2 {
		t.Errorf("damage:\n%s", text)
	}
}

// TestMutationDialects changes bytes of traces of all layouts, including compact channels and
// facilities. Nothing fails that must not fail.
func TestMutationDialects(t *testing.T) {
	var traces []*traceFiles
	for _, l := range []Layout{
		{Dialect: V20, WordSize: 4, Alignment: 4}, {Dialect: V21, WordSize: 8},
		{Dialect: V22, WordSize: 8, Alignment: 8, BigEndian: true},
		{Dialect: V24, WordSize: 4, Alignment: 4}, {Dialect: V25, WordSize: 4, BigEndian: true},
		{Dialect: V26, WordSize: 4, Alignment: 4, Sized: true},
	} {
		l.BlockSize, l.CPUs, l.Freq, l.StartTSC = 4096, 1, 1e9, 5
		mem, _, _ := smallTrace(t, l)
		traces = append(traces, mem)
	}
	mem := newMemory()
	w, err := NewWriter(mem.create, compactLayout)
	if err != nil {
		t.Fatal(err)
	}
	m, err := w.Marker("compact", "m", "v #b2u%u name %s n %u")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 400 {
		if err := w.Event(0, m, compactLayout.StartTSC+uint64(i)<<20, i, "text", i); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	old := newOldTrace(t, Layout{Dialect: V08, WordSize: 4, Alignment: 4, Heartbeat: true})
	old.load("user_generic", userGenericSum, 0x44)
	old.load("fs", 7, 9)
	for i := range 100 {
		old.event("cpu", 0x44, 1, "s %s p %p", "abc", i)
		old.event("cpu", 9, 0, "f %s fd #4u%u", "name", i)
	}
	old.done(map[string]string{"eventdefs/fs.xml": fsXML})
	traces = append(traces, mem, old.mem)

	rng := rand.New(rand.NewPCG(3, 4))
	for _, mem := range traces {
		names := slices.Sorted(maps.Keys(mem.files))
		for range 500 {
			name := names[rng.IntN(len(names))]
			b := slices.Clone(mem.files[name].Data)
			for range 1 + rng.IntN(6) {
				at := rng.IntN(len(b))
				if rng.IntN(2) == 0 {
					at = rng.IntN(min(len(b), 120))
				}
				b[at] = byte(rng.Uint32())
			}
			rec, err := OpenFS(mem.put(name, b).files, "trace")
			if err != nil {
				var d *Damage
				if !errors.As(err, &d) {
					t.Fatal(err)
				}
				continue
			}
			read(t, rec)
		}
	}
}

// TestNewID gives a marker the id of another, and then the other marker its own id again. Both
// keep their index.
func TestNewID(t *testing.T) {
	mem, _, meta := smallTrace(t, smallLayouts[1])
	rec := openMemory(t, mem)
	var first, second *Marker
	for _, m := range rec.Markers() {
		switch m.Name {
		case "fixed":
			first = m
		case "text":
			second = m
		}
	}
	tr := rec.Traces()[0]
	table := tr.table("kernel")
	s := sizes{4, 8, 8, 8, 8}
	tr.identify(table, first, second.ID, s)
	tr.identify(table, second, second.ID, s)
	rec.markers, tr.markers = nil, nil
	tr.list()
	rec.number()
	for _, m := range []*Marker{first, second} {
		if rec.Markers()[m.Index] != m {
			t.Errorf("%s of %s: index %d is that of %s", m.Name, meta, m.Index, rec.Markers()[m.Index].Name)
		}
	}
}

// TestHugeBlock damages the size of the last sub-buffer. The bytes after it are searched, and the
// damage is reported.
func TestHugeBlock(t *testing.T) {
	mem, data, _ := smallTrace(t, smallLayouts[1])
	b := slices.Clone(mem.files[data].Data)
	at := len(b) - 4096 + 56 // sb_size (lttng.md 3.3)
	copy(b[at:], "\x00\xf0\xff\xff")
	rec := openMemory(t, mem.put(data, b))
	want, all := read(t, openMemory(t, mem)), read(t, rec)
	if d := cmp.Diff(want, all); d != "" {
		t.Errorf("events (-intact +damaged):\n%s", d)
	}
	if n := len(rec.Damage()); n != 1 {
		t.Errorf("%d damaged places, want 1", n)
	}
}

// TestWrongSize damages the size of the first sub-buffer. No earlier sub-buffer confirms the size.
// The sub-buffers that the wrong size covers are still read.
func TestWrongSize(t *testing.T) {
	l := smallLayouts[1]
	mem, data, _ := smallTrace(t, l)
	whole := readFile(t, openMemory(t, mem), data)
	for blocks := 2; blocks*l.BlockSize <= len(mem.files[data].Data); blocks++ {
		b := slices.Clone(mem.files[data].Data)
		binary.LittleEndian.PutUint32(b[56:], uint32(blocks*l.BlockSize)) // sb_size (lttng.md 3.3)
		rec := openMemory(t, mem.put(data, b))
		if d := cmp.Diff(intact(whole, 0, l), intact(readFile(t, rec, data), 0, l),
			cmp.AllowUnexported(placed{})); d != "" {
			t.Errorf("%d sub-buffers (-intact +damaged):\n%s", blocks, d)
		}
		if len(rec.Damage()) == 0 {
			t.Errorf("%d sub-buffers: no damage", blocks)
		}
	}
}
