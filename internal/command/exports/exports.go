// Package exports has the commands of tracec that lead to other tools, with all that they are built
// of: tracec export's formats, open, view and sql. tracec-gen is built without it.
package exports

import "github.com/tracec/tracec/internal/command"

// Add makes the commands part of tracec. It is called once, before the command line is run.
func Add() {
	command.AddFormats(formats...)
	command.AddCommand("open", newOpen)
	command.AddCommand("view", newView)
	command.AddCommand("sql", newSQL)
}
