package command

import (
	"path/filepath"
	"slices"
	"strings"
)

// tools are the commands of tracec that take the options of another tool. A link to tracec with
// such a name behaves as the tool: ln -s tracec trace-cmd.
var tools = []string{"trace-cmd", "uftrace", "textdump", "babeltrace2", "perf", "trcrpt", "trcupdate"}

// Tools returns the names of tools that links to the command can have. Under such a name it behaves
// like the tool.
func Tools() []string { return slices.Clone(tools) }

// asTool returns the arguments of a process's command line. If the name of the process is a tool,
// they begin with the command for that tool.
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
