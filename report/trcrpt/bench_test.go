package trcrpt

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/aix"
)

const benchTemplates = `
010 1.0 L=APPL "USER EVENT" O2.0 "iteration =" U4
1B1 1.0 L=KERN "VMM page delete:" O2.0 "V.S=" X4 "ppage" X4 "flags" X4 \
	BITFLAGS X4, 1 "a" "b", 2 "c", 80 "deleted"
200 2.1 L=SVC "resume" O2.0 U4 X4 U4 $D1%X4, 1 "one", 2 "two", \* "more"
F5F 1.0 L=INT "intr" HT, 8000 "stamped", \* "other" X2 D4
`

// benchStream returns a stream of n mixed hooks.
func benchStream(n int, kernel64 bool) []byte {
	var out bytes.Buffer
	w := aix.NewWriter(&out, aix.WriterOptions{Kernel64: kernel64})
	w.App64, w.CPU, w.TID = kernel64, -1, 0x3A5B
	for i := range n {
		w.Now += 5376
		switch d := uint64(i); i & 3 {
		case 0:
			w.TRCHKL1T(0x01000000, d)
		case 1:
			w.TRCHKL4T(0x1B100007, d, d+1, 3, 0x81)
		case 2:
			w.TRCHKL5T(0x20000000, d, 2, 3, 4, 5)
		case 3:
			w.TRCHKL2T(0xF5F00003, d, 7)
		}
	}
	if err := w.Flush(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// testReport prints a recording in memory.
func testReport(t testing.TB, o Options, data []byte, out io.Writer) error {
	job := &report.Job{Job: sources.Job{Path: "-", Stdin: bytes.NewReader(data), Warn: func(err error) { t.Log(err) }},
		Out: out}
	o.Inputs = []string{"-"}
	return Run(context.Background(), &o, job)
}

func templateFile(t testing.TB, text string) []string {
	name := filepath.Join(t.TempDir(), "test.trcfmt")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return []string{name}
}

func BenchmarkReport(b *testing.B) {
	const n = 200_000
	for _, k := range []struct {
		name string
		is64 bool
	}{{"32", false}, {"64", true}} {
		b.Run(k.name, func(b *testing.B) {
			data := benchStream(n, k.is64)
			o := Options{Templates: templateFile(b, benchTemplates)}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := testReport(b, o, data, io.Discard); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mhooks/s")
		})
	}
}

// TestReportAllocations: an event does not allocate, with any columns.
func TestReportAllocations(t *testing.T) {
	o := Options{Templates: templateFile(t, benchTemplates),
		Settings: Settings{Exec: true, PID: true, TID: true, CPUID: true, SVC: true}}
	count := func(n int) float64 {
		data := benchStream(n, true)
		return testing.AllocsPerRun(3, func() {
			if err := testReport(t, o, data, io.Discard); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := count(1000), count(50_000); many-few > 100 {
		t.Errorf("%v allocations for 1000 events, %v for 50000", few, many)
	}
}
