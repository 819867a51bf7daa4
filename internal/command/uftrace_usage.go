package command

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// concerns returns the commands to which an option applies, and its usage without their names.
// names is empty if the option applies to all commands.
func concerns(f *pflag.Flag) (names []string, usage string) {
	list, usage, ok := strings.Cut(f.Usage, ": ")
	if !ok {
		return nil, f.Usage
	}
	names = strings.Split(list, ", ")
	for _, name := range names {
		if !slices.ContainsFunc(uftraceSubcommands, func(d uftraceCommand) bool { return d.name == name }) {
			return nil, f.Usage
		}
	}
	return names, usage
}
