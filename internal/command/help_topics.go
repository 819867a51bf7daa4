package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Topics are the names of the help texts that several commands share, in order.
var Topics = []string{"filters", "events", "times", "tables", "recordings", "structs", "json", "exit-codes",
	"environment"}

// Topic returns the text of a topic: its first line is a sentence that begins with its name.
func Topic(name string) string {
	text, err := helpFiles.ReadFile("help/topics/" + name + ".txt")
	if err != nil {
		return ""
	}
	if name != "recordings" {
		return string(text)
	}
	set := &cobra.Command{}
	openFlags(set)
	set.Flags().SortFlags = false
	describeFlags(set, set.Flags())
	return string(text) + "\nOptions of opening:\n" + usages(set.Flags())
}

// listTopics lists the topics, one per line.
func listTopics(b *strings.Builder) {
	b.WriteString("\nTopics (tracec help TOPIC)\n")
	for _, name := range Topics {
		line, _, _ := strings.Cut(Topic(name), "\n")
		_, line, _ = strings.Cut(line, ": ")
		fmt.Fprintf(b, "  %-11s  %s\n", name, strings.TrimSuffix(line, "."))
	}
}

// newHelp returns the command help. It replaces the command of cobra, which prints the help of the
// root for an unknown command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use: "help",
		ValidArgsFunction: func(c *cobra.Command, args []string, typed string) (names []string,
			d cobra.ShellCompDirective) {
			at, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			for _, sub := range at.Commands() {
				if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), typed) {
					names = append(names, sub.Name()+"\t"+sub.Short)
				}
			}
			for _, topic := range Topics {
				if len(args) == 0 && strings.HasPrefix(topic, typed) {
					names = append(names, topic)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains(Topics, args[0]) {
				_, err := fmt.Fprint(c.OutOrStdout(), Topic(args[0]))
				return err
			}
			at, rest, err := c.Root().Find(args)
			if err != nil {
				at, rest = c.Root(), args
			}
			if len(rest) > 0 {
				var topics []string
				if !at.HasParent() {
					topics = Topics
				}
				return usagef("unknown command or topic %s%s", shown(rest[0]), commandLike(at, rest[0], topics...))
			}
			_, err = fmt.Fprint(c.OutOrStdout(), LongHelp(at))
			return err
		},
	}
}
