package aix_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// TestLogShift cuts bytes out of the buffers of log files, and inserts some. Only the affected
// entries are lost. The first entry of every later buffer is found, although the directory gives a
// wrong place for it.
func TestLogShift(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		lost, excess, cases := 0, 0, 0
		for seed := range uint64(needs.Cases(t, 8, 40)) {
			clean := logFile(t, busy(rand.New(rand.NewPCG(seed, 12)), kernel64, 150), kernel64,
				aix.LogOptions{BufferSize: 900})
			raws, extents := logEntries(t, clean)
			files := openBytes(t, clean).Info().Files
			first := int(files[0].Log.Initial.Offset)
			r := rand.New(rand.NewPCG(seed, 99))
			for range 40 {
				n := 1 + r.IntN(64)
				at := first + r.IntN(len(clean)-first)
				from, to := at, min(at+n, len(clean))
				b := append(clean[:at:at], clean[to:]...)
				if r.IntN(2) == 0 {
					to = at
					b = slices.Concat(clean[:at], noise(r, n), clean[at:])
				}
				hit := 0
				for _, e := range extents {
					if e.from < to && e.to > from || e.from < at && e.to > at {
						hit++
					}
				}
				got, _ := logEntries(t, b)
				gone := len(raws) - common(slices.Sorted(slices.Values(raws)), slices.Sorted(slices.Values(got)))
				cases++
				lost += gone
				excess += max(0, gone-hit)
				if gone > hit+6 { // as in streams, bytes that look like entries can win occasionally
					t.Errorf("64-bit %v, seed %d: %d to %d of %d (%d bytes): lost %d of %d, hit %d", kernel64, seed,
						from, to, len(clean), n, gone, len(raws), hit)
				}
			}
		}
		if excess > cases/20 {
			t.Errorf("64-bit %v: %d entries lost in %d cases that were not hit", kernel64, excess, cases)
		}
		t.Logf("64-bit %v: %d cases, %d entries lost, %d of them not hit", kernel64, cases, lost, excess)
	}
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// logEntries returns the bytes of each entry of a log file, and the places of the entries.
func logEntries(t testing.TB, b []byte) (raws []string, extents []extent) {
	t.Helper()
	rec, err := aix.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "shifted.trc")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range rec.Streams(record.Options{}) {
		for {
			batch, err := s.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range batch.Entries {
				raws = append(raws, fmt.Sprintf("%x", e.Raw))
				extents = append(extents, extent{int(e.Offset), int(e.Offset) + len(e.Raw)})
			}
		}
	}
	return raws, extents
}
