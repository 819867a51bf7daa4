package command

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Tree returns all commands, for documents.
func Tree() *cobra.Command { return newRoot() }

// Section is a group of options of a command.
type Section struct {
	Title string
	Flags *pflag.FlagSet
	block string
}

// Options returns the options of a command: its own, then the blocks that it shares with other
// commands.
func Options(c *cobra.Command) []Section {
	list := []Section{
		{Title: "Flags"}, {Title: "Flags of all commands"},
		{Title: "Select events", block: selectBlock}, {Title: "Select rows", block: rowsBlock},
		{Title: "Output", block: outputBlock},
		{Title: "Recording (tracec help recordings)", block: recordingBlock},
		{Title: "Resources", block: resourceBlock},
	}
	for i := range list {
		list[i].Flags = pflag.NewFlagSet("", pflag.ContinueOnError)
		list[i].Flags.SortFlags = false
	}
	own, common := list[0].Flags, list[1].Flags
	add := func(to *pflag.FlagSet) func(f *pflag.Flag) {
		return func(f *pflag.Flag) {
			if f.Name == "help" || f.Hidden {
				return
			}
			if b := f.Annotations[blockOf]; b != nil {
				to = list[slices.IndexFunc(list, func(s Section) bool { return s.block == b[0] })].Flags
			}
			to.AddFlag(f)
		}
	}
	c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) { add(own)(f) })
	c.VisitParents(func(p *cobra.Command) {
		p.PersistentFlags().VisitAll(func(f *pflag.Flag) {
			switch names, usage := concerns(f); {
			case len(names) == 0:
				add(common)(f)
			case slices.Contains(names, c.Name()):
				copied := *f
				copied.Usage = usage
				add(own)(&copied)
			}
		})
	})
	return slices.DeleteFunc(list, func(s Section) bool { return !s.Flags.HasFlags() })
}
