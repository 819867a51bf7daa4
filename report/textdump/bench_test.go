package textdump_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/runtime/record"
)

// largest is a trace of the shared data.
const largest = "lttng/real/trace-698650events_3029lost-8CPU.tar.gz"

// BenchmarkRun prints the largest recorded trace: 698,650 events of 8 processors.
func BenchmarkRun(b *testing.B) {
	name := needs.Shared(b, largest)
	rec := open(b, name)
	for _, plain := range []bool{false, true} {
		b.Run(map[bool]string{false: "columns", true: "plain"}[plain], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := textdump.Run(context.Background(), rec, textdump.Options{Plain: plain},
					io.Discard); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(698650*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkWalk reads the same trace in the order of time.
func BenchmarkWalk(b *testing.B) {
	name := needs.Shared(b, largest)
	rec := open(b, name)
	b.ReportAllocs()
	for b.Loop() {
		m := rec.Merge(record.Options{})
		n := 0
		for {
			run, _, err := m.NextRun()
			n += len(run)
			if errors.Is(err, io.EOF) {
				break
			}
		}
		if n != 698650 {
			b.Fatal(n)
		}
	}
	b.ReportMetric(698650*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
