package ftrace_test

import (
	"errors"
	"io"
	"os"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// benchFile is $TRACEC_BENCH, a long recording made by cmd/internal/stretch, or a short one.
func benchFile(b *testing.B) string {
	if f := os.Getenv("TRACEC_BENCH"); f != "" {
		return f
	}
	return needs.Shared(b, "ftrace/bookworm-6.1-amd64/sched-irq-timer-syscalls.dat")
}

func benchmark(b *testing.B, run func(b *testing.B, rec *ftrace.Recording) int, opts ...ftrace.OpenOption) {
	file := benchFile(b)
	st, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	rec, err := ftrace.Open(file, opts...)
	if err != nil {
		b.Fatal(err)
	}
	defer rec.Close()
	b.SetBytes(st.Size())
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n += run(b, rec)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mev/s")
}

// perCPU walks one stream after the other and reads every record.
func perCPU(b *testing.B, rec *ftrace.Recording) (n int) {
	var sum uint64
	for _, s := range rec.Streams(ftrace.StreamOptions{}) {
		for {
			batch, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			for i := range batch.Records {
				sum += uint64(batch.Records[i].ID)
			}
			n += len(batch.Records)
		}
	}
	return n + int(sum&1)
}

func merged(b *testing.B, rec *ftrace.Recording) (n int) {
	var sum uint64
	m := record.Merge(rec.Streams(ftrace.StreamOptions{}), nil)
	for {
		run, _, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			return n + int(sum&1)
		}
		if err != nil {
			b.Fatal(err)
		}
		for i := range run {
			sum += uint64(run[i].ID)
		}
		n += len(run)
	}
}

func BenchmarkWalk(b *testing.B)       { benchmark(b, perCPU) }
func BenchmarkWalkInTime(b *testing.B) { benchmark(b, merged) }

// BenchmarkOpen opens the recording with the most formats.
func BenchmarkOpen(b *testing.B) {
	f := needs.Shared(b, "ftrace/sid-amd64/blk-tracer.dat")
	b.ReportAllocs()
	for b.Loop() {
		rec, err := ftrace.Open(f)
		if err != nil {
			b.Fatal(err)
		}
		rec.Close()
	}
}

func BenchmarkSymbols(b *testing.B) {
	rec, err := ftrace.Open(needs.Shared(b, "ftrace/bookworm-6.1-amd64/function-all.dat"))
	if err != nil {
		b.Fatal(err)
	}
	defer rec.Close()
	text := rec.Kallsyms()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		ftrace.ParseSymbols(text)
	}
}

func BenchmarkLookup(b *testing.B) {
	rec, err := ftrace.Open(needs.Shared(b, "ftrace/bookworm-6.1-amd64/function-all.dat"))
	if err != nil {
		b.Fatal(err)
	}
	defer rec.Close()
	s := rec.Symbols()
	addr := uint64(0xffffffff81000000)
	b.ReportAllocs()
	for b.Loop() {
		s.Lookup(addr)
		if addr += 4096 + 7; addr > 0xffffffff82000000 {
			addr -= 0x1000000
		}
	}
}
