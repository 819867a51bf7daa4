package lttng

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/indextest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/record"
)

// indexLayouts are traces whose sub-buffers are small.
var indexLayouts = []Layout{
	{Dialect: V10, WordSize: 8, Alignment: 8}, {Dialect: V20, WordSize: 4, Alignment: 4},
	{Dialect: V22, WordSize: 8, Alignment: 8, BigEndian: true},
	{Dialect: V26, WordSize: 8}, {Dialect: V26, WordSize: 4, Alignment: 4, Sized: true},
}

// blocky writes a trace of two processors. Many of its sub-buffers have only events of one or two
// of three markers.
func blocky(t testing.TB, r *rand.Rand, l Layout) *traceFiles {
	t.Helper()
	l.BlockSize, l.CPUs, l.Freq, l.StartTSC = 4096, 2, 1e9, 5
	mem := newMemory()
	w, err := NewWriter(mem.create, l)
	if err != nil {
		t.Fatal(err)
	}
	channel := "kernel"
	if !l.Dialect.perChannel() {
		channel = "cpu"
	}
	var markers []*Mark
	for _, m := range []struct{ name, format string }{{"fixed", "a #1u%u b %lu"}, {"text", "name %s v %u"},
		{"sched_schedule", "prev_pid %d next_pid %d prev_state #2d%ld"}} {
		if channel == "cpu" {
			m.name = "kernel_" + m.name
		}
		marker, err := w.Marker(channel, m.name, m.format)
		if err != nil {
			t.Fatal(err)
		}
		markers = append(markers, marker)
	}
	tsc := l.StartTSC
	for i := range 4000 {
		tsc += uint64(r.IntN(5000))
		cpu, which := r.IntN(2), i/500%3
		if r.IntN(600) == 0 {
			which = r.IntN(3)
		}
		switch which {
		case 0:
			err = w.Event(cpu, markers[0], tsc, i, i*1000)
		case 1:
			err = w.Event(cpu, markers[1], tsc, strings.Repeat("n", i%17), i)
		case 2:
			err = w.Event(cpu, markers[2], tsc, i%5, i%7, i%2)
		}
		if r.IntN(100) == 0 && newHeader(l.Dialect) == countedHeader {
			err = errors.Join(err, w.Lose(cpu, markers[0], uint32(r.IntN(3)*r.IntN(1000))))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return mem
}

// damagedFiles returns a trace with some changed bytes. One of its files may be cut.
func damagedFiles(r *rand.Rand, mem *traceFiles) *traceFiles {
	names := []string{}
	for name := range mem.files {
		names = append(names, name)
	}
	slices.Sort(names)
	for range r.IntN(4) {
		name := names[r.IntN(len(names))]
		b := slices.Clone(mem.files[name].Data)
		if r.IntN(6) == 0 {
			b = b[:r.IntN(len(b))]
		}
		for range r.IntN(4) {
			if len(b) > 0 {
				b[r.IntN(len(b))] = byte(r.Uint32())
			}
		}
		mem = mem.put(name, b)
	}
	return mem
}

// writeIndex writes the index of a trace to a file. It returns nil when the trace cannot be opened.
func writeIndex(t testing.TB, mem *traceFiles, path string) *index.Index {
	t.Helper()
	rec, err := OpenFS(mem.files, "trace", WithPath(path), WithIndex(""))
	if err != nil {
		return nil
	}
	defer rec.Close()
	return indextest.Write(t, rec, index.Name(path))
}

// readChosen returns all data read from a trace, and the reason why its index was not used.
func readChosen(t testing.TB, mem *traceFiles, o record.Options, opts ...Option) ([]string, error) {
	t.Helper()
	rec, err := OpenFS(mem.files, "trace", opts...)
	if err != nil {
		return []string{err.Error()}, nil
	}
	defer rec.Close()
	m := rec.Merge(o)
	defer m.Close()
	var out []string
	for {
		records, entries, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			out = append(out, err.Error())
		}
		for i := range records {
			out = append(out, fmt.Sprint(records[i], entries[i].TSC, entries[i].Offset))
		}
	}
	var damage []string
	for _, d := range rec.Damage() {
		damage = append(damage, fmt.Sprint(d, d.Skipped))
	}
	for _, f := range rec.Files() {
		out = append(out, fmt.Sprint(f.Path, f.Blocks, f.EventsLost, f.Corrupt, f.Unclosed))
	}
	return append(append(out, damage...), fmt.Sprint(rec.DamageStats())), rec.IndexErr()
}

// TestIndexChangesNothing: an index does not change the selected records, their losses or the
// damage, even if threads are followed.
func TestIndexChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	listed := 0
	for seed := range uint64(needs.Cases(t, 30, 150)) {
		r := rand.New(rand.NewPCG(seed, 5))
		mem := damagedFiles(r, blocky(t, r, indexLayouts[r.IntN(len(indexLayouts))]))
		x := writeIndex(t, mem, path)
		if x == nil {
			continue
		}
		listed += x.Parts()
		for range 4 {
			o := record.Options{IDs: []uint32{uint32(r.IntN(7))}}
			if r.IntN(3) == 0 {
				o.IDs = append(o.IDs, uint32(r.IntN(7)))
			}
			if r.IntN(3) == 0 {
				o.Since, o.Until = uint64(r.IntN(5e6)), 5e6+uint64(r.IntN(5e6))
			}
			opts := []Option{WithPath(path)}
			if r.IntN(2) == 0 {
				opts = append(opts, WithTasks())
			}
			want, _ := readChosen(t, mem, o, append(opts, WithIndex(""))...)
			got, err := readChosen(t, mem, o, opts...)
			if d := cmp.Diff(want, got); d != "" || err != nil {
				t.Fatalf("seed %d, %+v, %v (-plain +index):\n%s", seed, o, err, d)
			}
		}
	}
	if listed < needs.Cases(t, 400, 2000) {
		t.Errorf("only %d parts were listed", listed)
	}
}

