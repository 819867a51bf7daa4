package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/internal/command"
)

// page returns the page of a command. The sections are those of mdoc(7), in its order.
func page(c *cobra.Command, version string, date time.Time) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".\\\" Generated from the help of tracec. DO NOT EDIT.\n.Dd %s\n.Dt %s 1\n.Os\n",
		date.Format("January 2, 2006"), strings.ToUpper(pageName(c)))
	fmt.Fprintf(&b, ".Sh NAME\n.Nm %s\n.Nd %s\n", pageName(c), text(lowerFirst(c.Short)))
	b.WriteString(".Sh SYNOPSIS\n")
	synopsis(&b, c)
	h := sections(c.Long)
	b.WriteString(".Sh DESCRIPTION\n")
	if len(h.description) == 0 {
		paragraph(&b, []string{c.Short + "."})
	}
	h.description.write(&b)
	subcommands(&b, c)
	options(&b, c)
	environment(&b, c)
	files(&b, c)
	b.WriteString(".Sh EXIT STATUS\n")
	sections(c.Root().Long).exits.write(&b)
	if examples := h.examples; len(examples) > 0 {
		b.WriteString(".Sh EXAMPLES\n")
		examples.write(&b)
	}
	seeAlso(&b, c)
	if version != "" {
		fmt.Fprintf(&b, ".Sh HISTORY\nThis page is of tracec %s.\n", text(version))
	}
	return b.Bytes()
}

// synopsis writes the usage line: words in capitals and such are arguments, what is in brackets is left as it is.
func synopsis(b *bytes.Buffer, c *cobra.Command) {
	fmt.Fprintf(b, ".Nm %s\n", c.CommandPath())
	rest := strings.TrimPrefix(c.UseLine(), c.CommandPath())
	for _, word := range words(strings.TrimSuffix(rest, " [flags]")) {
		switch {
		case strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]"):
			fmt.Fprintf(b, ".Op %s\n", operand(word[1:len(word)-1]))
		case strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]..."):
			fmt.Fprintf(b, ".Op %s ...\n", operand(word[1:len(word)-4]))
		default:
			fmt.Fprintf(b, ".%s\n", operand(word))
		}
	}
	if c.HasAvailableSubCommands() {
		b.WriteString(".Ar command\n")
	}
	if strings.HasSuffix(rest, " [flags]") {
		b.WriteString(".Op Ar options\n")
	}
}

// words splits a usage line at blanks outside of brackets.
func words(s string) (list []string) {
	depth, start := 0, 0
	for i, r := range s + " " {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == ' ' && depth == 0:
			if i > start {
				list = append(list, s[start:i])
			}
			start = i + 1
		}
	}
	return list
}

// operand returns the macros of a part of a usage line, such as -i FILE or FILE....
func operand(s string) string {
	var out []string
	for _, w := range strings.Fields(s) {
		name, more := strings.CutSuffix(w, "...")
		switch {
		case w == "--":
			out = append(out, `Ar \-\-`)
		case strings.HasPrefix(w, "--"):
			out = append(out, "Fl Fl "+name[2:])
		case strings.HasPrefix(w, "-"):
			out = append(out, "Fl "+name[1:])
		default:
			out = append(out, "Ar "+argument(name))
		}
		if more {
			out = append(out, "...")
		}
	}
	return strings.Join(out, " ")
}

func subcommands(b *bytes.Buffer, c *cobra.Command) {
	if !c.HasAvailableSubCommands() {
		return
	}
	b.WriteString(".Pp\nThe commands are:\n.Bl -tag -width Ds\n")
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			fmt.Fprintf(b, ".It Xr %s 1\n%s.\n", pageName(sub), text(sub.Short))
		}
	}
	b.WriteString(".El\n")
}

// options writes the options of a command, then those of others that concern it.
func options(b *bytes.Buffer, c *cobra.Command) {
	own, common := command.Options(c)
	b.WriteString(".Sh OPTIONS\n")
	optionList(b, own)
	if common.HasAvailableFlags() {
		b.WriteString(".Pp\nOptions of other commands, too:\n")
		optionList(b, common)
	}
}

func optionList(b *bytes.Buffer, set *pflag.FlagSet) {
	b.WriteString(".Bl -tag -width Ds\n")
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		b.WriteString(".It ")
		if f.Shorthand != "" && f.ShorthandDeprecated == "" {
			fmt.Fprintf(b, "Fl %s , ", f.Shorthand)
		}
		fmt.Fprintf(b, "Fl Fl %s", f.Name)
		if value != "" {
			b.WriteString(" Ar " + argument(value))
		}
		b.WriteByte('\n')
		if d := f.DefValue; value != "" && !slices.Contains([]string{"", "[]", "0", "false", "0s"}, d) {
			usage += " (default " + d + ")"
		}
		filled(b, usage+".")
	})
	b.WriteString(".El\n")
}

// seeAlso lists the pages above and beside a command.
func seeAlso(b *bytes.Buffer, c *cobra.Command) {
	var pages []string
	if c.HasParent() {
		pages = append(pages, pageName(c.Parent()))
		for _, sub := range c.Parent().Commands() {
			if sub != c && !sub.Hidden && (c.Parent().HasParent() || slices.Contains(near[c.Name()], sub.Name())) {
				pages = append(pages, pageName(sub))
			}
		}
	} else {
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				pages = append(pages, pageName(sub))
			}
		}
	}
	slices.Sort(pages)
	b.WriteString(".Sh SEE ALSO\n")
	for i, p := range pages {
		end := " ,"
		if i == len(pages)-1 {
			end = ""
		}
		fmt.Fprintf(b, ".Xr %s 1%s\n", p, end)
	}
	b.WriteString(".Pp\n.Lk https://github.com/tracec/tracec\n")
}

func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}
