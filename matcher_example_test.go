package tracec_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// The events that pass a filter, in the language of trace-cmd report -F.
func ExampleWithFilter() {
	ctx := context.Background()
	rec, err := tracec.Open(ctx, "testdata/ftrace/made-kmem.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	filter := tracec.WithFilter(`kmem/kmalloc.*: bytes_alloc - bytes_req > 13 && COMM ~ "ei*"`)
	for ev, err := range rec.Events(ctx, filter) {
		if err != nil {
			log.Fatal(err)
		}
		req, _ := ev.Field("bytes_req")
		fmt.Println(ev.Type.Name, req)
	}
	// Output:
	// kmalloc_node 50
	// kmalloc 50
}

// A Matcher checks records that another program reads, such as a generated Decoder:
//
//	for r, e := range decoder.Events(ctx, record.Options{IDs: m.IDs()}) {
//		if !m.Match(r, nil) {
//			continue
//		}
//		…
//
// IDs returns the ids that may pass, for its record.Options.
func ExampleMatcher() {
	rec, err := ftrace.Open("testdata/ftrace/made-kmem.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	m, err := tracec.NewMatcher(rec, tracec.WithFilter("kmalloc: bytes_req >= 50"))
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
