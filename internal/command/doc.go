// Package command has the commands of tracec, and of tracec-gen, which has some of them. Only
// tracec includes package exports, which adds the exports to other tools.
//
// Files:
//
//	root.go            the command tree
//	help.go            the short and the long help, from the texts in the folder help
//	help_flags.go      help of flags
//	help_topics.go     tracec help
//	only_gen.go        the tree of tracec-gen
//	extend.go          functions by which package exports adds its commands to tracec
//	tree.go            the command tree for documents: cmd/internal/man
//	usage.go           errors in a command line, with suggestions
//	exit.go            errors, messages and exit codes
//	signals.go         signals
//	output.go          errors of standard output
//	report.go          tracec report, list and info for all systems
//	list.go            also reads format files
//	tracecmd.go        tracec trace-cmd report: the native command of ftrace
//	tracecmd_flags.go  its flags
//	gen.go             tracec gen; gen_*.go: its inputs and files
//	vet.go             tracec vet
//	trcrpt.go          tracec trcrpt: the native command of AIX
//	uftrace.go         tracec uftrace: the native command of uftrace
//	uftrace_flags.go   its options; uftrace_values.go: their values
//	uftrace_commands.go  its commands
//	fmt.go             tracec fmt
//	update.go          tracec trcupdate
//	memory.go          the option --memory
//	heap.go            garbage collection
//	progress.go        the progress bar; meter.go: its text
//
// Package report prints, and package gen generates code.
package command

import "os"

// Main runs the command line of the process as tracec, and ends the process.
func Main() {
	catchPipe()
	collectLater()
	os.Exit(run(asTool(os.Args), os.Stdin, os.Stdout, os.Stderr))
}

// MainGen runs the command line of the process as tracec-gen, and ends the process.
func MainGen() {
	catchPipe()
	collectLater()
	os.Exit(runRoot(newGenRoot, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
