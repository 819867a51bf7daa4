package ftrace_test

import (
	"errors"
	"fmt"
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
	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/record"
)

// TestIndexChangesNothing checks that a selection is the same with an index: records, their order,
// losses and damage. It covers times that go back, pages that are damaged or empty, lost events,
// compressed data, and slices.
func TestIndexChangesNothing(t *testing.T) {
	listed := 0
	name := filepath.Join(t.TempDir(), "x.dat")
	for seed := range uint64(needs.Cases(t, 50, 400)) {
		r := rand.New(rand.NewPCG(seed, 3))
		f := unsteady(r)
		if f.Version == 7 {
			f.Compression = []string{"", "zlib", "zstd"}[r.IntN(3)]
		}
		b := f.Bytes()
		for range r.IntN(3) {
			b = mutate(r, b)
		}
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
		x := makeIndex(t, name)
		if x == nil {
			continue
		}
		listed += x.Parts()
		for range 3 {
			o := chosen(r)
			o.IDs = []uint32{301 + uint32(r.IntN(3))}
			workers := 1 + r.IntN(3)
			want, _ := readFile(t, name, o, 1, ftrace.WithIndex(""))
			got, used := readFile(t, name, o, workers)
			if d := cmp.Diff(want, got); d != "" || !used {
				t.Fatalf("seed %d, %+v, %d workers, used %v (-plain +index):\n%s", seed, o, workers, used, d)
			}
		}
	}
	if listed < needs.Cases(t, 250, 2000) {
		t.Errorf("only %d parts were listed", listed)
	}
}

// makeIndex writes the index of a recording beside it. It returns nil if the recording cannot be
// opened.
func makeIndex(t *testing.T, name string) *index.Index {
	t.Helper()
	rec, err := ftrace.Open(name, ftrace.WithIndex(""))
	if err != nil {
		return nil
	}
	defer rec.Close()
	return indextest.Write(t, rec, name+index.Suffix)
}

// readFile returns the results of reading a recording, and reports whether its index was used, if
// there is one.
func readFile(
	t *testing.T, name string, o record.Options, workers int, opts ...ftrace.OpenOption,
) (all []string, used bool) {
	t.Helper()
	rec, err := ftrace.Open(name, opts...)
	if err != nil {
		return []string{err.Error()}, true
	}
	defer rec.Close()
	o.Workers = workers
	err = record.InSlices(t.Context(), rec.Slices(ftrace.StreamOptions{Options: o}, 2048), workers,
		func(_ int, s record.Slice[record.None]) (part []string, err error) {
			m := s.Merge()
			for x := range m.All() {
				part = append(part, fmt.Sprint(*x))
			}
			return part, m.Err()
		}, func(part []string) error {
			all = append(all, part...)
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	damage := []string{}
	for _, d := range rec.Damage() {
		damage = append(damage, fmt.Sprint(d, d.Skipped))
	}
	return append(append(all, damage...), fmt.Sprint(rec.DamageStats())), rec.IndexErr() == nil
}

// large writes a recording in which one page of twenty has an event 302.
func large(t *testing.T, compression string) (name string) {
	m := tracefile.Machine{Word: 8}
	f := tracefile.File{Machine: m, Version: 7, Compression: compression, PageSize: 4096, CPUs: 1,
		Ftrace: []string{tracefile.Format("print", 5)},
		Systems: []tracefile.System{{Name: "sched",
			Formats: []string{tracefile.Format("switch", 301), tracefile.Format("wakeup", 302)}}}}
	var pages []byte
	random := rand.New(rand.NewPCG(1, 1))
	for n := range 400 {
		page := m.NewPage(4096, uint64(1000_000+n*5000))
		for i := range 100 {
			id := uint16(301)
			if n%20 == 7 && i == 50 {
				id = 302
			}
			page.Event(uint32(10+i%3), m.Payload(id, 7, random.Uint32(), random.Uint32()))
		}
		pages = append(pages, page.Done()...)
	}
	f.Buffers = []tracefile.Buffer{{Clock: "[local]", CPUs: []tracefile.CPU{{ID: 0, Pages: pages}}}}
	name = filepath.Join(t.TempDir(), "large.dat")
	if err := os.WriteFile(name, f.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestIndexPassesOver checks that parts without a selected event are not read: damage made in them
// after indexing is not found.
func TestIndexPassesOver(t *testing.T) {
	for _, compression := range []string{"", "zstd"} {
		name := large(t, compression)
		want, _ := readFile(t, name, record.Options{IDs: []uint32{302}}, 1)
		if len(want) != 21 {
			t.Fatalf("%d lines", len(want))
		}
		x := makeIndex(t, name)
		st, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		wanted := x.Wanted(func(kind uint32) bool { return kind == 302 })
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		spoiled := 0
		for p := range x.Streams[0].All() {
			if p.At > 100<<10 && p.At < st.Size()/2-50<<10 && !wanted[p.Set] { // outside of the range of ProbeOf
				copy(b[p.At+8:], "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")
				spoiled++
			}
		}
		if err := errors.Join(os.WriteFile(name, b, 0o666), os.Chtimes(name, time.Time{}, st.ModTime())); err != nil {
			t.Fatal(err)
		}
		got, used := readFile(t, name, record.Options{IDs: []uint32{302}}, 1)
		if d := cmp.Diff(want, got); d != "" || !used || spoiled == 0 {
			t.Errorf("%q: %d parts were spoiled, used %v:\n%s", compression, spoiled, used, d)
		}
		if plain, _ := readFile(t, name, record.Options{IDs: []uint32{302}}, 1,
			ftrace.WithIndex("")); slices.Equal(plain, want) {
			t.Errorf("%q: nothing was spoiled", compression)
		}
	}
}

// TestIndexIsNotBelieved checks that an index of another recording, or a damaged one, is not used
// and is reported.
func TestIndexIsNotBelieved(t *testing.T) {
	name := large(t, "")
	o := record.Options{IDs: []uint32{302}}
	want, _ := readFile(t, name, o, 1)
	makeIndex(t, name)
	good, err := os.ReadFile(name + index.Suffix)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, is error) {
		t.Helper()
		rec, err := ftrace.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		if err := rec.IndexErr(); !errors.Is(err, is) || err != nil && !strings.Contains(err.Error(), index.Suffix) {
			t.Errorf("%s: %v, want %v", what, err, is)
		}
		if got, _ := readFile(t, name, o, 1); !slices.Equal(got, want) {
			t.Errorf("%s: other records", what)
		}
	}
	check("as it was made", nil)
	write := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(name+index.Suffix, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(append(slices.Clone(good[:len(good)-9]), 1, 2, 3))
	check("cut", index.ErrCorrupt)
	write([]byte("something else that is no index"))
	check("no index", index.ErrFormat)
	other := slices.Clone(good)
	other[13] = index.Version + 1
	write(other)
	check("a version that is to come", index.ErrVersion)
	write(good)
	if err := os.Chtimes(name, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	check("of another date", index.ErrStale)
}
