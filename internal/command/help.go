package command

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Help texts are files. NAME.txt is the long help of a command without its flags. NAME.short.txt is
// the short help of a command whose flags explain too little. topics/NAME.txt is help that several
// commands share.
//
//go:embed help
var helpFiles embed.FS

// Help holds the parts of a command's help text.
type Help struct {
	Sentence string // purpose of the command
	Usage    string // command lines
	Body     string // paragraphs
	Examples string // including the line above them
	More     string // text from the command itself, at the end
}

// moreOf is the annotation of a command with the end of its help.
const moreOf = "more"

// HelpOf returns the parts of the help of a command.
func HelpOf(c *cobra.Command) (h Help) {
	h.Sentence, h.Body, _ = strings.Cut(helpText(c), "\n\n")
	if rest, ok := strings.CutPrefix(h.Body, "Usage: "); ok {
		h.Usage, h.Body, _ = strings.Cut(rest, "\n\n")
	}
	if at := strings.LastIndex("\n\n"+h.Body, "\n\nExamples"); at >= 0 {
		h.Body, h.Examples = strings.TrimSuffix(h.Body[:at], "\n"), strings.TrimLeft(h.Body[at:], "\n")
	}
	h.More = c.Annotations[moreOf]
	return h
}

// helpText returns the text of a command's file, or "".
func helpText(c *cobra.Command) string {
	text, _ := helpFiles.ReadFile("help/" + helpName(c) + ".txt")
	return strings.TrimSuffix(string(text), "\n")
}

// helpName returns the name of a command's files, such as trace-cmd-report.
func helpName(c *cobra.Command) string {
	_, below, _ := strings.Cut(c.CommandPath(), " ")
	return strings.ReplaceAll(cmp.Or(below, c.Name()), " ", "-")
}

// addHelp sets the help of a root command and all commands below it. If all is false, some commands
// were not created, and the others get no help.
func addHelp(root *cobra.Command, all bool) {
	root.RunE = briefly
	root.SetHelpFunc(printHelp)
	root.CompletionOptions.DisableDefaultCmd = true
	help := newHelp()
	if root.ContainsGroup("other") {
		help.GroupID = "other"
	}
	root.SetHelpCommand(help)
	if all {
		root.AddCommand(help)
	}
	document(root)
}

// document sets the texts of a command and the commands below it, the help of their flags, and -h
// and --help.
func document(c *cobra.Command) {
	if c.DisableFlagParsing { // a command that only reports that it is missing
		return
	}
	c.Long = helpText(c)
	h := HelpOf(c)
	c.Short = strings.TrimSuffix(strings.ReplaceAll(h.Sentence, "\n", " "), ".")
	c.Flags().SortFlags, c.PersistentFlags().SortFlags = false, false
	helpFlags(c)
	describeFlags(c, c.Flags())
	describeFlags(c, c.PersistentFlags())
	for _, sub := range c.Commands() {
		document(sub)
	}
}

// shortHelp is the flag -h, which prints the short help. It is a flag of its own because pflag does
// not distinguish -h from --help if both are one flag.
type shortHelp struct{ flags *pflag.FlagSet }

// Set implements pflag.Value.
func (s shortHelp) Set(text string) error {
	is, err := strconv.ParseBool(text)
	if err == nil && is {
		err = s.flags.Set("help", "true")
	}
	return err
}

// String implements pflag.Value.
func (shortHelp) String() string { return "" }

// Type implements pflag.Value.
func (shortHelp) Type() string { return "bool" }

// helpFlags defines --help and -h. A native command with another -h has no short help.
func helpFlags(c *cobra.Command) {
	f := c.Flags()
	if f.Lookup("help") == nil {
		f.Bool("help", false, "print the whole help")
	}
	if f.ShorthandLookup("h") == nil {
		h := f.VarPF(shortHelp{f}, "short-help", "h", "print the short help")
		h.NoOptDefVal, h.Hidden = "true", true
	}
}

// printHelp prints the short or the long help.
func printHelp(c *cobra.Command, _ []string) {
	text := LongHelp
	if c.Flags().Changed("short-help") {
		text = ShortHelp
	}
	io.WriteString(c.OutOrStdout(), text(c)) // the output of the process keeps errors
}

// briefly is the RunE of a command that only has subcommands.
func briefly(c *cobra.Command, _ []string) error {
	_, err := io.WriteString(c.OutOrStdout(), ShortHelp(c))
	return err
}

// ShortHelp returns the text of -h. It has at most 12 lines, or 25 for the root.
func ShortHelp(c *cobra.Command) string {
	if text, err := helpFiles.ReadFile("help/" + helpName(c) + ".short.txt"); err == nil {
		return string(text)
	}
	h := HelpOf(c)
	text := h.Sentence + "\n\nUsage: " + h.Usage + "\n\n"
	return text + usages(shortOnes(c)) + "Full help: " + c.CommandPath() + " --help\n"
}

// LongHelp returns the text of --help.
func LongHelp(c *cobra.Command) string {
	var b strings.Builder
	b.WriteString(helpText(c) + "\n")
	if !c.HasParent() {
		b.WriteByte('\n')
		listCommands(&b, c)
		listTopics(&b)
	}
	for _, s := range Options(c) {
		b.WriteString("\n" + s.Title + ":\n")
		if s.block == recordingBlock {
			b.WriteString(namesOf(s.Flags))
			continue
		}
		b.WriteString(usages(s.Flags))
	}
	if more := c.Annotations[moreOf]; more != "" {
		b.WriteString("\n" + more)
	}
	return b.String()
}

// listCommands lists the subcommands of a command by their groups.
func listCommands(b *strings.Builder, c *cobra.Command) {
	for _, g := range c.Groups() {
		fmt.Fprintf(b, "%s\n", g.Title)
		for _, sub := range c.Commands() {
			if sub.GroupID == g.ID && !sub.Hidden {
				fmt.Fprintf(b, "  %-10s  %s\n", sub.Name(), sub.Short)
			}
		}
	}
}
