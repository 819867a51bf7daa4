package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usage returns the end of a command's help: the options that concern the command, then those that all commands have. The usage of an
// option that concerns some commands only begins with their names: "report, graph: ...".
func (u *uftraceFlags) usage(cmd *cobra.Command) error {
	own, common := pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	own.SortFlags, common.SortFlags = false, false
	u.set.VisitAll(func(f *pflag.Flag) {
		switch names, usage := concerns(f); {
		case len(names) == 0:
			common.AddFlag(f)
		case slices.Contains(names, cmd.Name()):
			c := *f
			c.Usage = usage
			own.AddFlag(&c)
		}
	})
	own.AddFlag(cmd.Flags().Lookup("help"))
	_, err := fmt.Fprintf(cmd.OutOrStderr(), "Usage:\n  %s\n\nFlags:\n%s\nCommon Flags:\n%s\n%s\n", cmd.UseLine(),
		own.FlagUsages(), common.FlagUsages(),
		`Flags of the other commands are accepted and do nothing. "tracec uftrace --help" lists them.`)
	return err
}

// concerns returns the commands that an option concerns, none for all of them, and its usage without their names.
func concerns(f *pflag.Flag) (names []string, usage string) {
	list, usage, ok := strings.Cut(f.Usage, ": ")
	if !ok {
		return nil, f.Usage
	}
	names = strings.Split(list, ", ")
	for _, name := range names {
		if !slices.ContainsFunc(uftraceSubcommands, func(d uftraceCommand) bool { return strings.Fields(d.use)[0] == name }) {
			return nil, f.Usage
		}
	}
	return names, usage
}
