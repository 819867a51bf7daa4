// Package exports has the commands of tracec that answer questions or lead to other tools: the
// questions (latency and others), sql, tracec export's formats, open and view. tracec-gen is built
// without it and the packages that it uses.
package exports

import "github.com/tracec/tracec/internal/command"

// Add adds the commands to tracec. It is called once, before the command line is run.
func Add() {
	command.AddFormats(formats...)
	for _, q := range questions {
		command.AddCommand(q.name, q.newCommand)
	}
	command.AddCommand("open", newOpen)
	command.AddCommand("view", newView)
	command.AddCommand("sql", newSQL)
}
