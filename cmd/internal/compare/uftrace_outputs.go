package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// output is one saved output of uftrace: a file of expected.tar.gz and the command that printed it,
// without --no-pager --color=no -d NAME.data.
type output struct {
	file string
	mode string
	args string
}

// outputs is the table of shared/data/uftrace/README.md, with further outputs of recordings of
// testdata/uftrace-options.
var outputs = []output{
	{"replay.txt", "u-replay", "replay"},
	{"replay-all-fields.txt", "u-replay", "replay -f all"},
	{"replay-no-merge.txt", "u-replay", "replay --no-merge"},
	{"replay-flat.txt", "u-replay", "replay --flat"},
	{"replay-opts.txt", "u-replay", "replay --no-comment --no-args --no-event --no-libcall --libname"},
	{"replay-column.txt", "u-replay", "replay --column-view --task-newline --no-libcall"},
	{"replay-D2.txt", "u-replay", "replay -D 2"},
	{"replay-t1us.txt", "u-replay", "replay -t 1us"},
	{"replay-F-main-t500ns.txt", "u-replay", "replay -F main -t 500ns"},
	{"replay-r-2us-20us.txt", "u-replay", "replay -r 2us~20us"},
	{"replay-srcline.txt", "u-replay", "replay --srcline"},
	{"replay-demangle-no.txt", "u-replay", "replay --demangle=no"},
	{"replay-demangle-full.txt", "u-replay", "replay --demangle=full"},
	{"dump.txt", "u-dump", "dump"},
	{"dump-debug.txt", "u-dump", "dump --debug"},
	{"chrome.json", "u-chrome", "dump --chrome"},
	{"flame.txt", "u-flame", "dump --flame-graph"},
	{"graphviz.dot", "u-graphviz", "dump --graphviz"},
	{"report.txt", "u-report", "report"},
	{"report-all-fields.txt", "u-report", "report -f all -s call,func"},
	{"report-avg-self.txt", "u-report", "report --avg-self"},
	{"report-task.txt", "u-report", "report --task"},
	{"report-F-main.txt", "u-report", "report -F main -s self"},
	{"graph.txt", "u-graph", "graph"},
	{"graph-main.txt", "u-graph", "graph main"},
	{"graph-task.txt", "u-graph", "graph --task"},
	{"info.txt", "u-info", "info"},
	{"info-task.txt", "u-info", "info --task"},
	{"info-symbols.txt", "u-info", "info --symbols"},

	// The outputs of testdata/uftrace-options.
	{"replay-none.txt", "u-replay", "replay -f none"},
	{"replay-N-b.txt", "u-replay", "replay -N b"},
}

// commandsOf reads the file "commands" of expected.tar.gz, which lists outputs of only that
// recording: FILE, a tab, the command.
func commandsOf(text []byte) (list []output, err error) {
	for line := range strings.Lines(string(text)) {
		file, args, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		words := strings.Fields(args)
		if !ok || len(words) == 0 {
			return nil, fmt.Errorf("%q is not FILE, a tab, and a command", line)
		}
		m := "u-" + words[0]
		if i := slices.Index([]string{"--chrome", "--flame-graph", "--graphviz"},
			slices.Concat(words, []string{""})[1]); words[0] == "dump" && i >= 0 {
			m = []string{"u-chrome", "u-flame", "u-graphviz"}[i]
		}
		list = append(list, output{file, m, args})
	}
	return list, nil
}

// command returns the command line for tracec: as this version of uftrace, on the archive with the
// recording.
func (o output) command(version, archive string) []string {
	return append([]string{"uftrace"}, append(strings.Fields(o.args), "--no-pager", "--color=no", "--like", version,
		"-d", archive)...)
}

// uftraceModes are the commands with saved outputs.
var uftraceModes = []mode{
	{name: "u-replay"}, {name: "u-dump"}, {name: "u-chrome"}, {name: "u-flame"}, {name: "u-graphviz"},
	{name: "u-report"}, {name: "u-graph"}, {name: "u-info"},
}

// outputLayout makes every line a separate block. The "event" is the name of the file, so that
// rules can apply to some files.
type outputLayout struct{ file []byte }

func (l outputLayout) split(line []byte) ([]byte, header, bool) {
	key := len(line)
	// replay --flat counts its lines. The number moves to the end, so that one additional line does
	// not change the keys of all others.
	if m := counted.FindSubmatch(line); m != nil {
		key -= len(m[1])
		line = slices.Concat(m[2], m[1])
	}
	return line, header{starts: true, key: key, event: l.file}, true
}

var counted = regexp.MustCompile(`^(\[\d+\] )((?:==>|<==|!!!|XXX) .*)$`)
