package command

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/report"
)

// flagError returns the message for an error of the flag parser.
func flagError(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	var lacks *pflag.ValueRequiredError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &invalid):
		return invalidValue(invalid.GetFlag(), invalid.GetValue(), invalid.Unwrap())
	case errors.As(err, &unknown):
		return unknownFlag(c, unknown)
	case errors.As(err, &lacks):
		value, _ := pflag.UnquoteUsage(lacks.GetFlag())
		return usagef("%s: the value is missing: %s", flagName(lacks.GetFlag()), strings.ToUpper(value))
	case errors.As(err, &syntax):
		return usagef("%s: no flag", syntax.GetSpecifiedFlag())
	}
	return usageError(err)
}

// flagName returns the name of a flag for messages: its letter, if it has one.
func flagName(f *pflag.Flag) string {
	if name := f.Annotations[aliasOf]; len(name) > 0 {
		return "--" + name[0]
	}
	if f.Shorthand != "" && f.Name != "pid" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// errEmpty reports an empty value.
var errEmpty = errors.New("empty; leave the flag out to take all")

// errTwice reports a repeated flag.
var errTwice = errors.New("given twice")

// invalidValue returns the message for a value that a flag does not accept. For our own types, the
// cause names the accepted values.
func invalidValue(f *pflag.Flag, value string, cause error) error {
	var expression *filter.SyntaxError
	var file *fs.PathError
	var own *report.UsageError
	var nested *pflag.InvalidValueError
	name := flagName(f)
	switch {
	case errors.As(cause, &expression):
		return cause
	case errors.As(cause, &file):
		return file
	case errors.As(cause, &nested): // in a file of options
		return usagef("%s %s: %w", name, shown(value),
			invalidValue(nested.GetFlag(), nested.GetValue(), nested.Unwrap()))
	case errors.Is(cause, errEmpty):
		return usagef("%s: %w", name, errEmpty)
	case errors.Is(cause, errTwice):
		return usagef("%s: %w", name, errTwice)
	case errors.As(cause, &own) && (strings.HasPrefix(own.Error(), "-") || // the error names its flag
		f.NoOptDefVal != "" && f.NoOptDefVal == value): // a toggle has no value
		return cause
	}
	want := cause.Error()
	var number *strconv.NumError
	switch typ := f.Value.Type(); {
	case typ == "duration":
		want = "want a duration such as 100ms or 10s"
	case typ == "bool" && errors.As(cause, &number):
		want = "want true or false"
	case errors.As(cause, &number):
		want = "want a number"
	}
	return usagef("%s %s: %s", name, shown(value), want)
}

// shown returns a value for a message. It quotes values that are empty or contain blanks, and
// shortens long ones.
func shown(value string) string {
	const most = 60
	if len(value) > most {
		value = strings.ToValidUTF8(value[:most], "") + "…"
	}
	if value == "" || strings.ContainsAny(value, " \t\r\n") {
		return "'" + value + "'"
	}
	return value
}

// elsewhere maps flags that a command lacks to the commands that do the same.
var elsewhere = map[string]string{"report --json": "tracec export --to ndjson FILE"}

// unknownFlag returns the message for a flag that a command lacks.
func unknownFlag(c *cobra.Command, unknown *pflag.NotExistError) error {
	if words := c.Flags().Args(); !c.HasParent() && len(words) > 0 { // words before the flag
		return usageError(subcommand(c, words))
	}
	name := unknown.GetSpecifiedName()
	flag := "--" + name
	if unknown.GetSpecifiedShortnames() != "" {
		flag = "-" + name
	}
	if other := elsewhere[c.Name()+" "+flag]; other != "" {
		return usagef("%s: no %s; %s", commandName(c), flag, other)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	hint := ""
	if len(name) > 1 {
		hint = suggest.DidYouMean("--"+name, names)
	}
	if hint == "" {
		hint = "; " + helpOf(c) + " lists the flags"
	}
	if !c.HasParent() {
		return usagef("unknown flag %s%s", flag, hint)
	}
	return usagef("%s: unknown flag %s%s", commandName(c), flag, hint)
}

// helpOf returns the command that prints the help of a command.
func helpOf(c *cobra.Command) string {
	if f := c.Flags().ShorthandLookup("h"); f != nil && f.Name != "help" && f.Name != "short-help" {
		return c.CommandPath() + " --help"
	}
	return c.CommandPath() + " -h"
}

// commandName returns the name of a command without the name of the program.
func commandName(c *cobra.Command) string {
	if !c.HasParent() {
		return c.Name()
	}
	return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
}
