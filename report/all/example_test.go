package all_test

import (
	"context"
	"log"
	"os"

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
