package ndjson_test

import (
	"context"
	"log"
	"os"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/ndjson"
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
	if err := ndjson.Write(os.Stdout, r, ndjson.Options{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"time":200235201227,"cpu":0,"task":757,"process":null,"comm":"trace-cmd","system":"irq","event":"softirq_raise","lost":0,"fields":{"common_flags":9,"common_preempt_count":0,"vec":9,"vec_name":"RCU"}}
	// {"time":200236005871,"cpu":0,"task":0,"process":null,"comm":"<idle>","system":"irq","event":"softirq_raise","lost":0,"fields":{"common_flags":9,"common_preempt_count":1,"vec":7,"vec_name":"SCHED"}}
}
