//go:build unix

package ctf_test

import (
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/tracec/tracec/internal/testkit/ctftest/repeat"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// repeated returns a trace of LTTng with about size bytes in its streams. It repeats the packets of
// the trace, each time later by a multiple of 2^32 cycles.
func repeated(t testing.TB, size int) fstest.MapFS {
	files := sample(t, "lttng", "lttng-2.13.ust-channels")
	for path, f := range files {
		switch {
		case strings.HasSuffix(path, ".idx"):
			delete(files, path)
		case strings.Contains(path, "many_"):
			f.Data = repeat.Packets(f.Data, size/2)
		}
	}
	return files
}

// cpu returns the CPU time that the process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkMerge(b *testing.B) {
	rec, err := ctf.OpenFS(repeated(b, 74<<20), "big")
	if err != nil {
		b.Fatal(err)
	}
	n, begin := 0, cpu()
	for b.Loop() {
		if err := rec.Merge(record.Options{}).EachRun(func(r []record.Record,
			_ []ctf.Entry) error {
			n += len(r)
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	if rec.DamageStats().Count > 0 {
		b.Fatal(rec.Damage()[0])
	}
	b.ReportMetric(float64(n)/(cpu()-begin).Seconds()/1e6, "Mevents/cpu-s")
}

func BenchmarkSlices(b *testing.B) {
	rec, err := ctf.OpenFS(repeated(b, 74<<20), "big")
	if err != nil {
		b.Fatal(err)
	}
	n, begin := 0, cpu()
	for b.Loop() {
		err := record.InSlices(b.Context(), rec.Slices(record.Options{Workers: 2}, 0), 2,
			func(_ int, s record.Slice[ctf.Entry]) (n int, err error) {
				return n, s.Merge().EachRun(func(r []record.Record, _ []ctf.Entry) error { n += len(r); return nil })
			}, func(k int) error { n += k; return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/(cpu()-begin).Seconds()/1e6, "Mevents/cpu-s")
}
