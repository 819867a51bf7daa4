package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/internal/suggest"
)

// markUsageErrors makes the errors of flag parsing and argument counting usage errors, in all commands.
func markUsageErrors(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%w%s\nTry '%s --help'.", err, flagLike(c, err), c.CommandPath())
	})
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return usagef("%w\nTry '%s --help'.", err, c.CommandPath())
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		markUsageErrors(sub)
	}
}

// flagLike returns the end of the message about an unknown flag: those that are like it.
func flagLike(c *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	name := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); len(short) > 1 { // gen's flags may have one dash
		name = short
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return suggest.DidYouMean("--"+name, names)
}

// subcommand returns the Args of a command that only has others below it.
func subcommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unknown command %q for %q%s", args[0], c.CommandPath(), commandLike(c, args[0]))
}

func commandLike(c *cobra.Command, word string) string {
	var names []string
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return suggest.DidYouMean(word, names)
}

// one returns the Args of a command that works on one thing; example shows how it is given.
func one(thing, example string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return fmt.Errorf("which %s? %s", thing, example)
		case 1:
			return nil
		}
		return fmt.Errorf("one %s at a time, not %d: %s", thing, len(args), strings.Join(args, " "))
	}
}

// atMostOne returns the Args of a command that works on one thing or on none.
func atMostOne(thing string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return one(thing, "")(c, args)
	}
}

// some returns the Args of a command that works on one thing or several.
func some(thing, example string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("which %s? %s", thing, example)
		}
		return nil
	}
}

// oneReport returns a command for report, which says what prints several recordings.
func oneReport(c *cobra.Command, args []string) error {
	err := one("recording", "tracec report FILE")(c, args)
	if len(args) > 1 {
		err = fmt.Errorf("%w\nSeveral of ftrace are merged by 'tracec trace-cmd report -i FILE -i FILE', several of AIX by 'tracec trcrpt -m FILE FILE'", err)
	}
	return err
}

// none returns the Args of a command of uftrace that takes most arguments; a recording is not one of them.
func none(name string, most int) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) <= most:
			return nil
		case most == 0:
			return fmt.Errorf("%s takes no argument: the recording is given by -d %s", name, args[0])
		}
		return fmt.Errorf("%s takes %d argument, not %d: the recording is given by -d", name, most, len(args))
	}
}

// newHelp returns the command help. That of cobra prints the help of all when it does not know a command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]...",
		Short: "Print the help of a command",
		ValidArgsFunction: func(c *cobra.Command, args []string, typed string) (names []string, d cobra.ShellCompDirective) {
			at, rest, err := c.Root().Find(args)
			if err == nil && len(rest) == 0 {
				for _, sub := range at.Commands() {
					if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), typed) {
						names = append(names, sub.Name()+"\t"+sub.Short)
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			at, rest, err := c.Root().Find(args)
			if err != nil {
				return usageError(err)
			}
			if len(rest) > 0 {
				return usageError(subcommand(at, rest))
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	}
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of tracec",
		Long: `Print the version of tracec, the commit that it was built of and the version of Go.

The version is that of the module, or (devel) for a build in a checkout. The commit is there as far as the build knows it.

Example:
  tracec version`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("version takes no argument")
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(c.OutOrStdout(), versionLine(c.Root().Name()))
			return err
		},
	}
}
