// Command tracec-beam turns recordings into one data set of Parquet files on a runner of Apache
// Beam. See package beam for what works where.
//
//	tracec-beam --input '/shared/recordings/*.dat' --output /shared/traces [--host NAME] [--wide] [--text] [flags of Beam]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/tracec/tracec/export/beam"
	"github.com/tracec/tracec/export/parquet"
)

var (
	input  = flag.String("input", "", "glob of recordings, in any file system of Beam")
	output = flag.String("output", "", "folder of the data set, which all workers share")
	host   = flag.String("host", "", "partition of recordings that do not say their host")
	wide   = flag.Bool("wide", false, "one table of all events")
	text   = flag.Bool("text", false, "with the text of events")
)

func main() {
	flag.Parse()
	sdk.Init()
	if *input == "" || *output == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: tracec-beam --input GLOB --output DIR [--host NAME] [--wide] [--text] [flags of Beam]")
		os.Exit(2)
	}
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "tracec-beam:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	p, s := sdk.NewPipelineWithRoot()
	tool := "tracec-beam"
	if info, ok := debug.ReadBuildInfo(); ok {
		tool += " " + info.Main.Version
	}
	beam.WriteDataSet(s, beam.Match(s, *input), *output,
		beam.Options{Wide: *wide, Text: *text, Host: *host, Tool: tool})
	if err := beamx.Run(ctx, p); err != nil {
		return err
	}
	return failures(*output)
}

// failures returns an error about missing recordings in the manifest. A job that is still running
// has no manifest yet.
func failures(dir string) error {
	m, err := parquet.ReadManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var failed []error
	for _, e := range m.Sources {
		for _, text := range e.Errors {
			failed = append(failed, errors.New(text)) // begins with the path
		}
	}
	return errors.Join(failed...)
}
