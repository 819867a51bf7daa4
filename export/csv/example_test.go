package csv_test

import (
	"context"
	"log"
	"os"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/csv"
	"github.com/tracec/tracec/runtime/record"
)

func ExampleWrite() {
	rec, err := tracec.Open(context.Background(), "../../testdata/ftrace/amd64-syscalls.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec, tracec.WithEvents("softirq_raise"), tracec.WithThreads(),
		tracec.WithRecords(record.Options{Until: 200_236_100_000}))
	if err != nil {
		log.Fatal(err)
	}
	if err := csv.Write(os.Stdout, r, csv.Options{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// time,cpu,task,process,comm,system,event,lost,common_flags,common_preempt_count,vec,vec_name
	// 200235201227,0,757,,trace-cmd,irq,softirq_raise,0,9,0,9,RCU
	// 200236005871,0,0,,<idle>,irq,softirq_raise,0,9,1,7,SCHED
}
