package command

import (
	"path/filepath"
	"slices"
	"strings"
)

// tools are the commands of tracec that take the options of another tool. Under the name of one,
// tracec is that tool: ln -s tracec trace-cmd.
var tools = []string{"trace-cmd", "uftrace", "textdump", "trcrpt", "trcupdate"}

// Tools returns the names under which the command is a tool: links of these names behave as it.
func Tools() []string { return slices.Clone(tools) }

// asTool returns the arguments of the command line of a process, with the command that its name
// stands for, if any.
func asTool(argv []string) []string {
	if len(argv) == 0 {
		return nil
	}
	name := strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	if slices.Contains(tools, name) {
		return append([]string{name}, argv[1:]...)
	}
	return argv[1:]
}
