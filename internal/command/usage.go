package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/report/facts"
)

// markUsageErrors makes errors of flag parsing and argument counting usage errors, in all commands.
// It also makes commands check the partners of flags before they run.
func markUsageErrors(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(flagError)
	check := cmd.Args
	cmd.Args = func(c *cobra.Command, args []string) error {
		if err := checkPartners(c); err != nil || check == nil {
			return err
		}
		err := check(c, args)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return usageError(err)
	}
	for _, sub := range cmd.Commands() {
		markUsageErrors(sub)
	}
}

// subcommand is the Args of a command that only has subcommands.
func subcommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if _, err := os.Stat(args[0]); err != nil && !c.HasParent() && strings.ContainsAny(args[0], "./") {
		return fmt.Errorf("%s: no such file or command", args[0])
	}
	if !c.HasParent() && slices.Contains(Topics, args[0]) {
		return fmt.Errorf("%s is a topic of the help\n  tracec help %s", args[0], args[0])
	}
	of := ""
	if c.HasParent() {
		of = commandName(c) + ": "
	}
	return fmt.Errorf("%sunknown command %s%s", of, shown(args[0]), commandLike(c, args[0]))
}

// commandLike returns the end of the message about an unknown command: similar commands, or the
// command that lists them.
func commandLike(c *cobra.Command, word string, others ...string) string {
	if hint := suggest.DidYouMean(word, append(commandNames(c), others...)); hint != "" {
		return hint
	}
	return "; " + c.CommandPath() + " -h lists them"
}

// commandNames returns the names of the subcommands of a command.
func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return names
}

// One returns the Args of a command that takes one thing. example shows how to name it.
func One(thing, example string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return fmt.Errorf("which %s?\n  %s", thing, example)
		case 1:
			return nil
		}
		return fmt.Errorf("one %s at a time, not %d: %s", thing, len(args), strings.Join(args, " "))
	}
}

// atMostOne returns the Args of a command that takes at most one argument.
func atMostOne(thing string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return One(thing, "")(c, args)
	}
}

// Some returns the Args of a command that takes at least one thing.
func Some(thing, example string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("which %s?\n  %s", thing, example)
		}
		return nil
	}
}

// oneReport rejects several recordings for report. The error names a command that prints several.
func oneReport(c *cobra.Command, args []string) error {
	err := One("recording", "tracec report FILE")(c, args)
	if len(args) > 1 {
		err = fmt.Errorf("%w\n  tracec trace-cmd report -i FILE -i FILE, or tracec trcrpt -m FILE FILE, merges them",
			err)
	}
	return err
}

// none returns the Args of a command of uftrace that takes up to most arguments, but no recording.
func none(name string, most int) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) <= most:
			return nil
		case most == 0:
			return fmt.Errorf("%s takes no argument: name the recording with -d %s", name, args[0])
		}
		return fmt.Errorf("%s takes %d argument, not %d: name the recording with -d", name, most, len(args))
	}
}

func newVersion() *cobra.Command {
	cmd := &cobra.Command{
		Use: "version",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("version takes no argument")
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if AsJSON(c) {
				return facts.Write(c.OutOrStdout(), versionFacts())
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), versionLine(c.Root().Name()))
			return err
		},
	}
	defineBlock(cmd.Flags(), outputBlock, jsonFlag)
	return cmd
}

// versionJSON is the output of version as JSON.
type versionJSON struct {
	Schema  string `json:"schema"`
	Tracec  string `json:"tracec"`
	Version string `json:"version"` // the same under another key
	Commit  string `json:"commit,omitempty"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func versionFacts() versionJSON {
	v := versionJSON{
		Schema: facts.Schema("version"), Tracec: Version(), Version: Version(),
		Commit: revision(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
	return v
}
