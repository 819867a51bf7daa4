package tracec_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/tracec/tracec"
)

// A program that prints any recording. The recording was made by LTTng, and is compressed.
func Example() {
	ctx := context.Background()
	rec, err := tracec.Open(ctx, "testdata/lttng/synthetic/v10-compact.tar.xz")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	for ev, err := range rec.Events(ctx, tracec.WithLimit(3)) {
		if err != nil {
			log.Fatal(err)
		}
		text, _ := ev.AppendText(nil)
		fmt.Printf("%d CPU %d %s %s\n", ev.Time, ev.CPU, ev.Type.Label, text)
	}
	// Output:
	// 39093748265 CPU 0 core_marker_id { name = "core_marker_id", id = 0, int = 4, long = 4, pointer = 4, size_t = 4, alignment = 0 }
	// 39093749765 CPU 0 core_marker_format { name = "core_marker_id", format = "name %s id %hu int #1u%zu long #1u%zu pointer #1u%zu size_t #1u%zu alignment #1u%u" }
	// 39093751265 CPU 0 core_marker_id { name = "core_marker_format", id = 1, int = 4, long = 4, pointer = 4, size_t = 4, alignment = 0 }
}

// A program that sums a field.
func ExampleRecording_Events() {
	ctx := context.Background()
	rec, err := tracec.Open(ctx, "testdata/ftrace/made-kmem.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	sum := map[string]int64{}
	for ev, err := range rec.Events(ctx, tracec.WithEvents("kmem:*")) {
		if err != nil {
			log.Fatal(err)
		}
		if bytes, ok := ev.Field("bytes_alloc"); ok {
			sum[ev.Type.Name] += bytes.Int()
		}
	}
	fmt.Println(sum)
	// Output: map[kmalloc:320 kmalloc_node:64 kmem_cache_alloc:264 kmem_cache_alloc_node:64]
}

// A recording of AIX does not describe its events or their threads. Templates and layouts describe
// them.
func ExampleOpen_aix() {
	ctx := context.Background()
	rec, err := tracec.Open(ctx, "testdata/aix/shop64.trc",
		tracec.WithTemplates("testdata/aix/shop.trcfmt"), tracec.WithLayouts("testdata/aix/shop.layouts"))
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	picker := tracec.WithFilter(`PICK BEGIN: COMM == "picker" && order < 7004`)
	for ev, err := range rec.Events(ctx, tracec.WithThreads(), picker) {
		if err != nil {
			log.Fatal(err)
		}
		order, _ := ev.Field("order")
		fmt.Println(ev.Process(), ev.Comm(), ev.Type.Label, order)
	}
	// Output:
	// 4713 picker PICK BEGIN 7001
	// 4713 picker PICK BEGIN 7002
	// 4713 picker PICK BEGIN 7003
}

// A recording in a file system, such as one that is embedded in a program.
func ExampleOpenFS() {
	ctx := context.Background()
	rec, err := tracec.OpenFS(ctx, os.DirFS("testdata/ftrace"), "amd64-date.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	for ev, err := range rec.Events(ctx, tracec.WithEvents("sched_process_exec"), tracec.WithWindow("", "-0.1s")) {
		if err != nil {
			log.Fatal(err)
		}
		name, _ := ev.Field("filename")
		fmt.Println(rec.System(), name)
	}
	// Output:
	// ftrace /usr/bin/sh
	// ftrace /usr/bin/mkdir
	// ftrace /bin/true
	// ftrace /usr/bin/sleep
}
