package uftrace_test

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// spoiltPerf inserts records that are too short for their type before the n-th record of perf-cpu0.dat, and says where. It returns -1 when there are not so many.
func spoiltPerf(fs fstest.MapFS, n int) (spoilt fstest.MapFS, at int) {
	const name = "perf-cpu0.dat"
	spoilt = maps.Clone(fs)
	data := fs[name].Data
	for ; n > 0; n-- {
		if at += int(binary.LittleEndian.Uint16(data[at+6:])); at >= len(data) {
			return nil, -1
		}
	}
	var short []byte
	for _, kind := range []byte{14, 7, 4, 3} {
		short = append(short, kind, 0, 0, 0, 0, 0, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8)
	}
	spoilt[name] = &fstest.MapFile{Data: slices.Insert(slices.Clone(data), at, short...)}
	return spoilt, at
}

// TestLostInPerfFiles: records of perf that are too short are damage, and the next one says that something was lost.
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
		if len(damage) != 4 || damage[0].Offset != int64(at) || damage[0].Skipped != 16 || !errors.Is(damage[0], uftrace.ErrCorrupt) || damage[0].File != "test/perf-cpu0.dat" {
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
		spoilt, at := spoiltPerf(fs, rapid.IntRange(0, 60).Draw(t, "record"))
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

// TestPerfShare: the share of perf goes by the sizes of files.
func TestPerfShare(t *testing.T) {
	fs := load(t, "threads")
	sizes := map[bool]int{} // of perf, or not
	for name, f := range fs {
		if perf := strings.HasPrefix(name, "perf-cpu"); perf || name[0] >= '0' && name[0] <= '9' {
			sizes[perf] += len(f.Data)
		}
	}
	want := float64(sizes[true]) / float64(sizes[true]+sizes[false])
	if got := open(t, fs).PerfShare(); got != want || want <= 0 || want >= 1 {
		t.Errorf("%v, want %v of %v", got, want, sizes)
	}
	for name := range fs {
		if strings.HasPrefix(name, "perf-cpu") {
			delete(fs, name)
		}
	}
	if got := open(t, fs).PerfShare(); got != 0 {
		t.Errorf("without files of perf: %v", got)
	}
}
