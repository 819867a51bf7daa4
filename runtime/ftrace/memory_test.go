package ftrace_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// sharedChunk returns a version 7 file whose processors all claim the data of the first one.
func sharedChunk(cpus, plain int, compression string) []byte {
	m := machines[0]
	f := oneCPU(m, 4096, m.NewPage(4096, stamp).Event(0, m.Payload(301, 7)).Done())
	f.Version, f.Compression = 7, compression
	f.Buffers[0].CPUs[0].Pages = append(f.Buffers[0].CPUs[0].Pages, make([]byte, plain-4096)...)
	f.ChunkPages = plain / 4096
	return f.SharedBytes(cpus)
}

func TestDataOfProcessorsDoNotOverlap(t *testing.T) {
	rec := openBytes(t, sharedChunk(3, 8192, "zstd"))
	defer rec.Close()
	damage := rec.Damage()
	if len(damage) != 2 {
		t.Fatalf("%d places are damaged, want 2: %v", len(damage), damage)
	}
	for i, d := range damage {
		if d.Part != fmt.Sprintf("CPU %d", i+1) || !errors.Is(d, ftrace.ErrCorrupt) ||
			!strings.Contains(d.Error(), "overlap") {
			t.Error(d)
		}
	}
	if got := walk(t, rec.Streams(ftrace.StreamOptions{})); len(got) != 1 {
		t.Errorf("%d events, want the one of the first processor", len(got))
	}
}

// A size that is too large does not affect the next processor. An offset into another processor's
// data loses only the entry with that offset.
func TestOverlapCostsTheDamagedEntryOnly(t *testing.T) {
	m := machines[0]
	f := oneCPU(m, 256, manyPages(m, 256, 4, 1000, 301))
	f.Version, f.CPUs = 6, 3
	f.Buffers[0].CPUs = append(f.Buffers[0].CPUs,
		tracefile.CPU{ID: 1, Pages: manyPages(m, 256, 4, 1000, 301)},
		tracefile.CPU{ID: 2, Pages: manyPages(m, 256, 4, 1000, 301)})
	b := f.Bytes()
	table := bytes.Index(b, []byte("flyrecord\x00")) + 10
	for _, test := range []struct {
		name  string
		field int
		value func(offset, size uint64) uint64
		want  [3]int
	}{
		{"size", 8, func(_, size uint64) uint64 { return 2 * size }, [3]int{8, 8, 8}},
		{"offset", 16 + 0, func(offset, _ uint64) uint64 { return offset - 512 }, [3]int{8, 0, 8}},
		{"offset of the last", 32 + 0, func(offset, _ uint64) uint64 { return offset - 1024 }, [3]int{8, 8, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := bytes.Clone(b)
			entry := table + test.field/16*16
			v := test.value(binary.LittleEndian.Uint64(b[entry:]), binary.LittleEndian.Uint64(b[entry+8:]))
			binary.LittleEndian.PutUint64(b[table+test.field:], v)
			rec := openBytes(t, b)
			defer rec.Close()
			var got [3]int
			for _, e := range walkRecords(rec) {
				got[e.CPU]++
			}
			if got != test.want || rec.DamageStats().Count != 1 {
				t.Errorf("%v events of the processors, want %v; damage %v", got, test.want, rec.Damage())
			}
		})
	}
}

func walkRecords(rec *ftrace.Recording) (all []record.Record) {
	for r := range rec.Merge(ftrace.StreamOptions{}).All() {
		all = append(all, *r)
	}
	return all
}

// manyCPUs returns a file of processors with their own data, each one page in one chunk.
func manyCPUs(cpus, page int, compression string) []byte {
	m := machines[0]
	f := oneCPU(m, page, nil)
	f.Version, f.Compression = 7, compression
	f.Buffers[0].CPUs = nil
	data := m.NewPage(page, stamp).Event(0, m.Payload(301, 7)).Done()
	for i := range cpus {
		f.Buffers[0].CPUs = append(f.Buffers[0].CPUs, tracefile.CPU{ID: i, Pages: data})
	}
	return f.Bytes()
}

