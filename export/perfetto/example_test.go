package perfetto_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/perfetto"
)

// Convert the events of the scheduler in a recording for ui.perfetto.dev.
func ExampleWrite() {
	rec, err := tracec.Open(context.Background(), "../../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec, tracec.WithEvents("sched:*"), tracec.WithThreads())
	if err != nil {
		log.Fatal(err)
	}
	var trace bytes.Buffer // usually a file: trace.perfetto
	if err := perfetto.Write(&trace, r, perfetto.Options{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(trace.Len() > 20_000)
	// Output: true
}
