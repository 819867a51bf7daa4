package command

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Tree returns all commands, those for the completion of shells included. What documents them is made of it.
func Tree() *cobra.Command {
	root := newRoot()
	root.InitDefaultCompletionCmd("tracec") // which cobra adds to a command that runs
	initHelpFlags(root)
	return root
}

func initHelpFlags(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	for _, sub := range c.Commands() {
		initHelpFlags(sub)
	}
}

// Options returns the options that concern a command: its own, and those that it shares with others.
func Options(c *cobra.Command) (own, common *pflag.FlagSet) {
	own, common = pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	own.SortFlags, common.SortFlags = false, false
	c.NonInheritedFlags().VisitAll(own.AddFlag)
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		names, usage := concerns(f)
		switch {
		case c.Parent().Name() != "uftrace" || len(names) == 0:
			common.AddFlag(f)
		case slices.Contains(names, c.Name()):
			copied := *f
			copied.Usage = usage
			own.AddFlag(&copied)
		}
	})
	return own, common
}
