package command

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/report/style"
)

// Optional parts of the output block, after --color and --quiet.
const (
	LimitPart = "limit"
	JSONPart  = "json"
)

// OutputFlags defines the options of the output block. parts adds LimitPart and JSONPart.
func OutputFlags(cmd *cobra.Command, parts ...string) {
	defineBlock(cmd.Flags(), outputBlock, func(f *pflag.FlagSet) {
		for _, part := range parts {
			switch part {
			case LimitPart:
				f.VarP(new(rowCount), "limit", "n", "stop after `N` lines")
			case JSONPart:
				jsonFlag(f)
			}
		}
		colorFlag(f)
		f.BoolP("quiet", "q", false, "print no progress and no notes")
	})
	completeColor(cmd)
}

// nativeOutput defines the options of the output block for commands with the options of another
// tool. That tool has no option for colours.
func nativeOutput(cmd *cobra.Command) {
	defineBlock(cmd.Flags(), outputBlock, colorFlag)
	completeColor(cmd)
}

func jsonFlag(f *pflag.FlagSet) { f.Bool("json", false, "print JSON: tracec help json") }

func colorFlag(f *pflag.FlagSet) {
	f.Var(colorWhen{oneOf{new(string), style.When}}, "color", "colour: auto, always or never")
	f.Lookup("color").DefValue = "auto"
}

// colorWhen is the value of --color of the block.
type colorWhen struct{ oneOf }

// Type implements pflag.Value.
func (colorWhen) Type() string { return "WHEN" }

func completeColor(cmd *cobra.Command) {
	completeFlag(cmd, "color", cobra.FixedCompletions(style.When, cobra.ShellCompDirectiveNoFileComp))
}

// Colors returns the style of a command's output.
func Colors(cmd *cobra.Command) style.Style { return colorsOf(cmd, cmd.OutOrStdout()) }

// colorsOf returns the style of a command's output to out.
func colorsOf(cmd *cobra.Command, out io.Writer) style.Style {
	when := "never" // for commands without the block
	if f := cmd.Flag("color"); f != nil {
		if _, ok := f.Value.(colorWhen); ok { // the flag of uftrace has another type
			when = f.Value.String()
		}
	}
	if o, ok := out.(*output); ok {
		out = o.Writer
	}
	return style.Of(out, when)
}

// quiet reports whether a command prints only results and errors.
func quiet(cmd *cobra.Command) bool {
	is, err := cmd.Flags().GetBool("quiet")
	return err == nil && is
}

// AsJSON reports whether a command prints JSON.
func AsJSON(cmd *cobra.Command) bool {
	is, err := cmd.Flags().GetBool("json")
	return err == nil && is
}

// rowCount is the value of --limit.
type rowCount int64

// String implements pflag.Value. An empty value means no limit.
func (n *rowCount) String() string {
	if *n <= 0 {
		return ""
	}
	return strconv.FormatInt(int64(*n), 10)
}

// Type implements pflag.Value.
func (*rowCount) Type() string { return "int" }

// Set implements pflag.Value.
func (n *rowCount) Set(text string) error {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < 0 {
		return fmt.Errorf("%q is not a number of lines", text)
	}
	*n = rowCount(v)
	return nil
}

// Limit returns the value of --limit, 0 for no limit. said is false if the option was not given.
func Limit(cmd *cobra.Command) (n int64, said bool) {
	f := cmd.Flag("limit")
	if f == nil {
		return 0, false
	}
	if v, ok := f.Value.(*rowCount); ok {
		return int64(*v), f.Changed
	}
	return 0, false
}
