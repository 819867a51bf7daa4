package command

import (
	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report/tracecmd/plugin"
)

func newTraceCmdOptions() *cobra.Command {
	return &cobra.Command{
		Use:  "options",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(plugin.AppendOptions(nil))
			return err
		},
	}
}

// recordingTraceCmds are the recording commands of trace-cmd. tracec live replaces them.
var recordingTraceCmds = []string{"record", "start", "stream", "extract", "profile"}

// absentTraceCmds are missing commands of trace-cmd, with their replacements. The message shows the
// replacement on a separate line.
var absentTraceCmds = map[string]string{
	"list":         "tracec list FILE",
	"check-events": "tracec trace-cmd report --check-events FILE",
	"hist":         "tracec trace-cmd report --profile FILE",
	"restore":      "a trace.dat of a killed recorder is read directly; files of single CPUs are not",
	"attach":       "tracec trace-cmd report -i HOST -i GUEST",
	"show":         "tracec live -e GLOBS",
	"stat":         "tracec live",
	"snapshot":     "tracec live -o FILE -e GLOBS",
	"stack":        "tracec live --tracer function -T",
	"sqlhist":      "tracec export --to parquet -o DIR FILE",
	"set":          "tracec live",
	"stop":         "tracec live ends with Ctrl-C, --for or its command",
	"restart":      "tracec live",
	"reset":        "tracec live --clean",
	"clear":        "tracec live --clean",
	"listen":       "tracec live -o FILE, on the machine that is traced",
	"agent":        "tracec live -o FILE, on the machine that is traced",
	"setup-guest":  "tracec live -o FILE, on the machine that is traced",
}

// addAbsentTraceCmds adds the missing commands. They report their replacements.
func addAbsentTraceCmds(parent *cobra.Command) {
	absent := func(name string, why func(args []string) error) {
		parent.AddCommand(&cobra.Command{
			Use: name, Hidden: true, DisableFlagParsing: true,
			RunE: func(_ *cobra.Command, args []string) error { return why(args) },
		})
	}
	for _, name := range recordingTraceCmds {
		absent(name, func(args []string) error { return recordElsewhere(name, args) })
	}
	for name, instead := range absentTraceCmds {
		absent(name, func([]string) error { return usagef("trace-cmd %s: not here\n  %s", name, instead) })
	}
}
