package filter_test

import (
	"fmt"
	"log"

	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// A filter over records of four bytes.
func Example() {
	filters, err := filter.Parse([]string{`sched/.*: prio < 100 && COMM ~ "kworker*"`})
	if err != nil {
		log.Fatal(err)
	}
	prio := &ir.Field{Name: "prio", Kind: ir.Int, Size: 4, Signed: true}
	p := filters.Compile(&filter.Event{
		System: "sched", Names: []string{"sched_switch"}, IR: &ir.Event{Fields: []*ir.Field{prio}},
		Target: ir.Target{WordSize: 8},
	})
	s := filter.NewSubject(&render.Env{WordSize: 8})
	s.Comm = []byte("kworker/0:1")
	for _, prio := range []byte{50, 120} {
		fmt.Println(prio, p.Pass(s, &record.Record{Data: []byte{prio, 0, 0, 0}}))
	}
	// Output:
	// 50 true
	// 120 false
}
