// Command tracec-beam writes recordings to a data set of Parquet files by a pipeline of Apache Beam: see package beam for runners.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/tracec/tracec/export/beam"
)

var (
	input  = flag.String("input", "", "`GLOB` of the recordings, in any file system of Beam")
	output = flag.String("output", "", "`FOLDER` of the data set, which all workers see under this path")
	events = flag.String("events", "", "only events that match one of the `GLOBS` such as 'sched:*,sys_enter_*'")
	host   = flag.String("host", "", "`NAME` of the host of recordings that do not say it")
	wide   = flag.Bool("wide", false, "one table of all events, with their texts")
)

func main() {
	flag.Parse()
	sdk.Init()
	if *input == "" || *output == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "tracec-beam: --input GLOB and --output FOLDER are needed, and nothing else")
		os.Exit(2)
	}
	p, s := sdk.NewPipelineWithRoot()
	o := beam.SetOptions{Host: *host, Wide: *wide, Tool: "tracec-beam"}
	if *events != "" {
		o.Events = strings.Split(*events, ",")
	}
	beam.WriteDataSet(s, *output, beam.Match(s, *input), o)
	if err := beamx.Run(context.Background(), p); err != nil {
		fmt.Fprintln(os.Stderr, "tracec-beam: "+err.Error())
		os.Exit(3)
	}
}
