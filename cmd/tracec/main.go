// Command tracec is a compiler of trace event descriptions and a reader of recordings. `tracec
// help` is its manual; package internal/command is its code.
package main

import (
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/internal/command/exports"
)

func main() {
	exports.Add()
	command.Main()
}
