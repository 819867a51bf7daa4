package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/internal/command"
)

// page returns the page of a command. The sections follow mdoc(7), in its order.
func page(c *cobra.Command, version string, date time.Time) []byte {
	var b bytes.Buffer
	preamble(&b, pageName(c), "1", lowerFirst(c.Short), date)
	h := command.HelpOf(c)
	b.WriteString(".Sh SYNOPSIS\n")
	synopsis(&b, h.Usage)
	b.WriteString(".Sh DESCRIPTION\n")
	description := split(h.Body)
	if len(description) == 0 || description[0].indented {
		paragraph(&b, []string{h.Sentence})
	}
	description.write(&b)
	subcommands(&b, c)
	options(&b, c)
	if h.More != "" {
		b.WriteString(".Pp\n")
		split(h.More).write(&b)
	}
	environment(&b, c)
	files(&b, c)
	b.WriteString(".Sh EXIT STATUS\n")
	exits(&b)
	if title, examples, _ := strings.Cut(h.Examples, "\n"); examples != "" {
		b.WriteString(".Sh EXAMPLES\n")
		if _, where, ok := strings.Cut(title, "("); ok { // such as Examples (as root):
			paragraph(&b, []string{strings.ToUpper(where[:1]) + strings.TrimSuffix(where[1:], "):") + ":"})
		}
		split(examples).write(&b)
	}
	seeAlso(&b, c)
	history(&b, version)
	return b.Bytes()
}

// argumentsBegin matches the end of a command's name in a usage line.
var argumentsBegin = regexp.MustCompile(` (?:-|\[|[A-Z])`)

// exits writes the meaning of exit codes.
func exits(b *bytes.Buffer) {
	_, codes, _ := strings.Cut(command.Topic("exit-codes"), "\n\n")
	split(codes).write(b)
}

// topicPage returns the page of a topic of help, in section 7.
func topicPage(name, version string, date time.Time) []byte {
	var b bytes.Buffer
	title, body, _ := strings.Cut(command.Topic(name), "\n\n")
	_, title, _ = strings.Cut(strings.TrimSuffix(title, "."), ": ")
	preamble(&b, topicName(name), "7", title, date)
	b.WriteString(".Sh DESCRIPTION\n")
	body, examples, _ := strings.Cut(body, "\n\nExamples:\n")
	examples, more, _ := strings.Cut(examples, "\n\n")
	split(body + "\n\n" + more).write(&b)
	if examples != "" {
		b.WriteString(".Sh EXAMPLES\n")
		split(examples).write(&b)
	}
	b.WriteString(".Sh SEE ALSO\n.Xr tracec 1\n")
	history(&b, version)
	return b.Bytes()
}

// topicName returns the name of a topic's page.
func topicName(topic string) string { return "tracec-" + topic }

// preamble writes the start of a page.
func preamble(b *bytes.Buffer, name, section, title string, date time.Time) {
	fmt.Fprintf(b, ".\\\" Generated from the help of tracec. DO NOT EDIT.\n.Dd %s\n.Dt %s %s\n.Os\n",
		date.Format("January 2, 2006"), strings.ToUpper(name), section)
	fmt.Fprintf(b, ".Sh NAME\n.Nm %s\n.Nd %s\n", name, text(title))
}

func history(b *bytes.Buffer, version string) {
	if version != "" {
		fmt.Fprintf(b, ".Sh HISTORY\nThis page is of tracec %s.\n", text(version))
	}
}

// synopsis writes the usage lines. Words in capitals and similar ones are arguments. Text in
// brackets is left unchanged.
func synopsis(b *bytes.Buffer, usage string) {
	for i, line := range strings.Split(usage, "\n") {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "   ") // without its explanation
		if !strings.HasPrefix(line, "tracec ") {
			continue // the line that makes a link
		}
		name, rest := line, []string(nil)
		if at := argumentsBegin.FindStringIndex(line); at != nil {
			name, rest = line[:at[0]], words(line[at[0]:])
		}
		if i > 0 {
			b.WriteString(".Pp\n")
		}
		fmt.Fprintf(b, ".Nm %s\n", plain(name))
		for _, word := range rest {
			switch {
			case strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]"):
				fmt.Fprintf(b, ".Op %s\n", operand(word[1:len(word)-1]))
			case strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]..."):
				fmt.Fprintf(b, ".Op %s ...\n", operand(word[1:len(word)-4]))
			default:
				fmt.Fprintf(b, ".%s\n", operand(word))
			}
		}
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

// options writes the options of a command, by their sections.
func options(b *bytes.Buffer, c *cobra.Command) {
	sections := command.Options(c)
	if len(sections) == 0 {
		return
	}
	b.WriteString(".Sh OPTIONS\n")
	for i, s := range sections {
		if i > 0 {
			fmt.Fprintf(b, ".Ss %s\n", text(s.Title))
		}
		optionList(b, s.Flags)
	}
}

func optionList(b *bytes.Buffer, set *pflag.FlagSet) {
	b.WriteString(".Bl -tag -width Ds\n")
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		value, usage := command.ValueOf(f), f.Usage
		b.WriteString(".It ")
		if f.Shorthand != "" && f.ShorthandDeprecated == "" {
			fmt.Fprintf(b, "Fl %s , ", f.Shorthand)
		}
		fmt.Fprintf(b, "Fl Fl %s", f.Name)
		if value != "" {
			b.WriteString(" Ar " + argument(value))
		}
		b.WriteByte('\n')
		if d := command.DefaultOf(f); d != "" {
			usage += " (default " + d + ")"
		}
		filled(b, usage+".")
	})
	b.WriteString(".El\n")
}

// seeAlso lists the pages of the parent and the siblings of a command. The page of tracec lists all
// pages and the topics.
func seeAlso(b *bytes.Buffer, c *cobra.Command) {
	var pages []string
	if c.HasParent() {
		pages = append(pages, pageName(c.Parent())+" 1")
		for _, sub := range c.Parent().Commands() {
			if sub != c && !sub.Hidden && (c.Parent().HasParent() || slices.Contains(near[c.Name()], sub.Name())) {
				pages = append(pages, pageName(sub)+" 1")
			}
		}
	} else {
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				pages = append(pages, pageName(sub)+" 1")
			}
		}
	}
	slices.Sort(pages)
	if !c.HasParent() {
		for _, topic := range slices.Sorted(slices.Values(command.Topics)) {
			pages = append(pages, topicName(topic)+" 7")
		}
	}
	b.WriteString(".Sh SEE ALSO\n")
	for i, p := range pages {
		end := " ,"
		if i == len(pages)-1 {
			end = ""
		}
		fmt.Fprintf(b, ".Xr %s%s\n", p, end)
	}
	b.WriteString(".Pp\n.Lk https://github.com/tracec/tracec\n")
}

func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}
