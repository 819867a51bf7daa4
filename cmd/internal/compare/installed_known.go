package main

import (
	"path"
	"regexp"
	"strings"
)

// known are commands that are left out where the texts differ and no rule tells why. testdata/differences.md shows, under "Where no
// saved text shows it", what uftrace 0.13 and trace-cmd 3.1.6 do wrong there.
var known = []struct {
	why        string
	recordings string // globs
	modes      string
	line       *regexp.Regexp
}{
	{"-Z and libraries of dlopen", "dlopen*", "u-*", regexp.MustCompile(`@size=|-Z `)},
	{"-Z and kernel functions", "kernel*", "u-replay u-report u-graph", regexp.MustCompile(`@size=|-Z `)},
	{"ranges of kernel functions", "kernel*", "u-dump u-report", regexp.MustCompile(`-r `)},
	{"graph --event-full of several threads", "thread* fork*", "u-graph", regexp.MustCompile(`--event-full`)},
	{"graph --tid of a forked child", "fork*", "u-graph", regexp.MustCompile(`--tid`)},
	{"forks of a forked process in dump", "forks*", "u-flame u-graphviz", regexp.MustCompile(``)},
	{"callers with a range", "*", "u-*", regexp.MustCompile(`(-C |@caller).*-r |-r .*(-C |@caller)`)},
	{"@trace -t and longjmp", "jumps* longjmp* finish*", "u-*", regexp.MustCompile(`@trace.* -t |-t .*@trace`)},
	{"a setjmp that @time hides", "jumps*", "u-flame u-graphviz u-graph", regexp.MustCompile(`setjmp@time=`)},
	{"replay --libname of libraries with a linkage table of their own", "cpp*", "u-replay", regexp.MustCompile(`--libname`)},
	{"replay of what --no-libcall hides", "*", "u-replay",
		regexp.MustCompile(`--no-libcall.*(-[DNF] |@depth|@filter|@notrace)|(-[DNF] |@depth|@filter|@notrace).*--no-libcall`)},
	{"longjmp that --no-libcall hides, to a setjmp that was not shown", "jumps*", "u-graph u-flame u-graphviz",
		regexp.MustCompile(`--no-libcall.*(--disable|-[NF] |-[CT] )|(--disable|-[NF] |-[CT] ).*--no-libcall`)},
	{"ranges of the dump family that cut a call of longjmp", "jumps* lost*", "u-flame u-graphviz", regexp.MustCompile(`-r `)},
	{"names of threads and times off the processor in a range", "thread* fork*", "u-chrome", regexp.MustCompile(`-r `)},
	{"dump --chrome --event-full, events before the program", "*", "u-chrome", regexp.MustCompile(`--event-full`)},
	{"ranges with --event-full", "*", "u-flame u-graphviz", regexp.MustCompile(`--event-full.*-r |-r .*--event-full`)},
	{"ranges where tracing is off", "*", "u-graph u-replay u-flame u-graphviz",
		regexp.MustCompile(`(--disable|@trace_o).*-r |-r .*(--disable|@trace_o)`)},
	{"trace-cmd --stat of packed files", "amd64-* i386-* s390x-*", "report", regexp.MustCompile(`--stat`)},
	{"trace-cmd -f, order of names of one address", "*", "report", regexp.MustCompile(`-f `)},
	{"trace-cmd --cpu, instances", "amd64-instances", "report", regexp.MustCompile(`--cpu`)},
	{"trace-cmd --ts-offset of one file", "*", "report", regexp.MustCompile(`--ts-offset`)},
	{"trace-cmd -F, stacks of events that were not chosen", "i386-userstack", "report", regexp.MustCompile(`-F `)},
	{"trace-cmd --raw-ts, files without a clock", "made*", "report", regexp.MustCompile(`--raw-ts`)},
	{"trace-cmd -F, no such event", "made* s390x* amd64-markers", "report", regexp.MustCompile(`-F sched`)},
	{"modules of events outside of the program", "*", "u-replay", regexp.MustCompile(`--event-full.*(-f all|task,module)|(-f all|task,module).*--event-full`)},
	{"levels of what tracing shows again", "*", "u-replay", regexp.MustCompile(`--disable.*(@hide|--no-sched|--task-newline)|(@hide|--no-sched|--task-newline).*--disable`)},
	{"exec while tracing is off", "forkexec* v3*", "u-chrome", regexp.MustCompile(`--disable|@trace_o`)},
	{"losses and filters", "lost*", "u-replay u-graph", regexp.MustCompile(`--disable|-[rDtZ] |@trace_off|@depth|@size`)},
}

// knownOf returns why a command is not compared, and "" for others.
func knownOf(recording, mode string, line []string) string {
	text := strings.Join(line, " ") + " "
	for _, k := range known {
		if matches(strings.Fields(k.recordings), path.Base(recording)) && matches(strings.Fields(k.modes), mode) && k.line.MatchString(text) {
			return k.why
		}
	}
	return ""
}

// unread are files of testdata that trace-cmd 3.1.6 does not read, or shows without the arguments of their functions.
var unread = []string{"sid-zlib", "made-args"}
