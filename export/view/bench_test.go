package view

import (
	"context"
	"os"
	"testing"

	"github.com/tracec/tracec/report/all"
)

// BenchmarkIndex reads a recording into an index: that of TRACEC_VIEW_TRACE, or a small one.
func BenchmarkIndex(b *testing.B) {
	name := os.Getenv("TRACEC_VIEW_TRACE")
	if name == "" {
		name = extract
	}
	rec, err := all.Open(context.Background(), name)
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