// Many processors get smaller buffers, and all of them are read.
func TestManyProcessorsFitIntoTheLeastMemory(t *testing.T) {
	for _, compression := range []string{"", "zstd", "zlib"} {
		b := manyCPUs(300, 4096, compression)
		rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "many.dat",
			ftrace.WithMemory(record.MinMemory))
		if err != nil {
			t.Fatal(err)
		}
		for range 3 { // streams give back their memory at their end
			if n := len(walkRecords(rec)); n != 300 || rec.DamageStats().Count != 0 {
				t.Errorf("%q: %d events, want 300; damage %v", compression, n, rec.Damage())
			}
		}
		rec.Close()
	}
}

// Data that do not fit in memory are damage. The message names the limit and the option. All other
// data are read.
func TestProcessorsBeyondTheMemoryAreDamage(t *testing.T) {
	for _, compression := range []string{"", "zstd"} {
		b := manyCPUs(20, 1<<20, compression)
		rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "large.dat",
			ftrace.WithMemory(record.MinMemory))
		if err != nil {
			t.Fatal(err)
		}
		n := len(walkRecords(rec))
		if lost := rec.DamageStats().Count; n == 0 || n+int(lost) != 20 {
			t.Errorf("%q: %d events and %d places of damage, want 20 in all", compression, n, lost)
		}
		for _, d := range rec.Damage() {
			if !errors.Is(d, ftrace.ErrLimit) || d.Offset == 0 || !strings.Contains(d.Error(), "16 MiB") ||
				!strings.Contains(d.Error(), "--memory") {
				t.Errorf("%q: %v", compression, d)
			}
		}
		rec.Close()
		all := openBytes(t, b)
		if n := len(walkRecords(all)); n != 20 {
			t.Errorf("%q: %d events with the default, want 20", compression, n)
		}
	}
}

// Chunks of a text are read one by one: damage loses only its chunk.
func TestDamagedChunkOfALatencyText(t *testing.T) {
	line := strings.Repeat("<idle>-0 1d..2 5us : something\n", 4)
	f := fill(tracefile.File{Machine: machines[0], Version: 7, Compression: "zlib", ChunkPages: len(line)})
	f.Buffers = []tracefile.Buffer{{Text: strings.Repeat(line, 3)}}
	b := f.Bytes()
	packed := tracefile.Pack("zlib", []byte(line))
	b[bytes.Index(b, packed)+len(packed)/2] ^= 0xff
	rec := openBytes(t, b)
	got, err := io.ReadAll(rec.Buffers()[0].Text())
	if err != nil || string(got) != line+line || rec.DamageStats().Count != 1 {
		t.Errorf("%d bytes, want %d; %v, damage %v", len(got), 2*len(line), err, rec.Damage())
	}
}

// Whatever words a page holds, a walk continues to its end. It never yields more records than there
// are words.
func TestWalkMakesProgress(t *testing.T) {
	for _, m := range machines {
		for typ := range uint32(32) {
			for _, word := range []uint32{0, 1, 2, 3, 4, 5, 1<<31 - 1, 1<<32 - 1} {
				p := m.NewPage(256, stamp)
				for range 25 {
					p.Head(typ, 1).Word(word)
				}
				rec := openBytes(t, oneCPU(m, 256, p.Done()).Bytes())
				if n := len(walkRecords(rec)); n > 50 {
					t.Errorf("%d records of 50 words of type %d, %#x", n, typ, word)
				}
				rec.Close()
			}
		}
	}
}

func TestPageSizeFollowsTheCommitWord(t *testing.T) {
	for size, ok := range map[uint32]bool{63: false, 64: true, ftrace.MaxPage: true, ftrace.MaxPage + 1: false,
		16 << 20: false} {
		b := fill(tracefile.File{Machine: machines[0], Version: 7}).Bytes()
		binary.LittleEndian.PutUint32(b[14:], size)
		if _, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), fmt.Sprint(size)); (err == nil) != ok {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}
