package uftrace_test

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// timed is a record as text, with the parts on which a window of time depends.
type timed struct {
	text   string
	time   uint64
	gap    bool // a gap, which has no time
	stream int32
}

// readTimed returns the records of a recording that options select.
func readTimed(t *rapid.T, files fs.FS, o record.Options) (all []timed) {
	rec, err := uftrace.OpenFS(files, "x")
	if err != nil {
		t.Skip(err)
	}
	defer rec.Close()
	m := rec.Merge(uftrace.MergeOptions{Options: o})
	for r, e := range m.All() {
		all = append(all, timed{fmt.Sprint(*r, e.Addr, e.Sym != nil, e.Depth, e.Kind, e.More), r.Time,
			e.Kind == uftrace.Lost, r.Stream})
	}
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// inWindow returns the records that a filter leaves, stream by stream, and whether the times of a
// stream go back.
func inWindow(all []timed, o record.Options) (list []timed, back bool) {
	inside, last := map[int32]bool{}, map[int32]uint64{}
	for _, r := range all {
		if _, known := inside[r.stream]; r.time != 0 || !known {
			inside[r.stream] = r.time >= o.Since && (o.Until == 0 || r.time < o.Until)
		}
		if inside[r.stream] {
			list = append(list, r)
		}
		if !r.gap {
			back = back || r.time < last[r.stream]
			last[r.stream] = r.time
		}
	}
	return list, back
}

// TestWindows: if times do not go back, a window has the same records as a filter over all records.
// If they do, a window has only records that the filter selects. Slices have the same records.
func TestWindows(t *testing.T) {
	defer uftrace.SmallWindows()()
	recordings := uftracetest.All(t)
	ordered := 0
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Any(t, recordings)
		all := readTimed(t, files, record.Options{})
		if len(all) == 0 {
			t.Skip("no records")
		}
		drawn := func(label string) uint64 {
			if rapid.IntRange(0, 5).Draw(t, "no "+label) == 0 {
				return 0
			}
			return rapid.SampledFrom(all).Draw(t, label).time + uint64(rapid.IntRange(0, 1).Draw(t, "later"))
		}
		o := record.Options{Since: drawn("since"), Until: drawn("until"), Workers: 1}
		want, back := inWindow(all, o)
		got := readTimed(t, files, o)
		texts := func(list []timed) (all []string) {
			for _, r := range list {
				all = append(all, r.text)
			}
			slices.Sort(all) // of streams whose times go back a merge has another order
			return all
		}
		if d := cmp.Diff(texts(want), texts(got)); d != "" && !back {
			t.Fatalf("%d to %d (-filtered +window):\n%s", o.Since, o.Until, d)
		}
		if !back {
			ordered++
		}
		for _, r := range got {
			if !slices.Contains(want, r) {
				t.Fatalf("%d to %d: %s is not in the window", o.Since, o.Until, r.text)
			}
		}
		streams, size := rapid.Bool().Draw(t, "streams"), int64(64<<rapid.IntRange(0, 5).Draw(t, "size"))
		once := readSlices(t, files, o, streams, size, nil)
		o.Workers = rapid.IntRange(2, 5).Draw(t, "workers")
		if d := cmp.Diff(once, readSlices(t, files, o, streams, size, nil)); d != "" {
			t.Fatalf("%d to %d, streams %v, size %d (-whole +slices):\n%s", o.Since, o.Until, streams, size, d)
		}
	})
	if ordered == 0 {
		t.Error("the times of all recordings go back")
	}
}

// TestWindowOfDamagedTime: a damaged time does not mislead the search for a window. Behind other
// damage the reader leaves out a record whose time goes back, so a window must not begin there.
func TestWindowOfDamagedTime(t *testing.T) {
	defer uftrace.SmallWindows()()
	names := []string{"100.dat", "101.dat", "102.dat"}
	short := uftracetest.Switching(t)
	for name, f := range short {
		if strings.HasSuffix(name, ".dat") {
			f.Data = f.Data[:min(len(f.Data), 1<<10)]
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		files := maps.Clone(short)
		name := rapid.SampledFrom(names).Draw(t, "file")
		data := slices.Clone(files[name].Data)
		at := 16 * rapid.IntRange(1, len(data)/16-1).Draw(t, "record")
		other := 16 * rapid.IntRange(0, at/16-1).Draw(t, "time")
		copy(data[at:at+8], data[other:])
		for i := max(0, at-48); i < at; i++ {
			data[i] = 0xff
		}
		files[name] = &fstest.MapFile{Data: data}
		all := readTimed(t, files, record.Options{})
		for i := 0; i < len(all); i += 10 {
			o := record.Options{Since: all[i].time}
			want, back := inWindow(all, o)
			if got := readTimed(t, files, o); !back && !slices.Equal(want, got) {
				t.Fatalf("since %d, record %d of %s with the time of record %d: %d records (want %d)",
					o.Since, at/16, name, other/16, len(got), len(want))
			}
		}
	})
}

// TestWindowReadsLittle: for a window of time, little more than its contents is read.
func TestWindowReadsLittle(t *testing.T) {
	defer uftrace.SmallWindows()()
	c := &uftracetest.Counted{FS: uftracetest.Switching(t)}
	rec, err := uftrace.OpenFS(c, "x")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	read := func(o record.Options) (records int, bytes int64) {
		before := c.Bytes.Load()
		m := rec.Merge(uftrace.MergeOptions{Options: o, NoPerf: true})
		for range m.All() {
			records++
		}
		if err := m.Err(); err != nil {
			t.Fatal(err)
		}
		return records, c.Bytes.Load() - before
	}
	_, whole := read(record.Options{})
	n, bytes := read(record.Options{Since: 500_000, Until: 510_000})
	if n == 0 || bytes > whole/10 {
		t.Errorf("%d of %d bytes were read for %d records, a hundredth", bytes, whole, n)
	}
}
