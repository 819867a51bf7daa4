package perf_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// newWriter returns a writer of a pipe with two attributes.
func newWriter() *writer {
	w := &writer{order: binary.LittleEndian, data: []byte("PERFILE2")}
	w.data = w.order.AppendUint64(w.data, 16)
	w.attr(1)
	w.attr(2)
	return w
}

// packedRounds returns a recording of samples in rounds. From one round on, samples are compressed.
// No feature of the header reports this.
func packedRounds(t *testing.T, r *rand.Rand) []byte {
	t.Helper()
	w, from, time := newWriter(), 3+r.IntN(40), uint64(1000)
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 40 {
		to := w
		if round >= from {
			to = &writer{order: w.order}
		}
		for cpu := range uint32(3) {
			now := time
			for range r.IntN(6) {
				now += uint64(r.IntN(20))
				to.event(r, now, cpu, false, false)
			}
		}
		if to != w && len(to.data) > 0 {
			if _, err := z.Write(to.data); err != nil {
				t.Fatal(err)
			}
			if err := z.Flush(); err != nil {
				t.Fatal(err)
			}
			w.record(perf.Compressed, packed.Bytes())
			packed.Reset()
		}
		time += uint64(r.IntN(80))
		w.record(perf.FinishedRound, nil)
	}
	return w.data
}

// TestPackedInSlices: if a slice meets compressed records, the recording is read as a whole from
// there on.
func TestPackedInSlices(t *testing.T) {
	cuts := 0
	for seed := range uint64(needs.Cases(t, 50, 500)) {
		r := rand.New(rand.NewPCG(seed, 7))
		data, size := packedRounds(t, r), int64(64<<r.IntN(6))
		want, got := walkData(t, data, record.Options{}, 0), walkData(t, data, record.Options{}, size)
		if d := cmp.Diff(want.lines, got.lines); d != "" {
			t.Fatalf("seed %d, slices of %d bytes (-whole +slices):\n%s", seed, size, d)
		}
		if want.damage > 0 {
			t.Fatalf("seed %d: %s", seed, want.lines[len(want.lines)-2])
		}
		cuts += got.slices
	}
	if cuts < 300 {
		t.Errorf("only %d slices", cuts)
	}
}

// TestLargeRoundsInSlices: if slices that are read in parallel run out of memory, the recording is
// read as a whole. A lack of memory is reported only if it then does not fit either.
func TestLargeRoundsInSlices(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples int // of a round
		fits    bool
	}{{"some fit", 30, true}, {"none fits", 150, false}} {
		t.Run(c.name, func(t *testing.T) {
			r, w := rand.New(rand.NewPCG(1, 9)), newWriter()
			for round := range 12 {
				for i := range c.samples {
					w.sample(1+uint64(r.IntN(2)), 7, uint64(1000*round+r.IntN(2000)), uint32(i%4), make([]byte, 32764))
				}
				w.record(perf.FinishedRound, nil)
			}
			walk := func(size int64) walked {
				rec, err := perf.OpenReaderAt(bytes.NewReader(w.data), int64(len(w.data)), "perf.data",
					perf.WithMemory(record.MinMemory))
				return walkAll(t, rec, err, record.Options{}, size)
			}
			want, got := walk(0), walk(1<<20)
			if got.slices < 2 || got.read == got.slices && got.slices > 1 && !c.fits {
				t.Errorf("%d slices, %d read", got.slices, got.read)
			}
			if d := cmp.Diff(want.lines, got.lines); d != "" {
				t.Errorf("(-whole +slices):\n%s", d)
			}
			if fits := want.damage == 0; fits != c.fits {
				t.Errorf("%d places of damage", want.damage)
			}
		})
	}
}
