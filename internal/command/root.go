package command

import (
	"slices"

	"github.com/spf13/cobra"
)

const rootHelp = `tracec compiles the descriptions of trace events and reads recordings of them.

Show a recording, whatever recorded it:
  tracec report trace.dat
  tracec report -e 'sched:*' --cpu 0-3 trace.dat
  tracec list trace.dat
  tracec info trace.dat

Look at it, and take it to other tools:
  tracec view trace.dat
  tracec open trace.dat
  tracec export --to perfetto trace.dat
  tracec export --to ndjson -e 'sched:*' trace.dat | jq .

Use it in place of the native tool, with that tool's own options:
  alias trace-cmd='tracec trace-cmd'
  tracec trace-cmd report -l -F 'sched_switch: prev_prio < 100' -i trace.dat

  tracec trcrpt -t my.trcfmt -O exec=on,pid=on trcfile
  tracec uftrace replay -t 1us -d uftrace.data
  tracec textdump traces/t1

Work on files of AIX templates:
  tracec vet my.trcfmt
  tracec fmt -w my.trcfmt
  tracec list my.trcfmt
  tracec trcupdate -t my.trcfmt new

Generate Go decoders for the events of a kernel:
  tracec gen -pkg sched -events 'sched:*' -o sched_gen.go trace.dat

Recordings: trace.dat of version 6 and 7 (plain, zstd, zlib), copies of a tracefs
directory, streams and log files of AIX trace, directories of uftrace, directories of
LTTng before CTF (0.7 to 2.6); each also compressed (gzip, xz, zstd, bzip2), in a tar
archive, plain or compressed, and all but directories through standard input ("-").

Exit codes:
  0  all went well, or whoever read the output had seen enough
  1  something was damaged or could not be compiled; everything intact was
     printed, and standard error says what was not, with file and offset
  2  the command line is wrong
  3  a file cannot be opened, read or written
  129, 130 or 143  stopped by SIGHUP, SIGINT (Ctrl-C) or SIGTERM; a second one kills`

// lazyCommand is a command of tracec that is made when it is asked for.
type lazyCommand struct {
	name string
	new  func() *cobra.Command
}

// commands are all of them, in the order of the help.
var commands = []lazyCommand{
	{"report", newReport}, {"list", newList}, {"info", newInfo}, {"stat", newStat}, {"index", newIndex}, {"export", newExport},
	{"open", nil}, {"view", nil}, {"live", newLive}, // package exports has the first two
	{"gen", newGen}, {"vet", newVet}, {"diff", newDiff}, {"check", newCheck}, {"fmt", newFmt}, {"trcupdate", newUpdate},
	{"trace-cmd", newTraceCmd}, {"trcrpt", newTrcrpt}, {"uftrace", newUftrace}, {"textdump", newTextdump},
	{"licenses", newLicenses}, {"version", newVersion},
}

// newRoot returns the command with all that is below it.
func newRoot() *cobra.Command { return newRootFor(nil) }

// newRootFor returns the command for these arguments.
func newRootFor(args []string) *cobra.Command {
	return rootOf(&cobra.Command{Use: "tracec", Short: "Compile trace event descriptions, read recordings", Long: rootHelp}, commands, args)
}

// rootOf completes a command with those below it: where the arguments begin with the name of one, the others are left out, since to make all takes a fifth
// of the start of the process.
func rootOf(root *cobra.Command, commands []lazyCommand, args []string) *cobra.Command {
	root.Version = version()
	root.SilenceUsage = true  // an error says what is wrong; the help is one flag away
	root.SilenceErrors = true // exit.go prints them
	root.Args = subcommand
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	root.SetVersionTemplate(versionLine(root.Name()) + "\n")
	asked := slices.IndexFunc(commands, func(c lazyCommand) bool { return len(args) > 0 && c.name == args[0] })
	for i, c := range commands {
		if c.new != nil && (asked < 0 || i == asked) {
			root.AddCommand(c.new())
		}
	}
	root.SetHelpCommand(newHelp())
	markUsageErrors(root)
	return root
}
