package aix_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/tracec/tracec/internal/testkit/hostile"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// TestFailingReads lets each read fail, one at a time. Either the entries are the entries of the
// recording, or the error is returned.
func TestFailingReads(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		events := busy(rand.New(rand.NewPCG(7, 8)), kernel64, 20_000) // more than a window
		for kind, b := range map[string][]byte{
			"stream": stream(t, events, kernel64, 1000),
			"log":    logFile(t, events, kernel64, aix.LogOptions{BufferSize: 100_000, Buffers: 30}),
		} {
			files := fstest.MapFS{"trace": {Data: b}}
			whole, err := entries(files, 1<<30, false)
			if err != nil || len(whole) < 10_000 {
				t.Fatalf("%d entries, %v", len(whole), err)
			}
			for _, short := range []bool{false, true} {
				for n := 1; ; n++ { // 0 is the read that opens it
					have, err := entries(files, n, short)
					if err == nil {
						if n < 3 {
							t.Errorf("%s: %d reads", kind, n)
						}
						if !slices.Equal(whole, have) {
							t.Errorf("%s: %d entries of %d, and no word of it", kind, len(have), len(whole))
						}
						break
					}
					if !errors.Is(err, hostile.ErrCall) {
						t.Errorf("%s, read %d: %v: %d entries of %d", kind, n, err, len(have), len(whole))
					}
					if len(have) > len(whole) || !slices.Equal(have, whole[:len(have)]) {
						t.Errorf("%s, read %d: other entries than those of the recording before the place", kind, n)
					}
				}
			}
		}
	}
}

// TestFailingPipe lets a pipe fail after any number of bytes. The entries before that place are the
// entries of the recording, and the error is returned.
func TestFailingPipe(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		events := busy(rand.New(rand.NewPCG(9, 10)), kernel64, 3000)
		for kind, b := range map[string][]byte{
			"stream": stream(t, events, kernel64, 1000),
			"log":    logFile(t, events, kernel64, aix.LogOptions{BufferSize: 100_000, Buffers: 30}),
		} {
			whole, err := pipeEntries(bytes.NewReader(b))
			if err != nil || len(whole) < 1000 {
				t.Fatalf("%s: %d entries, %v", kind, len(whole), err)
			}
			rng := rand.New(rand.NewPCG(11, 12))
			for _, n := range append([]int{0, 1, 7, 8, 4095, len(b) - 1, len(b)}, rng.Perm(len(b))[:40]...) {
				have, err := pipeEntries(io.MultiReader(bytes.NewReader(b[:n]), iotest.ErrReader(hostile.ErrCall)))
				if !errors.Is(err, hostile.ErrCall) {
					t.Errorf("%s, %d of %d bytes: %v: %d entries of %d", kind, n, len(b), err, len(have), len(whole))
				}
				if len(have) > len(whole) || !slices.Equal(have, whole[:len(have)]) {
					t.Errorf("%s, %d bytes: other entries than those of the recording before the place", kind, n)
				}
			}
		}
	}
}

// pipeEntries returns the entries of a recording that is read once.
func pipeEntries(r io.Reader) (out [][2]uint64, first error) {
	rec, err := aix.OpenReader(r, "pipe")
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	return streamEntries(rec)
}

// entries returns the places and times of all entries, and the first error.
func entries(files fstest.MapFS, n int, short bool) (out [][2]uint64, first error) {
	dir := hostile.FailAt(files, n, short)
	f, err := dir.Open("trace")
	if err != nil {
		return nil, err
	}
	rec, err := aix.OpenReaderAt(f.(io.ReaderAt), int64(len(files["trace"].Data)), "trace")
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	out, first = streamEntries(rec)
	if _, failed := dir.Failed(); failed && first == nil {
		first = errSilent
	}
	return out, first
}

var errSilent = errors.New("a read failed, and nothing says so")

// streamEntries returns the places and times of all entries, and the first error.
func streamEntries(rec *aix.Recording) (out [][2]uint64, first error) {
	for _, s := range rec.Streams(record.Options{}) {
		for {
			batch, err := s.Next()
			for i, e := range batch.Entries {
				out = append(out, [2]uint64{uint64(e.Offset), batch.Records[i].Time})
			}
			if err != nil {
				if !errors.Is(err, io.EOF) && first == nil {
					first = err
				}
				break
			}
		}
	}
	for _, d := range rec.Damage() {
		if first == nil && errors.Is(d, hostile.ErrCall) {
			first = d
		}
	}
	return out, first
}
