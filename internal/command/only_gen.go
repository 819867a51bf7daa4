package command

import "github.com/spf13/cobra"

const onlyGenHelp = `tracec-gen is the part of tracec that works on descriptions of events: it generates Go decoders, checks descriptions and formats files of AIX
templates. It is for go generate: it is built in little time, of few modules.

  go get -tool github.com/tracec/tracec/cmd/tracec-gen
  //go:generate go tool tracec-gen gen -pkg sched -events 'sched:*' -o sched_gen.go trace.dat

Its commands are those of tracec, with the same options and the same results.

Exit codes:
  0  all went well
  1  something was damaged or could not be compiled; the rest was done
  2  the command line is wrong
  3  a file cannot be opened, read or written`

// genCommands are those of tracec-gen. The table of all commands is not in its program.
var genCommands = []lazyCommand{{"gen", newGen}, {"vet", newVet}, {"fmt", newFmt}, {"version", newVersion}}

func newGenRoot(args []string) *cobra.Command {
	return rootOf(&cobra.Command{Use: "tracec-gen", Short: "Generate Go decoders, check and format descriptions", Long: onlyGenHelp}, genCommands, args)
}
