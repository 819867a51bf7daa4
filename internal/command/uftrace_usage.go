package command

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// concerns returns the commands that an option concerns, none for all of them, and its usage
// without their names.
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
