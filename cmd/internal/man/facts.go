package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Facts that help does not contain, by command. "" stands for all commands. A test compares the
// variables with the variables that the command reads.

// fact is a file or a variable of the environment.
type fact struct{ name, text string }

var variables = map[string][]fact{
	"": {
		{"NO_COLOR", "If it is not empty, no colours unless --color=always is given."},
		{"CLICOLOR_FORCE", "If it is not empty and not 0, colours also in a pipe."},
		{"TERM", "If it is dumb, no colours and no progress."},
		{"TMPDIR", "Directory of temporary files: copies of standard input and unpacked recordings."},
	},
	"gen": {{"GOPACKAGE", "Name of the package, if neither --pkg nor -o gives one; go generate sets it."}},
	"uftrace": {{"PAGER", "Command that shows output on a terminal; less if it is not set."},
		{"LESS", "Options of less; FRSX if it is not set."}},
}

var paths = map[string][]fact{
	"live":      {{"/sys/kernel/tracing", "The tracefs of the running kernel; /sys/kernel/debug/tracing of old ones."}},
	"index":     {{"FILE.tracec-index", "The index of FILE, in the same directory."}},
	"report":    {{"FILE.tracec-index", "An index of FILE. It is used if it fits; see tracec-index(1)."}},
	"stat":      {{"FILE.tracec-index", "An index of FILE. It is used if it fits; see tracec-index(1)."}},
	"export":    {{"FILE.tracec-index", "An index of FILE. It is used if it fits; see tracec-index(1)."}},
	"trcrpt":    {{"/var/adm/ras/trcfile", "The default recording."}},
	"trace-cmd": {{"trace.dat", "The default recording."}},
	"uftrace":   {{"uftrace.data", "The recording, without -d."}},
}

// near lists, by command, the commands that its page refers to.
var near = map[string][]string{
	"report":    {"list", "stat", "info", "export", "view", "live", "index"},
	"list":      {"report", "stat", "info"},
	"info":      {"report", "stat", "list"},
	"stat":      {"report", "list", "info"},
	"export":    {"report", "view", "open"},
	"open":      {"view", "export"},
	"view":      {"open", "export", "report"},
	"live":      {"report", "export"},
	"index":     {"report"},
	"gen":       {"vet", "diff", "check"},
	"vet":       {"gen", "fmt", "diff"},
	"diff":      {"check", "gen", "vet"},
	"check":     {"diff", "gen", "vet"},
	"fmt":       {"vet", "trcupdate"},
	"trcupdate": {"fmt", "vet", "trcrpt"},
	"trcrpt":    {"report", "trcupdate"},
}

// of returns the facts of a command and of the commands above it.
func of(table map[string][]fact, c *cobra.Command) (list []fact) {
	for ; c.HasParent(); c = c.Parent() {
		list = append(list, table[c.Name()]...)
		if c.Parent().HasParent() {
			list = append(list, table[c.Parent().Name()]...)
			break
		}
	}
	return append(list, table[""]...)
}

func environment(b *bytes.Buffer, c *cobra.Command) {
	b.WriteString(".Sh ENVIRONMENT\n.Bl -tag -width Ds\n")
	for _, f := range of(variables, c) {
		fmt.Fprintf(b, ".It Ev %s\n", f.name)
		filled(b, f.text)
	}
	b.WriteString(".El\n")
}

func files(b *bytes.Buffer, c *cobra.Command) {
	list := of(paths, c)
	if len(list) == 0 {
		return
	}
	b.WriteString(".Sh FILES\n.Bl -tag -width Ds\n")
	for _, f := range list {
		fmt.Fprintf(b, ".It Pa %s\n", strings.ReplaceAll(f.name, "-", `\-`))
		filled(b, f.text)
	}
	b.WriteString(".El\n")
}
