package perf_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// walkNamed adds records with their threads and mappings.
func (w *walked) walkNamed(m *record.Merger[perf.Entry], names *perf.Names) {
	defer m.Close()
	for r, x := range m.All() {
		names.Follow(r, x)
		w.lines = append(w.lines, fmt.Sprintf("%d %s cpu %d task %d %v lost %d at %d of %d", r.Time, x.Event.Name,
			r.CPU, r.Task, names.Thread(r, x), r.Lost, x.Offset, len(x.Body)))
		for addr := uint64(0); addr < 9<<12; addr += 1 << 12 {
			if y, ok := x.Maps.Find(perf.ModeUser, addr); ok {
				w.lines = append(w.lines, fmt.Sprintf("  %x: %s", addr, y.Module.Name))
			}
		}
		if addr, ok := x.IP(); ok {
			if y, ok := x.Maps.Find(x.Misc, addr); ok {
				w.lines = append(w.lines, fmt.Sprintf("  %x in %x-%x %s", addr, y.Start, y.End, y.Module.Name))
			}
		}
	}
	if err := m.Err(); err != nil {
		w.lines = append(w.lines, err.Error())
	}
}

// walkScout walks over a recording with names. If size is not 0, a Scout cuts slices of this size
// for several readers.
func walkScout(t *testing.T, r *rand.Rand, s perftest.Sample, o record.Options, size int64) (w walked) {
	t.Helper()
	rec, err := perf.OpenReaderAt(bytes.NewReader(s.Data), int64(len(s.Data)), "perf.data")
	if err != nil {
		return walked{lines: []string{err.Error()}}
	}
	defer rec.Close()
	o.Workers = 3
	if c := rec.Scout(o, 0, o.Until > 0, size); size > 0 && c != nil {
		all, list := [3]*perf.Names{c.Names(), c.Names(), c.Names()}, [2]perf.Slice{}
		for ; c.Next(&list[w.slices%2]); w.slices++ {
			names := all[r.IntN(3)]
			names.At(&list[w.slices%2])
			w.walkNamed(list[w.slices%2].Merge(), names)
		}
		for _, n := range all {
			n.Close()
		}
		w.walkNamed(c.Rest())
	} else {
		w.walkNamed(rec.Merge(o), rec.Names())
	}
	for _, d := range rec.Damage() {
		w.lines = append(w.lines, d.Error())
	}
	w.damage = len(rec.Damage())
	w.lines = append(w.lines, fmt.Sprint(rec.DamageStats()))
	return w
}

// TestScout: the consecutive slices that a Scout cuts, and the rest, give the same as the whole
// recording: records, threads, mappings and damage.
func TestScout(t *testing.T) {
	slices, damaged, rest := 0, 0, 0
	check := func(seed uint64, s perftest.Sample, o record.Options, size int64) {
		t.Helper()
		r := rand.New(rand.NewPCG(seed, 12))
		want, got := walkScout(t, r, s, o, 0), walkScout(t, r, s, o, size)
		if d := cmp.Diff(want.lines, got.lines); d != "" {
			t.Fatalf("%s, seed %d, %+v, slices of %d bytes (-whole +slices):\n%s", s.Name, seed, o, size, d)
		}
		slices, damaged = slices+got.slices, damaged+got.damage
		if got.slices == 0 {
			rest++
		}
	}
	for seed := range uint64(needs.Cases(t, 400, 4000)) {
		r := rand.New(rand.NewPCG(seed, 11))
		s, o := perftest.Sample{Name: "rounds", Data: rounds(r)}, record.Options{}
		if r.IntN(4) == 0 {
			o.Until = uint64(1000 + r.IntN(4000))
		}
		check(seed, s, o, 64<<r.IntN(7))
	}
	for seed := range uint64(needs.Cases(t, 20, 200)) {
		r := rand.New(rand.NewPCG(seed, 13))
		check(seed, perftest.Sample{Name: "packed", Data: packedRounds(t, r)}, record.Options{}, 64<<r.IntN(6))
	}
	for _, s := range perftest.All(t) {
		for _, size := range []int64{1, 3000} {
			check(uint64(size), *s, record.Options{}, size)
		}
	}
	t.Logf("%d slices, %d places of damage, %d recordings without a slice", slices, damaged, rest)
	if slices < 700 || damaged < 500 {
		t.Errorf("only %d slices, %d places of damage", slices, damaged)
	}
}
