package lttng_test

import (
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// A trace of 2.6 with a marker in the channel kernel is written, then read back in time order.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "trace")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := writeTrace(dir); err != nil {
		log.Fatal(err)
	}

	rec, err := lttng.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	m := rec.Merge(record.Options{})
	for r, e := range m.All() {
		if x := e.Marker; x != nil && x.Channel == "kernel" {
			fmt.Printf("%d ns, CPU %d: %s, %d bytes of %q\n", r.Time, r.CPU, x.Name, len(r.Data), x.Format)
		}
	}
	if err := m.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.Traces()[0].Info().Dialect, "with", rec.DamageStats().Count, "places that could not be read")
	// Output:
	// 1000 ns, CPU 1: irq_entry, 8 bytes of "irq_id %u kernel_mode %u"
	// 2500 ns, CPU 0: irq_entry, 8 bytes of "irq_id %u kernel_mode %u"
	// 2.6 with 0 places that could not be read
}

// writeTrace writes a trace of two processors whose time stamps are nanoseconds.
func writeTrace(dir string) error {
	w, err := lttng.NewWriter(lttng.CreateIn(dir), lttng.Layout{
		Dialect: lttng.V26, WordSize: 8, Alignment: 8, BlockSize: 4096, CPUs: 2, Freq: 1_000_000_000,
	})
	if err != nil {
		return err
	}
	irq, err := w.Marker("kernel", "irq_entry", "irq_id %u kernel_mode %u")
	if err != nil {
		return err
	}
	return errors.Join(w.Event(1, irq, 1000, 20, 1), w.Event(0, irq, 2500, 14, 0), w.Close())
}
