package tracec_test

import (
	"context"
	"fmt"
	"log"
	"maps"
	"os"
	"slices"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// How long each processor was in soft interrupts, by their names.
func Example_softirq() {
	rec, err := tracec.Open(context.Background(), "testdata/ftrace/amd64-extract.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec)
	if err != nil {
		log.Fatal(err)
	}
	entered, spent := map[int32]uint64{}, map[string]uint64{} // ns, by processor and by name
	for ev := range r.All() {
		switch ev.Type.Name {
		case "softirq_entry":
			entered[ev.CPU] = ev.Time
		case "softirq_exit":
			if start, ok := entered[ev.CPU]; ok {
				vec, _ := ev.Field("vec")
				name, _ := vec.AppendName(nil)
				spent[fmt.Sprintf("CPU %d %s", ev.CPU, name)] += ev.Time - start
				delete(entered, ev.CPU)
			}
		}
	}
	if err := r.Err(); err != nil {
		log.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(spent)) {
		fmt.Printf("%s: %d µs\n", name, spent[name]/1000)
	}
	// Output:
	// CPU 0 RCU: 6531 µs
	// CPU 0 SCHED: 3678 µs
	// CPU 0 TIMER: 4529 µs
	// CPU 1 RCU: 16564 µs
	// CPU 1 SCHED: 1481 µs
	// CPU 1 TIMER: 3172 µs
}

// How many events of each hook an AIX trace has in each millisecond.
func Example_rates() {
	text, err := os.ReadFile("testdata/aix/shop.trcfmt")
	if err != nil {
		log.Fatal(err)
	}
	file, errs := grammar.Parse("shop.trcfmt", text)
	if len(errs) > 0 {
		log.Fatal(errs)
	}
	templates, _ := trcfmt.Compile("shop.trcfmt", trcfmt.Options{}, file)
	rec, err := tracec.Open(context.Background(), "testdata/aix/shop64.trc")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec, tracec.WithHooks(templates))
	if err != nil {
		log.Fatal(err)
	}
	counts := map[string]float64{}
	var first, last uint64
	for ev := range r.All() {
		if templates.Hook(uint16(ev.ID)) == nil { // built-in templates describe the hooks of the trace facility itself
			continue
		}
		if first == 0 {
			first = ev.Time
		}
		last = ev.Time
		counts[ev.Type.Label]++
	}
	for _, label := range slices.Sorted(maps.Keys(counts)) {
		fmt.Printf("%s: %.2f\n", label, counts[label]/(float64(last-first)/1e6))
	}
	// Output:
	// FLAGS: 1.57
	// ORDER: 1.57
	// PICK BEGIN: 1.57
	// PICK END: 1.57
	// PRINTER: 0.28
	// STATE: 6.27
	// STOCK: 3.63
	// WORKER: 0.36
}