// TestIndexPassesOver: sub-buffers without selected events are not read. Damage in them after the
// index was made is not noticed.
func TestIndexPassesOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	for _, l := range indexLayouts {
		mem := blocky(t, rand.New(rand.NewPCG(1, 2)), l)
		x := writeIndex(t, mem, path)
		rec := openMemory(t, mem)
		i := slices.IndexFunc(rec.Markers(), func(m *Marker) bool { return strings.HasSuffix(m.Name, "text") })
		o := record.Options{IDs: []uint32{uint32(i)}}
		want, _ := readChosen(t, mem, o)
		wanted := x.Wanted(func(kind uint32) bool { return kind == uint32(i) })
		spoiled := 0
		for s := range x.Streams {
			name := x.Streams[s].Name
			b := slices.Clone(mem.files[name].Data)
			for p := range x.Streams[s].All() {
				if !wanted[p.Set] && p.At > 0 && p.At < int64(len(b)-8192) { // not the pages that identity looks at
					copy(b[p.At+200:], bytes.Repeat([]byte{0xff}, 40))
					spoiled++
				}
			}
			mem = mem.put(name, b)
		}
		got, err := readChosen(t, mem, o, WithPath(path))
		if d := cmp.Diff(want, got); d != "" || err != nil || spoiled == 0 {
			t.Errorf("%v: %d parts were spoiled, %v:\n%s", l.Dialect, spoiled, err, d)
		}
		if plain, _ := readChosen(t, mem, o); slices.Equal(plain, want) {
			t.Errorf("%v: nothing was spoiled", l.Dialect)
		}
	}
}

// TestIndexIsNotBelieved: an index of an earlier state of the trace, or of other markers, is not
// used. The recording reports this.
func TestIndexIsNotBelieved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace")
	mem := blocky(t, rand.New(rand.NewPCG(1, 2)), indexLayouts[3])
	writeIndex(t, mem, path)
	o := record.Options{IDs: []uint32{1}}
	check := func(what string, mem *traceFiles, is error) {
		t.Helper()
		want, _ := readChosen(t, mem, o)
		got, err := readChosen(t, mem, o, WithPath(path))
		if !errors.Is(err, is) || err != nil && !strings.Contains(err.Error(), index.Suffix) {
			t.Errorf("%s: %v, want %v", what, err, is)
		}
		if !slices.Equal(want, got) {
			t.Errorf("%s: other records", what)
		}
	}
	check("as it was made", mem, nil)
	data := mem.files["kernel_0"].Data
	check("longer", mem.put("kernel_0", slices.Concat(data, data[len(data)-4096:])), index.ErrStale)
	other := slices.Clone(data)
	other[len(other)-1] ^= 1
	check("another byte", mem.put("kernel_0", other), index.ErrStale)
	later := mem.put("kernel_0", data)
	later.files["kernel_0"].ModTime = time.Unix(7, 0)
	check("later", later, index.ErrStale)
	meta := mem.files["metadata_0"].Data
	check("another marker", mem.put("metadata_0", bytes.Replace(meta, []byte("text\x00"), []byte("next\x00"), 1)),
		index.ErrStale)
	if err := os.WriteFile(index.Name(path), []byte("something else"), 0o666); err != nil {
		t.Fatal(err)
	}
	check("no index", mem, index.ErrFormat)
}
