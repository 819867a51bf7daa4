// Command tracec-parquet is tracec with what writes data sets of Parquet files: tracec export --to parquet runs it. It is in a module of its own, so that those
// who build tracec do not pay for the library that does it.
package main

import (
	"context"
	"math"
	"runtime/debug"

	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/report"
)

// memory is how much the process takes before the garbage collector works harder: twice what it needs for most recordings. GOMEMLIMIT sets another limit.
const memory = 100 << 20

func main() { command.MainWith(write) }

func write(ctx context.Context, dir string, sources []command.ParquetSource, o command.ParquetOptions) error {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(memory)
	}
	list := make([]parquet.Source, len(sources))
	for i, s := range sources {
		if s.Path == "-" {
			return report.Usagef("a data set is made of files, not of standard input: a recording in it is known by its path and contents")
		}
		list[i] = parquet.Source{Path: s.Path, Chosen: s.Chosen, Open: s.Open}
	}
	_, err := parquet.Write(ctx, dir, list, parquet.Options{
		Wide: o.Wide, Text: o.Text, Host: o.Host, Resume: o.Resume, Workers: o.Workers, Tool: o.Tool, Warn: o.Warn,
	})
	return err
}
