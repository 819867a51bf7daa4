package command

import "github.com/spf13/cobra"

// genCommands are those of tracec-gen. The table of all commands is not in its program.
var genCommands = []lazyCommand{{"gen", "", newGen}, {"vet", "", newVet}, {"fmt", "", newFmt}, {"version", "", newVersion}}

func newGenRoot(args []string) *cobra.Command {
	return rootOf(&cobra.Command{Use: "tracec-gen"}, genCommands, args)
}
