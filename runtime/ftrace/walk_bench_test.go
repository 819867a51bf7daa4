package ftrace

import (
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
)

// BenchmarkPageWalk walks sub-buffers in the cache, to measure the loop itself.
func BenchmarkPageWalk(b *testing.B) {
	file := needs.Shared(b, "ftrace/bookworm-6.1-amd64/sched-irq-timer-syscalls.dat")
	rec, err := Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer rec.Close()
	buf := rec.buffers[0]
	var pages [][]byte
	err = buf.Pages(&buf.CPUs[0], func(p []byte) error {
		pages = append(pages, append([]byte(nil), p...))
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	pages = pages[:min(len(pages), 32)]
	for _, loop := range []struct {
		name string
		walk func(p *page, dst []record.Record) (int, fault)
	}{
		{"plain", fast(nil)},
		{"any", func(p *page, dst []record.Record) (int, fault) { return p.walkAny(&buf.layout, dst) }},
	} {
		b.Run(loop.name, func(b *testing.B) {
			dst := make([]record.Record, batchSize)
			n := 0
			for b.Loop() {
				var p page
				for _, raw := range pages {
					p.enter(&buf.layout, raw, len(raw))
					for !p.ended() {
						got, _ := loop.walk(&p, dst)
						n += got
					}
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(n), "ns/event")
		})
	}
}
