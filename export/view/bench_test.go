package view

import (
	"context"
	"os"
	"strconv"
	"testing"

	"github.com/tracec/tracec"
)

// BenchmarkIndex reads a recording into an index: the recording of TRACEC_VIEW_TRACE, or a small
// one.
func BenchmarkIndex(b *testing.B) {
	name := os.Getenv("TRACEC_VIEW_TRACE")
	if name == "" {
		name = extract
	}
	rec, err := tracec.Open(context.Background(), name)
	if err != nil {
		b.Fatal(err)
	}
	defer rec.Close()
	b.ReportAllocs()
	var items uint64
	for b.Loop() {
		s := New(opener(rec), Options{})
		s.read(context.Background())
		x := s.index
		memory, file := x.store.bytes()
		items += x.items
		b.ReportMetric(float64(memory+file)/float64(x.items), "B/item")
		b.ReportMetric(float64(x.chunks)*80/float64(x.items), "summary-B/item")
		x.store.close()
	}
	b.ReportMetric(float64(items)/b.Elapsed().Seconds(), "items/s")
}

// BenchmarkWindow reads windows of 1,500 pixels with a margin on both sides, for all lanes, at the
// slowest resolution.
func BenchmarkWindow(b *testing.B) {
	name := os.Getenv("TRACEC_VIEW_TRACE")
	if name == "" {
		name = extract
	}
	rec, err := tracec.Open(context.Background(), name)
	if err != nil {
		b.Fatal(err)
	}
	defer rec.Close()
	s := New(opener(rec), Options{})
	s.read(context.Background())
	x := s.index
	defer x.store.close()
	for level := uint(10); uint64(1)<<level*3000 < 2*(x.now-x.base); level += 2 {
		b.Run("2^"+strconv.Itoa(int(level)), func(b *testing.B) {
			from := x.base + (x.now-x.base)/3
			var lanes []place
			for i, t := range x.tracks {
				for d := runs; d < len(t.spans) && len(lanes) < 60; d++ {
					lanes = append(lanes, place{track: i, depth: d})
				}
			}
			var entries []entry
			for b.Loop() {
				entries, _ = x.parts(context.Background(), newWindow(from, from+3000<<level, level), lanes)
			}
			b.ReportMetric(float64(len(lanes)), "lanes")
			b.ReportMetric(float64(len(entries)), "entries")
		})
	}
}
