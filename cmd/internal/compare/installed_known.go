package main

import (
	"path"
	"regexp"
	"strings"
)

// known are commands that are left out where the texts differ in their shape and no rule tells why.
// testdata/differences.md shows, under "Where no saved text shows it", what uftrace 0.13 and
// trace-cmd 3.1.6 do wrong there.
var known = []struct {
	why        string
	recordings string // globs
	modes      string
	line       *regexp.Regexp
	shape      shape
}{
	{"-Z and libraries of dlopen", "dlopen*", "u-*", option(`@size=|-Z `), shape{dlopened, within}},
	{"-Z and kernel functions", "kernel*", "u-*", option(`@size=|-Z `), shape{inKernel, functions}},
	{"ranges of kernel functions", "kernel*", "u-dump u-report", option(`-r `), shape{numbers, shorter}},
	{"graph of a range that begins off the processor", "*", "u-graph", option(`-r `), shape{heading, within}},
	{"graph --event-full of several threads", "thread* fork*", "u-graph", option(`--event-full`),
		shape{numbers, functions}},
	{"graph --tid of a forked child", "fork* v3*", "u-graph", option(`--tid`), shape{heading, within}},
	{"callers with a range", "*", "u-*", optionPair(`-C |@caller`, `-r `), shape{numbers, within}},
	{"@trace -t and longjmp", "jumps* longjmp* finish*", "u-*", optionPair(`@trace `, `-t `),
		shape{numbers, functions}},
	{"a setjmp that @time hides", "jumps*", "u-flame u-graphviz u-graph", option(`setjmp@time=`), shape{numbers, shorter}},
	{"replay --libname of libraries with a linkage table of their own", "cpp*", "u-replay", option(`--libname`), shape{regexp.MustCompile(`@lib[^(]*`), same}},
	{"replay of what --no-libcall hides", "*", "u-replay", optionPair(`--no-libcall`, `-[DNF] |@depth|@filter|@notrace`), shape{numbers, within}},
	{"longjmp that --no-libcall hides, to a setjmp that was not shown", "jumps*", "u-graph u-flame u-graphviz",
		optionPair(`--no-libcall`, `--disable|-[NFCT] `), shape{numbers, within}},
	{"ranges of the dump family that cut a call of longjmp", "jumps* lost*", "u-flame u-graphviz", option(`-r `),
		shape{numbers, functions}},
	{"names of threads and times off the processor in a range", "thread* fork*", "u-chrome", option(`-r `), shape{eventName, same}},
	{"dump --chrome --event-full, events before the program", "*", "u-chrome", option(`--event-full`), shape{nil, punctuated}},
	{"ranges where tracing is off", "*", "u-graph u-replay u-flame u-graphviz", optionPair(`--disable|@trace_o`, `-r `), shape{heading, within}},
	{"trace-cmd --stat of packed files", "amd64-* i386-* s390x-*", "report", option(`--stat`), shape{places, same}},
	{"trace-cmd -f, order of names of one address", "*", "report", option(`-f `), shape{nil, reordered}},
	{"trace-cmd --cpu, instances", "amd64-instances", "report", option(`--cpu`), shape{times, longer}},
	{"trace-cmd --ts-offset of one file", "*", "report", option(`--ts-offset`), shape{times, same}},
	{"trace-cmd -F, stacks of events that were not chosen", "i386-userstack", "report", option(`-F `), shape{nil, shorter}},
	{"trace-cmd --raw-ts, files without a clock", "made*", "report", option(`--raw-ts`), shape{numbers, same}},
	{"trace-cmd -F, no such event", "made* s390x* amd64-markers", "report", option(`-F sched`), shape{nil, shorter}},
	{"modules of events outside of the program", "*", "u-replay", optionPair(`--event-full`, `-f all|task,module`), shape{nil, same}},
	{"levels of what tracing shows again", "*", "u-replay", optionPair(`--disable`, `@hide|--no-sched|@trace_off`), shape{nil, same}},
	{"columns and empty lines of threads while tracing is off", "*", "u-replay", optionPair(`--disable`, `--task-newline|--column-view`), shape{nil, same}},
	{"report --task without events, calls that longjmp left", "jumps* longjmp*", "u-report", optionPair(`--task`, `-F |--no-event|@filter`), shape{numbers, same}},
	{"dump --chrome, a thread named in the middle of the heading", "thread*", "u-chrome", optionPair(`--disable`, `@caller`), shape{nil, punctuated}},
	{"exec while tracing is off", "forkexec* v3*", "u-chrome", option(`--disable|@trace_o`), shape{eventName, same}},
	{"names of tasks in the old task file", "v3*", "u-info", option(`^info (?:--task |--symbols |--no-libcall |-F \S+ )*$`), shape{regexp.MustCompile(`\([^)]*\)`), longer}},
	{"-s size, a function as large as the one before time off the processor", "dlopen*", "u-report", option(`-s size`), shape{nil, reordered}},
	{"losses and filters", "lost*", "u-replay u-graph", option(`--disable|-[rDtZ] |@trace_off|@depth|@size|-C .*-F |-F .*-C `), shape{heading, within}},
}

// option matches commands with an option.
func option(text string) *regexp.Regexp { return regexp.MustCompile(text) }

// optionPair matches commands with two options, in any order.
func optionPair(a, b string) *regexp.Regexp {
	return regexp.MustCompile(`(` + a + `).*(` + b + `)|(` + b + `).*(` + a + `)`)
}

// knownOf returns why the lines of a command differ, and "" where that is not known.
func knownOf(recording, mode string, line []string, theirs, ours []byte) string {
	text := strings.Join(line, " ") + " "
	for i := range known {
		k := &known[i]
		if matches(strings.Fields(k.recordings), path.Base(recording)) && matches(strings.Fields(k.modes), mode) &&
			k.line.MatchString(text) && k.shape.holds(theirs, ours) {
			return k.why
		}
	}
	return ""
}

// unread are files of testdata that trace-cmd 3.1.6 does not read, or shows without the arguments
// of their functions.
var unread = []string{"sid-zlib", "made-args"}
