// Command tracec is a compiler of trace event descriptions and a reader of recordings. `tracec help` is its manual.
//
// What is where:
//
//	root.go      the command tree
//	exit.go      errors, messages and exit codes
//	systems.go   the kinds of recordings
//	report.go    tracec report, list and info: the same for every kind
//	tracecmd.go  tracec trace-cmd report: the native door of ftrace; its flags are in tracecmd_flags.go
//	gen.go       tracec gen, with its input in genput.go
//	progress.go  the progress bar
//
// Printing is the business of cmd/internal/report, generating that of package gen.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
