// Command tracec-parquet is the command tracec with what writes data sets of Parquet files. tracec export --to parquet runs it when it lies beside tracec, or
// in the path; it can take the place of tracec, too.
package main

import (
	"context"

	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/internal/command"
)

func main() { command.MainWith(write) }

// write is a command.Parquet.
func write(ctx context.Context, dir string, sources []command.ParquetSource, o command.ParquetOptions) error {
	var list []parquet.Source
	for _, s := range sources {
		list = append(list, parquet.Source{Path: s.Path, Chosen: s.Chosen, Open: s.Open})
	}
	_, err := parquet.Write(ctx, dir, list, parquet.Options{
		Wide: o.Wide, Text: o.Text, Host: o.Host, Resume: o.Resume, Tool: o.Tool, Workers: o.Workers, Warn: o.Warn,
	})
	return err
}
