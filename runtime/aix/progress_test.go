package aix_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/tracec/tracec/internal/testkit/hostile"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// progress walks b as a recording of each kind. The number of reads must not exceed the limit for
// its size. There must not be more entries than possible hook words, and no batch without entries.
func progress(t *testing.T, name string, b []byte, kinds ...aix.Kind) {
	t.Helper()
	for _, kind := range kinds {
		limit := hostile.NewLimit(64 + int64(len(b))/4)
		rec, err := aix.OpenReaderAt(limit.ReaderAt(bytes.NewReader(b)), int64(len(b)), "hostile", aix.WithKind(kind))
		if err == nil {
			for _, s := range rec.Streams(record.Options{}) {
				entries := 0
				for {
					batch, err := s.Next()
					if err != nil {
						if !errors.Is(err, io.EOF) {
							t.Fatalf("%s as %v: %v", name, kind, err)
						}
						break
					}
					if entries += len(batch.Records); len(batch.Records) == 0 || entries > len(b)/4 {
						t.Fatalf("%s as %v: %d entries, %d of them now, of %d bytes", name, kind, entries,
							len(batch.Records), len(b))
					}
				}
			}
			rec.Close()
		}
		if limit.Exceeded() {
			t.Fatalf("%s as %v: %v", name, kind, hostile.ErrStuck)
		}
	}
}

// TestProgress sets lengths, offsets and ids to all invalid values.
func TestProgress(t *testing.T) {
	for name, b := range hostile.Constants(4096) {
		progress(t, name, b, aix.Stream32, aix.Stream64, aix.Log32, aix.Log64)
	}
	for _, kernel64 := range []bool{false, true} {
		events := busy(rand.New(rand.NewPCG(7, 8)), kernel64, 5)
		for kind, b := range map[string][]byte{
			"stream": stream(t, events, kernel64, 1000),
			"log":    logFile(t, events, kernel64, aix.LogOptions{BufferSize: 100, Buffers: 2}),
		} {
			for name, m := range hostile.Mutants(t, b) {
				progress(t, fmt.Sprintf("%s of a 64-bit kernel %v, %s", kind, kernel64, name), m, aix.KindUnknown)
			}
		}
	}
}
