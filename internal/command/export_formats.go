package command

import (
	"io"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/export/perfetto"
)

// exportFormats are the formats of tracec export.
var exportFormats = []exportFormat{
	{name: "parquet", help: "a data set of Parquet files for SQL, with a manifest: -o is its folder"},
	{
		name: "perfetto", ext: ".perfetto-trace", help: "a trace for ui.perfetto.dev and Perfetto's trace processor",
		write: func(w io.Writer, r *dynamic.Reader, o *exportOptions) error {
			return perfetto.Write(w, r, perfetto.Options{Workers: o.workers})
		},
	},
}
