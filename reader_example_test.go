package dynamic_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// A recording of any of the four systems, printed. It may be packed.
func Example() {
	rec, err := tracec.Open(context.Background(), "../../testdata/lttng/synthetic/v10-compact.tar.xz")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	r, err := dynamic.NewReader(rec)
	if err != nil {
		log.Fatal(err)
	}
	n := 0
	for ev := range r.All() {
		text, _ := ev.AppendText(nil)
		fmt.Printf("%d CPU %d %s:%s %s\n", ev.Time, ev.CPU, ev.Type.System, ev.Type.Name, text)
		if n++; n == 3 {
			break
		}
	}
	// Output:
	// 39093748265 CPU 0 :core_marker_id { name = "core_marker_id", id = 0, int = 4, long = 4, pointer = 4, size_t = 4, alignment = 0 }
	// 39093749765 CPU 0 :core_marker_format { name = "core_marker_id", format = "name %s id %hu int #1u%zu long #1u%zu pointer #1u%zu size_t #1u%zu alignment #1u%u" }
	// 39093751265 CPU 0 :core_marker_id { name = "core_marker_format", id = 1, int = 4, long = 4, pointer = 4, size_t = 4, alignment = 0 }
}

// A field, summed up by its name.
func ExampleEvent_Field() {
	rec, err := tracec.Open(context.Background(), "../../testdata/ftrace/made-kmem.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	r, err := dynamic.NewReader(rec)
	if err != nil {
		log.Fatal(err)
	}
	sum := map[string]int64{}
	for ev := range r.All() {
		if v, ok := ev.Field("bytes_alloc"); ok {
			sum[ev.Type.Name] += v.Int()
		}
	}
	fmt.Println(sum)
	// Output: map[kmalloc:320 kmalloc_node:64 kmem_cache_alloc:264 kmem_cache_alloc_node:64]
}

// The events that pass a filter, in the language of trace-cmd report -F.
func ExampleWithFilter() {
	rec, err := tracec.Open(context.Background(), "../../testdata/ftrace/made-kmem.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	r, err := dynamic.NewReader(rec, dynamic.WithFilter(`kmem/kmalloc.*: bytes_alloc - bytes_req > 13 && COMM ~ "ei*"`))
	if err != nil {
		log.Fatal(err)
	}
	for ev := range r.All() {
		req, _ := ev.Field("bytes_req")
		fmt.Println(ev.Type.Name, req)
	}
	// Output:
	// kmalloc_node 50
	// kmalloc 50
}

// A Matcher decides about records that something else reads, such as a generated Decoder:
//
//	for r, e := range decoder.Events(ctx, record.Options{IDs: m.IDs()}) {
//		if !m.Match(r, nil) {
//			continue
//		}
//		…
//
// The ids that may pass are for its record.Options.
func ExampleMatcher() {
	rec, err := ftrace.Open("../../testdata/ftrace/made-kmem.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	m, err := dynamic.NewMatcher(rec, dynamic.WithFilter("kmalloc: bytes_req >= 50"))
	if err != nil {
		log.Fatal(err)
	}
	read, passed := 0, 0
	merge := rec.Merge(ftrace.StreamOptions{Options: record.Options{IDs: m.IDs()}})
	for r := range merge.All() {
		if read++; m.Match(r, nil) {
			passed++
		}
	}
	fmt.Println(passed, "of", read, merge.Err())
	// Output: 3 of 5 <nil>
}
