package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// command is a command of a tool and its options.
type command struct {
	mode  string
	words []string
	// options are used alone and in pairs. {f}, {file}, {comm}, {pid}, {tid}, several of them such
	// as {tids}, {time}, {us}, {n} and {dir} are placeholders for drawn values.
	options []string
}

// draw returns command lines: each option alone, and the given number of pairs.
func (c command) draw(random *rand.Rand, f *facts, pairs int) [][]string {
	lines := [][]string{c.words}
	line := func(options ...string) {
		args := append([]string{}, c.words...)
		slices.SortStableFunc(options, byPlace)
		for _, o := range options {
			for word := range strings.FieldsSeq(o) {
				args = append(args, f.fill(random, word))
			}
		}
		lines = append(lines, args)
	}
	for _, o := range c.options {
		line(o)
	}
	for range pairs {
		a, b := c.options[random.IntN(len(c.options))], c.options[random.IntN(len(c.options))]
		if a == b && !strings.HasPrefix(a, "-") { // of two functions uftrace graph takes the first
			continue
		}
		line(a, b)
	}
	return lines
}

// byPlace sorts functions after options, since uftrace accepts nothing after them.
func byPlace(a, b string) int {
	return cmp.Compare(strings.Index(b, "-"), strings.Index(a, "-"))
}

// fill replaces placeholders.
func (f *facts) fill(random *rand.Rand, word string) string {
	one := func(list []string) string {
		if len(list) == 0 {
			return "0"
		}
		return list[random.IntN(len(list))]
	}
	several := func(list []string) string {
		a, b := one(list), one(list)
		if a == b { // perf rejects a repeated option
			return a
		}
		return a + "," + b
	}
	for strings.Contains(word, "{") {
		before, rest, _ := strings.Cut(word, "{")
		name, after, _ := strings.Cut(rest, "}")
		value := ""
		switch name {
		case "f":
			value = one(f.functions)
		case "file":
			value = one(f.files)
		case "comm":
			value = one(f.comms)
		case "pid":
			value = one(f.pids)
		case "comms":
			value = several(f.comms)
		case "pids":
			value = several(f.pids)
		case "tids":
			value = several(f.tids)
		case "tid":
			value = one(f.tids)
		case "time":
			value = one(f.times)
		case "dir":
			value = f.dir
		case "n":
			value = fmt.Sprint(1 + random.IntN(5))
		case "us":
			value = fmt.Sprint(1 + random.IntN(1<<(1+random.IntN(10)))%999) // none of the four digits is read
		case "more":
			value = fmt.Sprint(500 + random.IntN(499))
		}
		word = before + value + after
	}
	return word
}

// filters are options of all commands of uftrace.
var filters = []string{
	"-F {f}", "-F {f} -F {f}", "-N {f}", "-C {f}", "-H {f}", "-L {file}", "-L {file}@hide", "-L !{file}",
	"-F {f}@depth={n}",
	"-D {n}", "-t {us}ns", "-t {us}us", "-Z {us}", "-r {us}us~", "-r ~{us}us", "-r {us}us~{more}us", "--tid {tid}",
	"--disable", "--no-libcall",
	"--no-event", "--no-sched", "--event-full", "--match glob -F *{f}", "--demangle full", "--demangle no",
	"-T {f}@depth={n}", "-T {f}@trace_off", "--disable -T {f}@trace_on", "-T {f}@backtrace", "-T {f}@hide",
	"-T {f}@time={us}ns", "-T {f}@color=red",
	"-T {f}@filter", "-T {f}@notrace", "-T {f}@trace -t {us}us", "--kernel-full", "--no-args", "-T {f}@size={n}",
	"-T {f}@caller",
}

// uftraceCommands are the commands that read recordings.
var uftraceCommands = []command{
	{"u-replay", []string{"replay"}, append([]string{
		"-f all", "-f none", "-f +time", "-f duration", "-f tid,addr", "-f delta,elapsed", "-f task,module",
		"--no-merge", "--flat", "--column-view",
		"--column-view --column-offset {n}", "--task-newline", "--no-comment", "--libname", "--srcline",
	}, filters...)},
	{"u-dump", []string{"dump"}, append([]string{"--srcline"}, filters...)},
	{"u-chrome", []string{"dump", "--chrome"}, append([]string{"--srcline"}, filters...)},
	{"u-flame", []string{"dump", "--flame-graph"}, append([]string{"--sample-time {us}ns"}, filters...)},
	{"u-graphviz", []string{"dump", "--graphviz"}, filters},
	{"u-report", []string{"report"}, append([]string{
		"-f all", "-f total,self", "-f self-avg,self-min,self-max", "-f total-avg,call,size", "-f none", "-f +size",
		"-s self", "-s call,func", "-s size",
		"-s total_avg", "-s self_max", "--avg-total", "--avg-self", "--task", "--srcline", "--diff {dir}",
		"--diff {dir} --diff-policy full",
		"--task -s self", "--task -f tid", "--diff {dir} --diff-policy compact,no-percent",
		"--diff {dir} --sort-column 1",
	}, filters...)},
	{"u-graph", []string{"graph"}, append([]string{"{f}", "-f all", "-f none", "-f self", "-f total,addr", "-f +self",
		"--task", "--srcline", "--task -f self"}, filters...)},
	{"u-info", []string{"info"}, []string{"--task", "--symbols", "--no-libcall", "-F {f}"}},
}

// traceCmdReport is trace-cmd report.
var traceCmdReport = command{"report", []string{"report"}, []string{
	"-R", "-N", "-t", "--ts-diff", "--ts-offset {us}", "--ts2secs {us}000000", "-l", "-w", "--cpu 0", "--cpu 1",
	"--cpu 0,1", "--nodate", "--raw-ts", "-e", "-f", "-p",
	"-O fgraph:tailprint", "-O parent", "-T", "-P", "-E", "--first-event", "--last-event", "--stat", "--uname",
	"--version", "--check-events", "-v -F sched",
	"-F sched", "-F .*:common_pid!=0", "-r sched_switch", "-n sched_switch", "-q",
}}
