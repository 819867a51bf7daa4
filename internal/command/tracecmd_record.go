package command

import (
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/shell"
	"github.com/tracec/tracec/report"
)

// Recording commands of trace-cmd are missing. The message shows a command line of tracec live that
// records the same, as far as possible. Options are as in trace-cmd record -h.

// recordValues are the options of trace-cmd record that take a value and have no equivalent in
// tracec live.
var recordValues = []string{
	"-R", "-r", "-s", "-N", "-V", "-B", "-m", "-H", "-A", "--temp", "--module", "--max-graph-depth", "--cmdlines-size",
	"--user", "--tsync-interval", "--name", "--proxy", "--verbose",
}

// recordLine translates a command line of trace-cmd.
type recordLine struct {
	events, filters, rest   []string // words for tracec live
	tracer, output, command []string
	left                    []string // options without an equivalent
	event                   string   // the last -e, to which -f applies
}

// recordElsewhere returns the error that shows how to record without a command of trace-cmd.
func recordElsewhere(name string, args []string) error {
	r := &recordLine{}
	r.read(args)
	switch name {
	case "record", "profile":
		r.output = append([]string{"-o"}, r.outputName())
	case "start", "extract":
		r.output = append([]string{"-o"}, r.outputName())
		r.left = append(r.left, "a buffer that outlives the command")
	case "stream":
		r.output = nil
	}
	text := "trace-cmd " + name + ": not here\n  " + r.line()
	if name == "profile" {
		text += "\n  tracec trace-cmd report --profile " + shell.Quote(r.outputName())
	}
	if len(r.left) > 0 {
		text += "\ntracec live does not have " + strings.Join(r.left, ", ")
	}
	return report.Usagef("%s", text)
}

func (r *recordLine) outputName() string {
	if len(r.output) > 0 {
		return r.output[len(r.output)-1]
	}
	return "trace.dat"
}

// line returns the command line.
func (r *recordLine) line() string {
	words := []string{"tracec", "live"}
	if len(r.events) == 0 && len(r.filters) == 0 && len(r.tracer) == 0 {
		r.events = []string{"sched:*"}
	}
	if len(r.events) > 0 {
		words = append(words, "-e", strings.Join(r.events, ","))
	}
	for _, f := range r.filters {
		words = append(words, "-F", f)
	}
	words = slices.Concat(words, r.tracer, r.rest, r.output)
	if len(r.command) > 0 {
		words = append(append(words, "--"), r.command...)
	}
	for i, w := range words {
		words[i] = shell.Quote(w)
	}
	return strings.Join(words, " ")
}

// read parses the options up to the command.
func (r *recordLine) read(args []string) {
	for len(args) > 0 {
		a := args[0]
		if a == "--" {
			r.command = args[1:]
			return
		}
		if !strings.HasPrefix(a, "-") || a == "-" {
			r.command = args
			return
		}
		args = r.option(a, args[1:])
	}
}

// option parses one option and returns the remaining words.
func (r *recordLine) option(option string, rest []string) []string {
	name, value, attached := strings.Cut(option, "=")
	if !strings.HasPrefix(option, "--") && len(option) > 2 {
		name, value, attached = option[:2], option[2:], true
	}
	take := func() string {
		if !attached && len(rest) > 0 {
			value, rest = rest[0], rest[1:]
		}
		return value
	}
	switch name {
	case "-e":
		r.addEvent(take())
	case "-f":
		if f := take(); r.event != "" {
			r.filters = append(r.filters, strings.ReplaceAll(r.event, ":", "/")+": "+f)
		}
	case "-p":
		r.tracer = append(r.tracer, "--tracer", take())
	case "-l", "-g":
		r.tracer = append(r.tracer, "--function", take())
	case "-n":
		r.tracer = append(r.tracer, "--no-function", take())
	case "-P":
		r.rest = append(r.rest, "-p", take())
	case "-c":
		r.rest = append(r.rest, "-c")
	case "-C":
		r.rest = append(r.rest, "--clock", take())
	case "-O":
		r.rest = append(r.rest, "--option", take())
	case "-b":
		r.rest = append(r.rest, "--buffer", take()+"K")
	case "-T":
		r.rest = append(r.rest, "-T")
	case "--file-version", "--compression":
		r.rest = append(r.rest, name, take())
	case "-o":
		r.output = []string{"-o", take()}
	case "-F", "-q", "--quiet", "-d", "-D", "-i", "-a", "--poll": // always done by tracec live, or without effect
	default:
		if slices.Contains(recordValues, name) {
			take()
		}
		r.left = append(r.left, name)
	}
	return rest
}

// addEvent adds an event. As in trace-cmd, name is a system, an event, both with a colon or a
// slash, or all.
func (r *recordLine) addEvent(name string) {
	name = strings.ReplaceAll(name, "/", ":")
	if name == "all" {
		name = "*:*"
	}
	r.event = name
	r.events = append(r.events, name)
}
