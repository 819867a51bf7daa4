package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/runtime/ftrace/tracefs"
)

// completeKernel completes options with names from the running kernel.
func completeKernel(cmd *cobra.Command) {
	for option, file := range map[string]string{
		"event": "available_events", "tracer": "available_tracers", "clock": "trace_clock", "option": "trace_options",
		"function": "available_filter_functions", "no-function": "available_filter_functions",
	} {
		completeFlag(cmd, option, completeTracefs(file, option == "tracer" || option == "clock"))
	}
	completeFormats(cmd, func(f *ExportFormat) bool { return f.Write != nil })
}

// completeTracefs completes words of a file of the tracefs. one is set for a single word, otherwise
// it completes the last of several comma-separated words.
func completeTracefs(file string, one bool) completion {
	return func(_ *cobra.Command, _ []string, typed string) (words []string, d cobra.ShellCompDirective) {
		root, err := tracefs.Mount()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		if one {
			return strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(string(text))),
				cobra.ShellCompDirectiveNoFileComp
		}
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		for line := range strings.Lines(string(text)) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), " ") // the name of a module follows the function
			if word = before + word; strings.HasPrefix(word, typed) {
				words = append(words, word)
			}
		}
		return slices.Compact(words), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
}
