// Package command is the command tracec, and the part of it that is tracec-gen. What else tracec is
// built of, to lead to other tools, is in package exports below: it is more than all of this, and
// only tracec has it.
//
// What is where:
//
//	root.go      the command tree
//	help.go      the short and the long help, of the texts in the folder help; help_flags.go: what they say of flags; help_topics.go: tracec help
//	only_gen.go  the tree of tracec-gen
//	extend.go    how package exports makes its commands part of tracec, and what they have in common with others
//	tree.go      the command tree for what documents it: cmd/internal/man
//	usage.go     what is wrong with a command line, and what was meant
//	exit.go      errors, messages and exit codes; signals.go and output.go: what ends the work from outside
//	report.go    tracec report, list and info: the same for every kind; list.go also knows format files
//	tracecmd.go  tracec trace-cmd report: the native command of ftrace; its flags are in tracecmd_flags.go
//	gen.go       tracec gen; descriptions.go reads what it, vet and list work on
//	vet.go       tracec vet
//	trcrpt.go    tracec trcrpt: the native command of AIX
//	uftrace.go   tracec uftrace: the native command of uftrace; its options are in uftrace_flags.go and uftrace_values.go,
//	             its commands in uftrace_commands.go
//	templates.go what vet and list do with files of AIX templates
//	fmt.go       tracec fmt
//	update.go    tracec trcupdate
//	memory.go    the option --memory; heap.go: when garbage is collected
//	progress.go  the progress bar; meter.go: what it says
//
// Printing is the business of report, generating that of package gen.
package command

import "os"

// Main runs the command line of the process as that of tracec, and ends it.
func Main() {
	catchPipe()
	collectLater()
	os.Exit(run(asTool(os.Args), os.Stdin, os.Stdout, os.Stderr))
}

// MainGen is Main of tracec-gen.
func MainGen() {
	catchPipe()
	collectLater()
	os.Exit(runRoot(newGenRoot, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
