package uftrace_test

import (
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// survive opens a possibly damaged recording, walks it all, and returns the number of records. It
// fails if the bytes cannot hold that many records.
func survive(t testing.TB, fs fstest.MapFS) int {
	t.Helper()
	r, err := uftrace.OpenFS(fs, "damaged")
	if err != nil {
		var d *uftrace.Damage
		if !errors.As(err, &d) && !errors.Is(err, uftrace.ErrFormat) {
			t.Fatalf("an error without a place: %v", err)
		}
		return 0
	}
	defer r.Close()
	size := 0
	for _, f := range fs {
		size += len(f.Data)
	}
	n := 0
	for m := r.Merge(uftrace.MergeOptions{}); ; {
		records, entries, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(records) == 0 || len(records) != len(entries) {
			t.Fatalf("%d records with %d entries", len(records), len(entries))
		}
		if n += len(records); n > size {
			t.Fatalf("%d records in %d bytes", n, size)
		}
	}
	for _, d := range r.Damage() {
		if d.File == "" || d.Err == nil || d.Offset < 0 || d.Skipped < 0 {
			t.Fatalf("damage without file, place or reason: %+v", d)
		}
	}
	return n
}

// small are recordings that together have every kind of file, including the recording with the most
// kinds of payload.
var small = []string{"big-endian", "events", "extern-note", "forkexec", "dlopen", "v3-binary-task", "python",
	"kernel-graph", "m32"}

func TestTruncation(t *testing.T) {
	for _, name := range small {
		t.Run(name, func(t *testing.T) {
			fs := load(t, name)
			whole := survive(t, fs)
			for _, file := range slices.Sorted(maps.Keys(fs)) {
				data, step := fs[file].Data, needs.Cases(t, 7, 1)
				if len(data) > 4096 {
					step *= len(data) / 2048
				}
				for n := 0; n < len(data); n += step {
					cut := maps.Clone(fs)
					cut[file] = &fstest.MapFile{Data: data[:n:n]}
					if got := survive(t, cut); got > whole {
						t.Fatalf("%s cut to %d bytes gives %d records, the whole %d", file, n, got, whole)
					}
				}
				gone := maps.Clone(fs)
				delete(gone, file)
				survive(t, gone)
			}
		})
	}
}

// TestTruncatedRecords: all records before the cut are still there.
func TestTruncatedRecords(t *testing.T) {
	fs := load(t, "threads")
	for file, f := range fs {
		if file[0] < '0' || file[0] > '9' {
			continue
		}
		for n := range len(f.Data) {
			cut := fstest.MapFS{"info": fs["info"], "task.txt": fs["task.txt"], file: {Data: f.Data[:n:n]}}
			r := open(t, cut)
			got := 0
			each(t, r, func(*record.Record, *uftrace.Entry) { got++ })
			if got != n/16 {
				t.Fatalf("%s cut to %d bytes: %d records, want %d", file, n, got, n/16)
			}
			if stats := r.DamageStats(); n%16 != 0 && stats.Skipped != int64(n%16) {
				t.Fatalf("%s cut to %d bytes: %+v; %v", file, n, stats, r.Damage())
			}
		}
	}
}

func TestMutation(t *testing.T) {
	all := map[string]fstest.MapFS{}
	for _, name := range recordings(t) {
		all[name] = load(t, name)
	}
	names := slices.Sorted(maps.Keys(all))
	rng := rand.New(rand.NewPCG(4, 2026))
	for range needs.Cases(t, 1000, 10_000) {
		fs := maps.Clone(all[names[rng.IntN(len(names))]])
		files := slices.Sorted(maps.Keys(fs))
		for range 1 + rng.IntN(3) {
			file := files[rng.IntN(len(files))]
			fs[file] = &fstest.MapFile{Data: mutate(rng, fs[file].Data)}
		}
		survive(t, fs)
	}
}

// mutate changes bytes, drops, doubles or inserts a piece.
func mutate(rng *rand.Rand, data []byte) []byte {
	data = slices.Clone(data)
	if len(data) == 0 {
		return []byte{byte(rng.Uint32())}
	}
	at := rng.IntN(len(data))
	end := min(len(data), at+1+rng.IntN(40))
	switch rng.IntN(5) {
	case 0:
		data[at] ^= 1 << rng.IntN(8)
	case 1:
		for i := at; i < end; i++ {
			data[i] = byte(rng.Uint32())
		}
	case 2:
		data = slices.Delete(data, at, end)
	case 3:
		data = slices.Insert(data, at, slices.Clone(data[at:end])...)
	case 4:
		for i := at; i < end; i++ {
			data[i] = [...]byte{0, 0xff, '9', '.', 0x2c}[rng.IntN(5)]
		}
	}
	return data
}

// FuzzRecords: any bytes as the records of a program with arguments.
func FuzzRecords(f *testing.F) {
	for _, name := range []string{"args-spec", "events", "lost"} {
		fs := load(f, name)
		for file, data := range fs {
			if file[0] >= '0' && file[0] <= '9' {
				f.Add(data.Data[:min(len(data.Data), 2000)])
			}
		}
	}
	base := load(f, "args-spec")
	f.Fuzz(func(t *testing.T, data []byte) {
		fs := maps.Clone(base)
		fs["32441.dat"] = &fstest.MapFile{Data: data}
		survive(t, fs)
	})
}

// FuzzTexts: any bytes as the text files.
func FuzzTexts(f *testing.F) {
	base := load(f, "dlopen")
	names := slices.Sorted(maps.Keys(base))
	for i, name := range names {
		f.Add(uint8(i), base[name].Data[:min(len(base[name].Data), 3000)])
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		fs := maps.Clone(base)
		fs[names[int(which)%len(names)]] = &fstest.MapFile{Data: data}
		survive(t, fs)
	})
}
