package uftrace_test

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// spoiltPerf inserts records that are too short for their type before the n-th record of
// perf-cpu0.dat, and returns the place. It returns -1 if there are fewer records.
func spoiltPerf(fs fstest.MapFS, n int) (spoilt fstest.MapFS, at int) {
	var short []byte
	for _, kind := range []byte{14, 7, 4, 3, 2} {
		short = append(short, kind, 0, 0, 0, 0, 0, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8)
	}
	return insertPerf(fs, n, short)
}

// insertPerf inserts bytes before the n-th record of perf-cpu0.dat.
func insertPerf(fs fstest.MapFS, n int, msgs []byte) (spoilt fstest.MapFS, at int) {
	const name = "perf-cpu0.dat"
	spoilt = maps.Clone(fs)
	data := fs[name].Data
	for ; n > 0; n-- {
		if at += int(binary.LittleEndian.Uint16(data[at+6:])); at >= len(data) {
			return nil, -1
		}
	}
	spoilt[name] = &fstest.MapFile{Data: slices.Insert(slices.Clone(data), at, msgs...)}
	return spoilt, at
}

// TestLostInPerfFiles: perf records that are too short are damage, and the next record reports a
// loss.
func TestLostInPerfFiles(t *testing.T) {
	fs := load(t, "threads")
	delete(fs, "perf-cpu1.dat")
	want := words(t, open(t, fs))
	for n := 0; ; n++ {
		spoilt, at := spoiltPerf(fs, n)
		if at < 0 {
			if n < 10 {
				t.Errorf("only %d records", n)
			}
			break
		}
		r := open(t, spoilt)
		if d := cmp.Diff(want, words(t, r)); d != "" {
			t.Errorf("before record %d (-want +got):\n%s", n, d)
		}
		damage := r.Damage()
		if len(damage) != 5 || damage[0].Offset != int64(at) || damage[0].Skipped != 16 ||
			!errors.Is(damage[0], uftrace.ErrCorrupt) || damage[0].File != "test/perf-cpu0.dat" {
			t.Errorf("before record %d: damage %v", n, damage)
		}
		if d := cmp.Diff([]int{n}, unknownLosses(t, spoilt, uftrace.Perf)); d != "" {
			t.Errorf("records that say that others were lost (-want +got):\n%s", d)
		}
		if r.ThreadSlices(record.Options{}, 0) != nil {
			t.Errorf("before record %d: threads have slices, which do not say what was lost", n)
		}
	}
}

// TestSlicesOfSpoiltPerf: slices have the same losses and damage as the whole.
func TestSlicesOfSpoiltPerf(t *testing.T) {
	fs := load(t, "threads")
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "record")
		spoilt, at := spoiltPerf(fs, n)
		if rapid.Bool().Draw(t, "perf says so") {
			spoilt, at = insertPerf(fs, n, perfLost(3))
		}
		if at < 0 {
			t.Skip("not so many records")
		}
		size := int64(64 << rapid.IntRange(0, 5).Draw(t, "size"))
		want := readSlices(t, spoilt, record.Options{Workers: 1}, false, size, nil)
		got := readSlices(t, spoilt, record.Options{Workers: 4}, false, size, nil)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("size %d (-whole +slices):\n%s", size, d)
		}
	})
}

// perfLost returns a record that reports n lost records, with the thread and the time, which perf
// adds because uftrace requests them.
func perfLost(n uint64) []byte {
	msg := []byte{2, 0, 0, 0, 0, 0, 40, 0, 1, 0, 0, 0, 0, 0, 0, 0}
	return append(binary.LittleEndian.AppendUint64(msg, n), make([]byte, 16)...)
}

// TestLostOfPerf: losses reported by perf count before the next record of its file.
func TestLostOfPerf(t *testing.T) {
	fs := load(t, "threads")
	delete(fs, "perf-cpu1.dat")
	want := words(t, open(t, fs))
	for _, c := range []struct {
		msgs []byte
		want int64
	}{{perfLost(7), 7}, {slices.Concat(perfLost(7), perfLost(2)), 9}, {perfLost(0), 0},
		{perfLost(1 << 63), record.LostUnknown}} {
		spoilt, at := insertPerf(fs, 5, c.msgs)
		r := open(t, spoilt)
		if d := cmp.Diff(want, words(t, r)); d != "" || at < 0 || len(r.Damage()) != 0 {
			t.Errorf("%d lost: damage %v (-want +got):\n%s", c.want, r.Damage(), d)
		}
		n := 0
		each(t, r, func(rec *record.Record, e *uftrace.Entry) {
			if e.Source != uftrace.Perf {
				return
			}
			if expected := map[bool]int64{true: c.want}[n == 5]; rec.Lost != expected {
				t.Errorf("record %d: %d lost, want %d", n, rec.Lost, expected)
			}
			n++
		})
	}
}

// TestMostlyPerf checks that MostlyPerf compares the sizes of files.
func TestMostlyPerf(t *testing.T) {
	fs := load(t, "threads")
	if open(t, fs).MostlyPerf() {
		t.Error("a small recording")
	}
	fs["perf-cpu0.dat"] = &fstest.MapFile{Data: make([]byte, 9<<20)}
	if !open(t, fs).MostlyPerf() {
		t.Error("9 MB of perf, and little of threads")
	}
	for name := range fs {
		if name[0] >= '0' && name[0] <= '9' {
			fs[name] = &fstest.MapFile{Data: make([]byte, 10<<20)}
		}
	}
	if open(t, fs).MostlyPerf() {
		t.Error("9 MB of perf, and more of threads")
	}
	delete(fs, "perf-cpu0.dat")
	if open(t, fs).MostlyPerf() {
		t.Error("no perf")
	}
}
