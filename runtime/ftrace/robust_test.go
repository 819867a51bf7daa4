package ftrace_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

var kinds = []error{ftrace.ErrFormat, ftrace.ErrTruncated, ftrace.ErrCorrupt, ftrace.ErrUnsupported, ftrace.ErrLimit}

func knownKind(err error) bool {
	for _, k := range kinds {
		if errors.Is(err, k) {
			return true
		}
	}
	return false
}

// small returns a file with one part of each kind, for tests that damage it.
func small(f tracefile.File) []byte {
	full := fill(f)
	for i := range full.Buffers {
		for j := range full.Buffers[i].CPUs {
			c := &full.Buffers[i].CPUs[j]
			size := max(256, full.Buffers[i].PageSize)
			c.Pages = c.Pages[:min(len(c.Pages), 4*size)]
		}
	}
	o := full.Order()
	full.Options = []tracefile.Option{
		{ID: ftrace.OptionDate, Payload: []byte("0x10\x00")},
		{ID: ftrace.OptionGuest, Payload: numbers(o, "vm\x00", uint64(4), uint32(1), uint32(0), uint32(100))},
		{ID: ftrace.OptionTimeShift, Payload: numbers(o, uint64(9), uint32(1), uint32(1), uint32(1), uint64(10),
			int64(-5), uint64(1), uint64(32))},
	}
	return full.Bytes()
}

// survive opens and walks b and calls all methods. It returns the number of records.
func survive(t testing.TB, b []byte) (records int, rec *ftrace.Recording) {
	t.Helper()
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "broken.dat")
	if err != nil {
		var d *ftrace.Damage
		if !errors.As(err, &d) || d.File != "broken.dat" || d.Want == "" || !knownKind(err) {
			t.Fatalf("error without file, expectation or kind: %v", err)
		}
		return 0, nil
	}
	defer rec.Close()
	rec.Comm(7)
	rec.Printk(1)
	rec.Symbols().Lookup(1 << 40)
	for _, b := range rec.Buffers() {
		if text := b.Text(); text != nil {
			io.Copy(io.Discard, text)
		}
	}
	for _, o := range []ftrace.StreamOptions{{}, {Options: record.Options{Since: 1500, Until: 2500}}} {
		n := 0
		m := rec.Merge(o)
		for range m.All() {
			n++
			if n > 8*len(b)*64 {
				t.Fatal("more records than bytes can hold")
			}
		}
		if err := m.Err(); err != nil {
			t.Fatal(err)
		}
		if o.Since == 0 {
			records = n
		}
	}
	for _, d := range rec.Damage() {
		if d.File != "broken.dat" || d.Offset < 0 || d.Want == "" || !knownKind(d) {
			t.Fatalf("damage without file, offset, expectation or kind: %v", d)
		}
	}
	return records, rec
}

func TestTruncationAtEveryByte(t *testing.T) {
	for _, v := range variants()[:4] {
		t.Run(variantName(&v), func(t *testing.T) {
			t.Parallel()
			b := small(v)
			whole, _ := survive(t, b)
			last, step := 0, needs.Cases(t, 7, 1)
			for n := len(b) % step; n <= len(b); n += step {
				got, rec := survive(t, b[:n])
				if got < last {
					t.Fatalf("%d records of %d bytes, %d of fewer", got, n, last)
				}
				if got < whole && rec != nil && rec.DamageStats().Count == 0 {
					t.Fatalf("%d of %d records of %d bytes, and no damage", got, whole, n)
				}
				last = got
			}
			if last != whole {
				t.Errorf("%d records, want %d", last, whole)
			}
		})
	}
}

// TestTruncationKeepsIntactPages cuts uncompressed files at every byte of their data. All data in
// front of the cut must be read. In version 7 the table follows the data, so it is lost first.
func TestTruncationKeepsIntactPages(t *testing.T) {
	for _, version := range []int{6, 7} {
		m := machines[0]
		pages := manyPages(m, 256, 8, 1000, 301)
		f := oneCPU(m, 256, pages)
		f.Version, f.CPUs = version, 1
		b := f.Bytes()
		data := bytes.Index(b, pages)
		for n := data; n < data+len(pages); n++ {
			// Every page has two records of 16 bytes after 16 bytes of header.
			in := (n - data) % 256
			want := (n-data)/256*2 + min(2, max(0, in-16)/16)
			if got, _ := survive(t, b[:n]); got != want {
				t.Fatalf("version %d: %d records of %d bytes of data, want %d", version, got, n-data, want)
			}
		}
	}
}

// TestRescue cuts complete files after the data of all buffers: only the tables are missing.
func TestRescue(t *testing.T) {
	for _, v := range variants() {
		if v.Version == 6 {
			continue
		}
		t.Run(variantName(&v), func(t *testing.T) {
			f := fill(v)
			f.Buffers = f.Buffers[:1]
			cpus := f.Buffers[0].CPUs
			f.Buffers[0].CPUs = []tracefile.CPU{cpus[0], cpus[2]} // the recorder omits empty ones
			b := f.Bytes()
			want, _ := survive(t, b)
			got, rec := survive(t, b[:len(b)-20])
			if got != want || rec == nil || rec.DamageStats().Count == 0 {
				t.Errorf("%d of %d records", got, want)
			}
		})
	}
}

func TestRandomMutations(t *testing.T) {
	rounds := needs.Cases(t, 1000, 10_000)
	var files [][]byte
	for _, v := range variants() {
		files = append(files, small(v))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var before, after runtime.MemStats
	worst := uint64(0)
	for i := range rounds {
		b := mutate(rng, files[i%len(files)])
		if i%16 == 0 { // it stops the world
			runtime.ReadMemStats(&before)
		}
		survive(t, b)
		if i%16 == 0 {
			runtime.ReadMemStats(&after)
			worst = max(worst, after.TotalAlloc-before.TotalAlloc)
		}
	}
	// At most a section, three symbol tables and two buffers for a chunk are in memory. There are
	// two walks.
	if bound := uint64(4*ftrace.MaxSection + 4*ftrace.MaxChunk); worst > bound {
		t.Errorf("%d bytes allocated for one file, bound %d", worst, bound)
	}
}

// mutate overwrites, cuts, doubles or removes stretches of a copy of b.
func mutate(rng *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + rng.IntN(6) {
		at := rng.IntN(len(b))
		switch rng.IntN(8) {
		case 0, 1, 2:
			b[at] = byte(rng.Uint32())
		case 3:
			b[at] ^= 1 << rng.IntN(8)
		case 4: // numbers that often break code
			v := []uint32{0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0, 1 << 20, 1 << 27}[rng.IntN(8)]
			for i := 0; i < 4 && at+i < len(b); i++ {
				b[at+i] = byte(v >> (8 * i))
			}
		case 5:
			end := min(len(b), at+rng.IntN(64))
			b = append(b[:at:at], b[end:]...)
		case 6:
			end := min(len(b), at+rng.IntN(64))
			b = append(b[:end:end], b[at:]...)
		case 7:
			if rng.IntN(4) == 0 {
				b = b[:at]
			}
		}
		if len(b) == 0 {
			return []byte{0}
		}
	}
	return b
}
