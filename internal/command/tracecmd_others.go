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

// liveTraceCmds are the commands of trace-cmd that work on the running kernel, of which tracec has none.
var liveTraceCmds = []string{
	"record", "set", "start", "extract", "stop", "restart", "show", "reset", "clear", "stream", "profile", "stat", "listen", "agent",
	"setup-guest", "snapshot", "stack", "sqlhist",
}

// absentTraceCmds are those that would make sense on files, with what does their work.
var absentTraceCmds = map[string]string{
	"list": "works on the running kernel; tracec list FILE lists the events of a recording, and tracec trace-cmd options " +
		"the options of plugins",
	"check-events": "works on the running kernel; tracec trace-cmd report --check-events FILE checks the events of a recording, " +
		"and tracec vet DIR a directory of format files",
	"hist": "is not there: tracec trace-cmd report --profile FILE sums events by task with their stacks, and tracec info FILE " +
		"counts those of every CPU",
	"restore": "is not there: what a killed recorder left of a trace.dat can be read as it is, its files of single CPUs cannot",
	"attach":  "is not there: tracec trace-cmd report -i HOST -i GUEST shows both recordings together",
}

// addAbsentTraceCmds lets the other commands say in one sentence what is not there.
func addAbsentTraceCmds(parent *cobra.Command) {
	absent := func(name, why string) {
		parent.AddCommand(&cobra.Command{
			Use: name, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error { return usagef("trace-cmd %s %s", name, why) },
		})
	}
	for _, name := range liveTraceCmds {
		absent(name, "works on the running kernel: tracec reads recordings, by trace-cmd report, dump, mem, split and convert")
	}
	for name, why := range absentTraceCmds {
		absent(name, why)
	}
}
