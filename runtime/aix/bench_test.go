package aix_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// bulk repeats the events of a busy system up to about size bytes.
func bulk(t testing.TB, kernel64 bool, size int) (b []byte, hooks int) {
	events := busy(rand.New(rand.NewPCG(7, 8)), kernel64, 4000)
	var out bytes.Buffer
	w := aix.NewWriter(&out, aix.WriterOptions{Kernel64: kernel64})
	now := uint64(1000)
	for out.Len() < size {
		for i := range events {
			now += events[i].step
			events[i].write(w, now)
		}
		hooks += len(events)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), hooks
}

// BenchmarkWalk walks streams of mixed hooks, one after the other, and dispatches each by its id.
func BenchmarkWalk(b *testing.B) {
	for _, kernel64 := range []bool{false, true} {
		data, hooks := bulk(b, kernel64, 16<<20)
		name := map[bool]string{false: "32", true: "64"}[kernel64]
		b.Run(name, func(b *testing.B) {
			rec := openBytes(b, data)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			var counts [1 << 16]int
			for b.Loop() {
				s := rec.Streams(record.Options{})[0]
				for {
					batch, err := s.Next()
					if err != nil {
						break
					}
					for i := range batch.Records {
						counts[batch.Records[i].ID&0xFFFF]++
					}
				}
			}
			b.ReportMetric(float64(hooks)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mhooks/s")
		})
		b.Run(name+"/merge", func(b *testing.B) {
			rec := openBytes(b, data)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			ctx := aix.NewContext(rec.Info(), nil)
			for b.Loop() {
				err := rec.Merge(record.Options{}).Run(func(r *record.Record, e *aix.Entry) error {
					ctx.Update(r, e)
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(hooks)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mhooks/s")
		})
	}
}

// BenchmarkResync walks noise with hardly any valid entries.
func BenchmarkResync(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	noise := make([]byte, 4<<20)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	for name, kind := range map[string]aix.Kind{"32": aix.Stream32, "64": aix.Stream64} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(noise)))
			for b.Loop() {
				rec := openBytes(b, noise, aix.WithKind(kind))
				for s := rec.Streams(record.Options{})[0]; ; {
					if _, err := s.Next(); err != nil {
						break
					}
				}
			}
		})
	}
}

// BenchmarkWrite writes hooks of five words.
func BenchmarkWrite(b *testing.B) {
	w := aix.NewWriter(io.Discard, aix.WriterOptions{Kernel64: true})
	b.ReportAllocs()
	for b.Loop() {
		w.Now++
		w.TRCHKL5T(0x50000005, 1, 2, 3, 4, 5)
	}
}
