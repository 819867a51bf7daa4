package parquet_test

import (
	"os"
	"testing"

	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// BenchmarkWrite writes the recording in TRACEC_BENCH: go test -run - -bench Write -benchtime 1x.
func BenchmarkWrite(b *testing.B) {
	path := os.Getenv("TRACEC_BENCH")
	if path == "" {
		needs.Skip(b, "measure a recording (TRACEC_BENCH=FILE)")
	}
	var rows, bytes int64
	for b.Loop() {
		m, err := parquet.Write(b.Context(), b.TempDir(), []parquet.Source{source(path)}, parquet.Options{
			Wide: os.Getenv("TRACEC_BENCH_WIDE") != "", Tables: os.Getenv("TRACEC_BENCH_TABLES") != "",
		})
		if err != nil {
			b.Fatal(err)
		}
		rows, bytes = 0, 0
		for _, f := range m.Sources[0].Files {
			rows, bytes = rows+f.Rows, bytes+f.Bytes
		}
	}
	b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
	b.ReportMetric(float64(bytes)/float64(rows), "bytes/row")
}
