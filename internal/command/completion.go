package command

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// shells lists the supported shells.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// newCompletion returns the command that prints the script of a shell. It replaces the command of
// cobra, which prints its own help for an unknown shell.
func newCompletion() *cobra.Command {
	var plain bool
	cmd := &cobra.Command{
		Use:       "completion",
		ValidArgs: shells,
		Args: func(c *cobra.Command, args []string) error {
			if err := One("shell", "tracec completion bash, zsh, fish or powershell")(c, args); err != nil {
				return err
			}
			if !slices.Contains(shells, args[0]) {
				return usagef("no shell %q: %s", args[0], strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			root, out := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "zsh":
				if plain {
					return root.GenZshCompletionNoDesc(out)
				}
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, !plain)
			case "powershell":
				if plain {
					return root.GenPowerShellCompletion(out)
				}
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return root.GenBashCompletionV2(out, !plain)
		},
	}
	cmd.Flags().BoolVar(&plain, "no-descriptions", false, "complete words without descriptions")
	return cmd
}

// completes reports whether a shell requests words. Then no messages are shown.
func completes(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// completing counts the command trees that are currently made for a shell that requests words.
var completing atomic.Int32

// completeFlag sets the completion of a flag's values. Cobra keeps these functions, and the
// commands with them, for the life of the process. So they are set only if a shell may request
// words.
func completeFlag(cmd *cobra.Command, name string, words cobra.CompletionFunc) {
	if completing.Load() > 0 {
		cmd.RegisterFlagCompletionFunc(name, words)
	}
}

// listed is the value of a flag with a closed list of words.
type listed interface{ listed() []string }

// wordsOf returns the closed list of words for a flag, or nil if there is none.
func wordsOf(f *pflag.Flag) []string {
	if v, ok := f.Value.(listed); ok {
		return v.listed()
	}
	return nil
}

func (f oneOf) listed() []string { return f.words }

func (a *action) listed() []string { return a.words }

// CompleteList completes a flag that takes a comma-separated list of words. The flag cannot be
// empty.
func CompleteList(cmd *cobra.Command, name string, words []string) {
	neverEmpty(cmd.Flags(), name)
	completeFlag(cmd, name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
