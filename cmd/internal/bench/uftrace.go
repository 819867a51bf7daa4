package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// callRecording is one recording of testdata/uftrace/src/bench.c, or of deep.c.
type callRecording struct {
	name    string
	calls   int // number of calls of each of the two functions: a quarter of the records
	threads int
	args    bool
	deep    bool // recording of deep.c
	more    bool // compare all commands
	perf    bool // with files of perf
	path    string
	bytes   int64
}

// Commands that are compared between tracec and uftrace. moreCommands and deepCommands are for some
// recordings only.
var (
	callCommands = []string{"dump", "replay", "report"}
	moreCommands = []string{"graph", "dump --chrome", "dump --flame-graph", "replay -D 3", "replay -t 100ns",
		"replay --flat"}
	deepCommands = []string{
		"graph", "dump --chrome", "report -N one_instruction", "report -D 5", "report -F call_function",
		"report -t 1us",
		"graph -N one_instruction", "graph -D 5", "graph -F call_function", "dump -D 5", "dump --chrome -D 5",
		"replay -D 5", "replay -N one_instruction",
		"replay -F call_function", "replay -t 1us", "replay -f none",
	}
)

// deepRound is the approximate number of records of a round of deep.c.
const deepRound = 3300

// deepValues are the options for the arguments and results of deep.c.
var deepValues = []string{
	"-A", "^op_@arg2,arg3/s", "-A", "^find_@arg1/s", "-R", "^find_@retval/i32", "-R", "^hash_@retval/x32",
	"-A", "execute@arg2/i32", "-A", "call_function@arg2/s,arg3/i32", "-A", "call_value@arg2/s,arg3/i32",
}

// recordCalls makes missing recordings. Without uftrace or gcc there are no recordings.
func (o options) recordCalls() ([]callRecording, error) {
	list := []callRecording{
		{name: "plain", calls: o.calls, threads: 1, more: true},
		{name: "arguments", calls: o.calls, threads: 1, args: true},
		{name: "10 threads", calls: o.calls, threads: 10, more: true},
		{name: "10 threads and perf", calls: o.calls, threads: 10, perf: true},
		{name: "400 threads", calls: o.calls / 3, threads: 400},
		{name: "deep", calls: o.calls / 2, threads: 1, deep: true},
		{name: "deep, with arguments", calls: o.calls / 3, threads: 1, deep: true, args: true},
	}
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return nil, err
	}
	for i := range list {
		c := &list[i]
		c.path = c.in(dir)
		if _, err := os.Stat(filepath.Join(c.path, "info")); err != nil {
			for _, tool := range []string{"uftrace", "gcc"} {
				if _, err := exec.LookPath(tool); err != nil {
					return nil, nil
				}
			}
			if err := c.record(dir); err != nil {
				return nil, err
			}
		}
		if err := makeCallIndex(c.path); err != nil {
			return nil, err
		}
		files, err := filepath.Glob(filepath.Join(c.path, "*.dat"))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			n, err := fileSize(f)
			if err != nil {
				return nil, err
			}
			c.bytes += n
		}
	}
	return list, nil
}

// in returns the path of the recording.
func (c *callRecording) in(dir string) string {
	name := fmt.Sprintf("calls-%d-%d-%v", c.calls, c.threads, c.args)
	if c.perf {
		name += "-perf"
	}
	if c.deep {
		name += "-deep"
	}
	return filepath.Join(dir, name+".data")
}

// record runs the program under uftrace. A recording with perf is made from the existing recording
// of the same program without perf.
func (c *callRecording) record(dir string) error {
	if c.perf {
		without := *c
		without.perf = false
		return addSwitches(without.in(dir), c.path)
	}
	source, values, words := "bench", []string{"-A", "node@arg1/i32", "-A", "leaf@arg1/i32"},
		[]string{strconv.Itoa(c.calls), strconv.Itoa(c.threads)}
	if c.deep {
		source, values, words = "deep", deepValues, []string{strconv.Itoa(4 * c.calls / deepRound)}
	}
	program := filepath.Join(dir, source+"-calls")
	if _, err := os.Stat(program); err != nil {
		if err := command("gcc", "-pg", "-g", "-O0", "-pthread", "-o", program,
			"testdata/uftrace/src/"+source+".c"); err != nil {
			return err
		}
	}
	args := []string{"record", "--no-event", "--no-libcall", "-d", c.path}
	if c.args {
		args = append(args, values...)
	}
	return command("uftrace", append(append(args, program), words...)...)
}

// callTable holds the results of one recording.
type callTable struct {
	callRecording
	list []result
}

// allCalls measures the recordings.
func (o options) allCalls() ([]callTable, error) {
	recordings, err := o.recordCalls()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var tables []callTable
	for _, c := range recordings {
		list := callMeasurements
		if c.deep { // it has no generated decoder
			list = list[:2]
		}
		rows := measured("", list, c.bytes, self, c.path)
		for _, name := range c.commands() {
			words := append(strings.Fields(name), "-d", c.path)
			rows = append(rows, row{"tracec uftrace " + name, "to /dev/null", c.bytes,
				append([]string{o.tracec(), "uftrace"}, words...)})
			if _, err := exec.LookPath("uftrace"); err == nil {
				rows = append(rows, row{"uftrace " + name, "the reference, same recording", c.bytes,
					append([]string{"uftrace", "--no-pager"}, words...)})
			}
		}
		tables = append(tables, callTable{c, o.inTurn(rows)})
	}
	return tables, nil
}

// commands returns the commands to compare on a recording.
func (c *callRecording) commands() []string {
	switch {
	case c.more:
		return slices.Concat(callCommands, moreCommands)
	case c.deep:
		return slices.Concat(callCommands, deepCommands)
	}
	return callCommands
}

const callsTitle = "\n## uftrace\n"

// writeCalls prints the tables of uftrace's recordings.
func writeCalls(w io.Writer, o options, m machine, tables []callTable) {
	if len(tables) == 0 {
		return
	}
	fmt.Fprintf(w, callsTitle+"\nuftrace made these recordings in this session, from `bench.c` and `deep.c` in `testdata/uftrace/src`.\n"+
		"The same machine, %s, %s, best of %d runs. `go run ./cmd/internal/bench -uftrace -runs %d` writes this part alone.\n", m.golang, m.date, o.runs, o.runs)
	for _, t := range tables {
		events := countEvents(t.list)
		fmt.Fprintf(w, "\n%s: %.2f M records, %d MB\n\n", t.name, float64(events)/1e6, t.bytes/1e6)
		writeRows(w, t.list, events)
		t.writeRatios(w)
	}
}

// writeRatios compares each command of tracec with uftrace's.
func (t *callTable) writeRatios(w io.Writer) {
	byName := goodResults(t.list)
	fmt.Fprintln(w)
	if a, b := byName[fewCallIndex], byName[fewCalls]; a.cpu > 0 && b.cpu > 0 {
		fmt.Fprintf(w, "- %s has %.2f of the speed of %s\n", a.name, b.cpu.Seconds()/a.cpu.Seconds(), b.name)
	}
	for _, name := range t.commands() {
		writeRatio(w, byName, "tracec uftrace "+name, "uftrace "+name)
	}
}
