package all_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
)

// What tracec report prints of one kind of event.
func Example() {
	job := &report.Job{
		Path: "../../testdata/ftrace/amd64-date.dat", Systems: all.Systems(), Out: os.Stdout,
		Warn: func(err error) { log.Print(err) },
	}
	ctx := context.Background()
	sys, err := job.Find(ctx)
	if err != nil {
		log.Fatal(err)
	}
	err = sys.Report(ctx, job, &report.Options{Events: []string{"sched_process_exec"}})
	if err := job.Finish(err); err != nil {
		log.Fatal(err)
	}
	// Output:
	// cpus=2
	//               sh-627   [001] 1795228871.391877: sched_process_exec:   filename=/usr/bin/sh pid=627 old_pid=627
	//            mkdir-628   [000] 1795228871.439640: sched_process_exec:   filename=/usr/bin/mkdir pid=628 old_pid=628
	//             true-629   [000] 1795228871.488420: sched_process_exec:   filename=/bin/true pid=629 old_pid=629
	//            sleep-630   [000] 1795228871.527562: sched_process_exec:   filename=/usr/bin/sleep pid=630 old_pid=630
	//               rm-631   [000] 1795228871.592140: sched_process_exec:   filename=/usr/bin/rm pid=631 old_pid=631
}

// A recording of AIX does not say what its events mean, nor whose they are: templates and layouts do.
func ExampleOpen() {
	rec, err := all.Open(context.Background(), "../../testdata/aix/shop64.trc", report.OpenOptions{
		Templates: []string{"../../testdata/aix/shop.trcfmt"}, Layouts: "../../testdata/aix/shop.layouts",
	})
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	r, err := dynamic.NewReader(rec, dynamic.WithThreads(), dynamic.WithFilter(`PICK BEGIN: COMM == "picker" && order < 7004`))
	if err != nil {
		log.Fatal(err)
	}
	for ev := range r.All() {
		order, _ := ev.Field("order")
		fmt.Println(ev.Process(), ev.Comm(), ev.Type.Label, order)
	}
	if err := r.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 4713 picker PICK BEGIN 7001
	// 4713 picker PICK BEGIN 7002
	// 4713 picker PICK BEGIN 7003
}
