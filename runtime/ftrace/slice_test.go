package ftrace_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// TestSlicesAreTheRecording checks that slices in order have the records of the recording: their
// order, losses and damage. It covers times that go back, pages that are damaged or empty, lost
// events, and selections.
func TestSlicesAreTheRecording(t *testing.T) {
	cuts := 0
	for seed := range uint64(needs.Cases(t, 80, 400)) {
		r := rand.New(rand.NewPCG(seed, 2))
		b := unsteady(r).Bytes()
		for range r.IntN(3) {
			b = mutate(r, b)
		}
		o := chosen(r)
		streams := r.IntN(2) == 0
		want := readSlices(t, b, o, streams, 1, 0, nil)
		got := readSlices(t, b, o, streams, 2+r.IntN(4), 256<<r.IntN(5), &cuts)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("seed %d, %+v, streams %v (-whole +slices):\n%s", seed, o, streams, d)
		}
	}
	if cuts < needs.Cases(t, 400, 2000) {
		t.Errorf("only %d slices were read", cuts)
	}
}

// unsteady returns a recording of two processors with an irregular clock.
func unsteady(r *rand.Rand) *tracefile.File {
	m := machines[r.IntN(len(machines))]
	f := fill(tracefile.File{Machine: m, Version: 6 + r.IntN(2)})
	for i := range f.Buffers {
		for j := range f.Buffers[i].CPUs {
			c := &f.Buffers[i].CPUs[j]
			size := f.PageSize
			if s := f.Buffers[i].PageSize; s > 0 {
				size = s
			}
			c.Pages = nil
			now := uint64(r.IntN(5000))
			for range 30 + r.IntN(60) {
				p := m.NewPage(size, now)
				for k := range r.IntN(6) {
					delta := r.IntN(300)
					now += uint64(delta)
					if r.IntN(20) == 0 { // like ring buffers after a change of the clock
						now = uint64(r.IntN(20000))
						p = p.Stamp(now)
					}
					p = p.Event(uint32(delta), m.Payload(uint16(301+r.IntN(3)), int32(r.IntN(4)), uint32(k)))
				}
				if r.IntN(8) == 0 {
					p = p.Missed(int64(r.IntN(3)))
				}
				c.Pages = append(c.Pages, p.Done()...)
				switch r.IntN(12) {
				case 0:
					now -= min(now, uint64(r.IntN(4000)))
				case 1:
					now += uint64(r.IntN(4000))
				}
			}
		}
	}
	return f
}

// chosen returns random options.
func chosen(r *rand.Rand) (o record.Options) {
	if r.IntN(3) == 0 {
		o.IDs = []uint32{301 + uint32(r.IntN(3))}
	}
	if r.IntN(3) == 0 {
		o.After = []uint32{301 + uint32(r.IntN(3))}
	}
	if r.IntN(4) == 0 {
		o.Tasks = []int32{int32(r.IntN(4))}
	}
	if r.IntN(4) == 0 {
		o.CPUs = []int32{int32(r.IntN(3))}
	}
	if r.IntN(4) == 0 {
		o.Since = uint64(r.IntN(8000))
	}
	if r.IntN(4) == 0 {
		o.Until = 1 + uint64(r.IntN(20000))
	}
	return o
}

func readSlices(
	t *testing.T, b []byte, o record.Options, streams bool, workers int, size int64, n *int,
) (all []string) {
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "x.dat")
	if err != nil {
		return []string{err.Error()}
	}
	defer rec.Close()
	o.Workers = workers
	so := ftrace.StreamOptions{Options: o, RawTime: len(b)%2 == 0}
	list := rec.Slices(so, size)
	if streams {
		list = rec.StreamSlices(so, size)
	}
	if n != nil {
		*n += len(list)
	}
	err = record.InSlices(context.Background(), list, workers,
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
	all = append(all, damage...)
	return append(all, fmt.Sprint(rec.DamageStats()))
}

// TestSlicesOfFewRecords checks that slices without a selected record are not each read to the end
// of the recording to find their end.
func TestSlicesOfFewRecords(t *testing.T) {
	m := machines[0]
	f := fill(tracefile.File{Machine: m, Version: 7})
	now := uint64(0)
	c := &f.Buffers[0].CPUs[0]
	c.Pages = nil
	for i := range 8000 {
		p, kind := m.NewPage(f.PageSize, now), uint16(301)
		if i == 3 {
			kind = 302
		}
		for range 3 {
			now += 100
			p = p.Event(100, m.Payload(kind, 1, uint32(i)))
		}
		c.Pages = append(c.Pages, p.Done()...)
	}
	f.Buffers[0].CPUs[1].Pages = nil
	b := f.Bytes()
	read := func(workers int) (bytesRead int64, records int) {
		src := &counting{ReaderAt: bytes.NewReader(b)}
		rec, err := ftrace.OpenReaderAt(src, int64(len(b)), "x.dat")
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		opened := src.n.Load()
		list := rec.Slices(ftrace.StreamOptions{Options: record.Options{IDs: []uint32{302}, Workers: workers}},
			int64(f.PageSize)*200)
		if workers > 1 && len(list) < 20 {
			t.Errorf("only %d slices", len(list))
		}
		err = record.InSlices(t.Context(), list, workers, func(_ int, s record.Slice[record.None]) (n int, err error) {
			err = s.Merge().EachRun(func(r []record.Record, _ []record.None) error {
				n += len(r)
				return nil
			})
			return n, err
		}, func(n int) error {
			records += n
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return src.n.Load() - opened, records
	}
	whole, want := read(1)
	for _, workers := range []int{2, 4} {
		if n, got := read(workers); got != want || n > 2*whole {
			t.Errorf("%d workers: %d records in %d bytes, %d in %d with one", workers, got, n, want, whole)
		}
	}
}

// counting counts the bytes read.
type counting struct {
	io.ReaderAt
	n atomic.Int64
}

func (c *counting) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, off)
	c.n.Add(int64(n))
	return n, err
}

// TestSlicesLeaveMemory checks that with little memory the available names do not depend on the
// number of slices that are read at a time.
func TestSlicesLeaveMemory(t *testing.T) {
	f := unsteady(rand.New(rand.NewPCG(1, 2)))
	for i := range f.Buffers[0].CPUs {
		f.Buffers[0].CPUs[i].Pages = bytes.Repeat(f.Buffers[0].CPUs[i].Pages, 20)
	}
	fit := 0
	for n := 110_000; n < 135_000; n += 2500 {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "%016x T a_long_name_%06d\n", i, i)
		}
		f.Kallsyms = text.String()
		b := f.Bytes()
		want := symbolsBeside(t, b, 1)
		for _, workers := range []int{2, 4, 8} {
			if got := symbolsBeside(t, b, workers); got != want {
				t.Errorf("%d of %d symbols with %d workers, %d with one", got, n, workers, want)
			}
		}
		if want == n {
			fit++
		}
	}
	if fit == 0 || fit == 10 {
		t.Errorf("memory is enough for %d of 10 tables", fit)
	}
}

// symbolsBeside returns the number of symbols while workers read slices.
func symbolsBeside(t *testing.T, b []byte, workers int) int {
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "x.dat", ftrace.WithMemory(record.MinMemory))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	list := rec.Slices(ftrace.StreamOptions{Options: record.Options{Workers: workers}}, 1<<10)
	for _, s := range list[:min(workers, len(list))] {
		m := s.Merge()
		defer m.Close()
		if _, _, err := m.NextRun(); err != nil && err != io.EOF {
			t.Error(err)
		}
	}
	return rec.Symbols().Len()
}
