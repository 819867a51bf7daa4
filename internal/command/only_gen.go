package command

import "github.com/spf13/cobra"

// genCommands are the commands of tracec-gen. Its program does not contain the table of all
// commands.
var genCommands = []lazyCommand{{"gen", "", newGen}, {"vet", "", newVet}, {"fmt", "", newFmt},
	{"version", "", newVersion}}

func newGenRoot(args []string) *cobra.Command {
	return rootOf(&cobra.Command{Use: "tracec-gen"}, genCommands, args)
}
