package command

import (
	"path/filepath"
	"slices"
	"strings"
)

// tools are the commands of tracec that take the options of another tool. Under the name of one,
// tracec is that tool: ln -s tracec trace-cmd.
var tools = []string{"trace-cmd", "uftrace", "textdump", "babeltrace2", "perf", "trcrpt", "trcupdate"}

// Tools returns the tool names that the command can be linked to. Under such a name it behaves like
// the tool.
func Tools() []string { return slices.Clone(tools) }

// asTool returns the arguments of the command line of a process. If its name is the name of a tool,
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
