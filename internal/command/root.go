package command

import (
	"slices"

	"github.com/spf13/cobra"
)

// groups are the groups of commands, in the order of the help.
var groups = []*cobra.Group{
	{ID: "read", Title: "Read"}, {ID: "ask", Title: "Ask"}, {ID: "write", Title: "Write"},
	{ID: "develop", Title: "Develop"},
	{ID: "replace", Title: "Replace, with the tool's own options"}, {ID: "other", Title: "Other"},
}

// lazyCommand is a command of tracec that is created on demand.
type lazyCommand struct {
	name, group string
	new         func() *cobra.Command
}

// commands lists all commands, in the order of the help.
var commands = []lazyCommand{
	{"stat", "read", newStat}, {"report", "read", newReport}, {"info", "read", newInfo}, {"list", "read", newList},
	{"view", "read", nil}, {"open", "read", nil}, {"live", "read", newLive}, // package exports sets the nil ones
	{"latency", "ask", nil}, {"syscalls", "ask", nil}, {"irq", "ask", nil}, {"io", "ask", nil}, {"locks", "ask", nil},
	{"calls", "ask", nil},
	{"curt", "ask", nil},
	{"sql", "ask", nil},
	{"export", "write", newExport}, {"index", "write", newIndex},
	{"gen", "develop", newGen}, {"vet", "develop", newVet}, {"diff", "develop", newDiff},
	{"check", "develop", newCheck}, {"fmt", "develop", newFmt},
	{"trace-cmd", "replace", newTraceCmd}, {"uftrace", "replace", newUftrace}, {"textdump", "replace", newTextdump},
	{"babeltrace2", "replace", newBabeltrace}, {"perf", "replace", newPerf},
	{"trcrpt", "replace", newTrcrpt}, {"trcupdate", "replace", newUpdate},
	{"completion", "other", newCompletion}, {"licenses", "other", newLicenses}, {"version", "other", newVersion},
}

func init() {
	cobra.EnableCommandSorting = false // help has its own order
	cobra.AddTemplateFunc("versionLine", versionLine)
}

// newRoot returns the root command with all subcommands.
func newRoot() *cobra.Command { return newRootFor(nil) }

// newRootFor returns the root command for these arguments.
func newRootFor(args []string) *cobra.Command {
	root := &cobra.Command{Use: "tracec"}
	root.AddGroup(groups...)
	return rootOf(root, commands, args)
}

// rootOf adds subcommands to a command. If the arguments begin with the name of one, the others are
// omitted. Creating all of them takes a fifth of the start of the process.
func rootOf(root *cobra.Command, commands []lazyCommand, args []string) *cobra.Command {
	if completes(args) {
		completing.Add(1)
		defer completing.Add(-1)
	}
	root.Version = Version()
	root.SilenceUsage = true  // the message explains the error, and --help is available
	root.SilenceErrors = true // exit.go prints errors
	root.Args = subcommand
	versionFlags(root)
	words := args
	if completes(args) && len(args) > 2 { // the last word is still being typed
		words = args[1:]
	}
	asked := slices.IndexFunc(commands, func(c lazyCommand) bool { return len(words) > 0 && c.name == words[0] })
	for i, c := range commands {
		if c.new != nil && (asked < 0 || i == asked) {
			made := c.new()
			made.GroupID = c.group
			root.AddCommand(made)
		}
	}
	addHelp(root, asked < 0)
	markUsageErrors(root)
	return root
}

// versionFlags defines -V and --version, and the former -v.
func versionFlags(root *cobra.Command) {
	root.SetVersionTemplate("{{versionLine .Name}}\n")
	f := root.Flags()
	f.BoolP("version", "V", false, "print the version")
	old := *f.Lookup("version")
	old.Name, old.Shorthand, old.Hidden = "old-version", "v", true
	f.AddFlag(&old)
}
