package command

import (
	"slices"

	"github.com/spf13/cobra"
)

// AddCommand sets the constructor of a command that only tracec has.
func AddCommand(name string, new func() *cobra.Command) {
	i := slices.IndexFunc(commands, func(c lazyCommand) bool { return c.name == name })
	commands[i].new = new
}

// AddFormats adds formats of tracec export.
func AddFormats(formats ...ExportFormat) { exportFormats = append(exportFormats, formats...) }

// exportFormats are the formats of tracec export.
var exportFormats []ExportFormat

// ValueUsage is the usage text of --value in open and export.
const ValueUsage = "`NAME` sum up self (time), calls, a field or an event of perf"
