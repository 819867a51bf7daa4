package perf_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// TestMutants reads mutants of files and pipes, also after bytes that are not damaged: headers,
// attributes and features, records, compressed data. Reading ends, with the memory of the
// recording, and damage has a place.
func TestMutants(t *testing.T) {
	var list []*perftest.Sample
	for _, s := range perftest.All(t) {
		if s.Data != nil && len(s.Data) < 100<<10 {
			list = append(list, s)
		}
	}
	count, seed := needs.Mutants()
	if count == 0 {
		count = 100
	}
	r := rand.New(rand.NewPCG(seed, 38))
	damaged, slices := 0, 0
	for i := range count {
		s, donor := list[r.IntN(len(list))], list[r.IntN(len(list))]
		data := bytes.Clone(s.Data)
		for range 1 + r.IntN(3) {
			if b, _, _ := mutate.Blind(r, data, donor.Data); len(b) > 0 {
				data = b
			}
		}
		if r.IntN(2) == 0 { // a mutant that still opens
			copy(data, s.Data[:min(len(data), 256)])
		}
		if readMutant(t, data) {
			damaged++
		}
		if i%4 == 0 {
			m := perftest.Sample{Name: "rounds", Data: rounds(r)} // others have few rounds
			if b, _, _ := mutate.Blind(r, m.Data, data); len(b) > 0 {
				m.Data = b
			}
			whole, cut := walkScout(t, r, m, record.Options{}, 0), walkScout(t, r, m, record.Options{}, 1)
			if d := cmp.Diff(whole.lines, cut.lines); d != "" {
				t.Fatalf("mutant %d of seed %d, of rounds (-whole +slices):\n%s", i, seed, d)
			}
			slices += cut.slices
		}
	}
	t.Logf("%d mutants, %d damaged, %d slices of one in four", count, damaged, slices)
}

// readMutant reads a recording and reports whether it is damaged.
func readMutant(t *testing.T, data []byte) bool {
	in, memory := bytes.NewReader(data), perf.WithMemory(record.MinMemory)
	rec, err := perf.OpenReaderAt(in, in.Size(), "mutant", memory)
	if err == nil && rec.Pipe() && len(data)%4 == 0 { // as it arrives
		rec.Close()
		rec, err = perf.OpenReader(in, "mutant", memory)
	}
	if err != nil {
		return true
	}
	defer rec.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	names := rec.Names()
	m := rec.Merge(record.Options{Context: ctx})
	for x, e := range m.All() {
		names.Follow(x, e)
		names.Thread(x, e)
		e.Chain(func(uint64, uint16) bool { return true })
		e.IP()
		e.Period()
		e.Recorder()
	}
	if ctx.Err() != nil {
		t.Fatal("it does not end")
	}
	for _, d := range rec.Damage() {
		if d.Offset < 0 || d.Skipped < 0 || d.Err == nil || d.File == "" {
			t.Fatalf("%+v", d)
		}
	}
	return rec.DamageStats().Count > 0
}
