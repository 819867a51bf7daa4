package main

import (
	"path"
	"regexp"
	"strings"
)

// known lists commands that are skipped because the texts differ in their shape and no rule
// explains that. testdata/differences.md describes the tool's errors: uftrace 0.13 and trace-cmd
// 3.1.6 under "Where no saved text shows it", babeltrace2 2.0.4 under "babeltrace2 2.0.4 of a
// machine".
var known = []struct {
	why        string
	recordings string // globs
	modes      string
	line       *regexp.Regexp
	shape      shape
}{
	{"ranges of kernel functions", "kernel*", "u-dump u-report", option(`-r `), shape{mask: numbers, lines: shorter}},
	{"ranges of kernel functions, sorted by other times", "kernel*", "u-report", option(`-r .*-s `),
		shape{mask: numbers, lines: sorted(shorter)}},
	{"ranges of kernel functions", "kernel*", "u-replay u-flame", option(`-r `),
		shape{mask: columns, lines: within}},
	{"graph of a range, headings of programs without calls", "*", "u-graph", option(`-r `), shape{lines: called}},
	{"graph --event-full of several threads", "thread* fork*", "u-graph", option(`--event-full`),
		shape{mask: numbers, lines: functions}},
	{"graph --event-full of a thread, which is not found", "thread* fork*", "u-graph",
		optionPair(`--event-full`, `--tid `), shape{lines: unfound}},
	{"graph --tid of a forked child", "fork* v3*", "u-graph", option(`--tid`), shape{lines: called}},
	{"@trace -t and longjmp", jumping, "u-report", optionPair(`@trace `, `-t `), shape{mask: jumpRow, lines: same}},
	{"@trace -t and longjmp", jumping, "u-*", optionPair(`@trace `, `-t `), shape{mask: numbers, lines: afterJump}},
	{"a setjmp that @time hides", jumping, "u-report", option(`setjmp@time=`), shape{mask: jumpRow, lines: same}},
	{"a setjmp that @time hides", jumping, "u-*", option(`setjmp@time=`), shape{mask: numbers, lines: afterJump}},
	{"-Z, entries of libraries of dlopen", "dlopen*", "u-replay", sized, shape{mask: plugReplay, lines: same}},
	{"-Z, entries of libraries of dlopen", "dlopen*", "u-chrome", sized, shape{mask: plugEvent, lines: same}},
	{"-Z, entries of libraries of dlopen", "dlopen*", "u-report", sized, shape{mask: plugRow, lines: same}},
	{"-Z, entries of libraries of dlopen", "dlopen*", "u-graph", sized, shape{mask: plugGraph, lines: longer}},
	{"-Z, entries of libraries of dlopen", "dlopen*", "u-flame", sized, shape{mask: plugFlame, lines: same}},
	{"-Z, entries of libraries of dlopen", "dlopen*", "u-graphviz", sized, shape{mask: plugEdge, lines: longer}},
	{"-Z, entries of kernel functions", "kernel*", "u-replay", sized, shape{mask: kernelReplay, lines: same}},
	{"-Z, entries of kernel functions", "kernel*", "u-chrome", sized, shape{mask: kernelEvent, lines: same}},
	{"-Z, entries of kernel functions", "kernel*", "u-report", sized, shape{mask: kernelRow, lines: same}},
	{"-Z, entries of kernel functions", "kernel*", "u-graph", sized, shape{mask: kernelTree, lines: longer}},
	{"-Z, entries of kernel functions", "kernel*", "u-flame", sized, shape{mask: kernelFlame, lines: same}},
	{"-Z, entries of kernel functions", "kernel*", "u-graphviz", sized, shape{mask: kernelEdge, lines: same}},
	{"replay --libname of libraries with a linkage table of their own", "cpp*", "u-replay", option(`--libname`),
		shape{mask: regexp.MustCompile(`@lib[^(]*`), lines: same}},
	{"replay of what --no-libcall hides", "*", "u-replay",
		optionPair(`--no-libcall`, `-[DNF] |@depth|@filter|@notrace`), shape{mask: numbers, lines: within}},
	{"longjmp that --no-libcall hides, to a setjmp that was not shown", jumping + " finish*",
		"u-graph u-flame u-graphviz u-chrome u-dump",
		optionPair(`--no-libcall`, `--disable|-[NFCTD] `), shape{mask: numbers, lines: afterJump}},
	{"longjmp that --no-libcall hides, to a setjmp that was not shown", "finish*", "u-flame",
		optionPair(`--no-libcall`, `-D `), shape{mask: jumpCount, lines: same}},
	{"ranges of the dump family that cut a call of longjmp", "jumps*", "u-flame u-graphviz", option(`-r `),
		shape{mask: counts, lines: within}},
	{"names of threads and times off the processor in a range", "thread* fork*", "u-chrome", option(`-r `),
		shape{mask: threadName, lines: same}},
	{"dump --chrome --event-full, events before the program", "*", "u-chrome", option(`--event-full`),
		shape{lines: punctuated}},
	{"calls before exec in backtraces", "forkexec* v3*", "u-graph", option(``), shape{mask: beforeExec, lines: same}},
	{"address of the root while tracing is off", "*", "u-graph",
		optionPair(`--disable|@trace_o`, `-f (?:all|total,addr)`),
		shape{mask: rootAddress, lines: same}},
	{"graph --no-libcall, calls that exec left", "forkexec* v3*", "u-graph",
		optionPair(`--no-libcall`, `-[FTNLCDtZ] |--disable`), shape{lines: calledRoots}},
	{"trace-cmd --stat of packed files", "amd64-* i386-* s390x-*", "report", option(`--stat`),
		shape{mask: places, lines: same}},
	{"trace-cmd -f, order of names of one address", "*", "report", option(`-f `), shape{lines: tied(address)}},
	{"trace-cmd --cpu, instances", "amd64-instances", "report", option(`--cpu`),
		shape{mask: times, lines: longer, of: instances}},
	{"trace-cmd --cpu and -F, instances, until the tool dies", "amd64-instances", "report", optionPair(`--cpu`, `-F `),
		shape{mask: times, lines: begunWithout(instances)}},
	{"trace-cmd --ts-offset of one file", "*", "report", option(`--ts-offset`), shape{mask: times, lines: same}},
	{"trace-cmd -F, stacks of events that were not chosen", "i386-userstack", "report", option(`-F `),
		shape{mask: regexp.MustCompile(`\(\+\d+\)`), lines: shorter, of: stacks}},
	{"trace-cmd --raw-ts, files without a clock", "made*", "report", option(`--raw-ts`),
		shape{mask: numbers, lines: same}},
	{"trace-cmd -F, no such event", "made* s390x*", "report", option(`-F sched`),
		shape{lines: refusing, refuses: option("has no event `sched`")}},
	{"modules of events outside of the program", "*", "u-replay", optionPair(`--event-full`, `-f all|task,module`),
		shape{mask: regexp.MustCompile(`\[(?:event|unknown)\](?: \| +/\* linux:sched)`), lines: same}},
	{"levels of what tracing shows again", "*", "u-replay",
		optionPair(`--disable`, `--no-sched|@trace_off`), shape{lines: same}},
	{"levels after exec, of --tid until tracing is on", "forkexec* v3*", "u-replay", optionPair(`--disable`, `--tid `),
		shape{lines: same}},
	{"levels of forked children that -N hides until tracing is on", "fork*", "u-replay",
		optionPair(`--disable`, `-N |@notrace`), shape{lines: same}},
	{"events before the program in a range", "*", "u-replay", optionPair(`--event-full`, `-r `),
		shape{lines: shorter, of: schedIn}},
	{"report --task without events, calls that longjmp left", "jumps* longjmp*", "u-report",
		optionPair(`--task`, `-F |--no-event|@filter`), shape{mask: numbers, lines: same}},
	{"dump --chrome, a thread named in the middle of the heading", "thread*", "u-chrome",
		option(`--disable`), shape{lines: punctuated}},
	{"exec while tracing is off", "forkexec* v3*", "u-chrome", option(`--disable|@trace_o`),
		shape{mask: eventName, lines: same}},
	{"names of tasks in the old task file", "v3*", "u-info",
		option(`^info (?:--task |--symbols |--no-libcall |-F \S+ )*$`),
		shape{mask: regexp.MustCompile(`\([^)]*\)`), lines: longer}},
	{"-s size, functions as large as the one before time off the processor", "*", "u-report", option(`-s size`),
		shape{lines: reordered, of: schedules}},
	{"report --task --diff, in the order of threads", "*", "u-report", optionPair(`--task`, `--diff `),
		shape{lines: reordered}},
	{"-s size, sizes of time off the processor, which is no function", "*", "u-report",
		optionPair(`-s size`, `-f (?:all|\S*size)`), shape{mask: scheduleSize, lines: reordered}},
	{"babeltrace2 --clock-offset-ns, in cycles of the clock, and times before its origin",
		"babeltrace-* barectf-* odd-* perf-* random-* tracecompass-*", "babeltrace",
		option(`--clock-offset-ns`), shape{mask: lineTimes, lines: emptied}},
	{"babeltrace2 --begin and --end without a clock", "*", "babeltrace", option(`--begin|--end`),
		shape{lines: longer, of: untimed}},
	{"babeltrace2 --begin and --end of packets without a time of their own", "*", "babeltrace",
		option(`--begin|--end`), shape{lines: begun, said: option(`packets have no (?:beginning|end) clock snapshot`)}},
	{"babeltrace2, empty strings and the order of labels", "*", "babeltrace", option(``), shape{lines: emptied}},
	{"babeltrace2 --begin, empty strings that are those of an event before", "*", "babeltrace", option(`--begin`),
		shape{lines: emptiedBefore}},
	{"babeltrace2 --clock-offset of a trace that describes no clock",
		"odd-zephyr babeltrace-1-deterministic-ordering*", "babeltrace",
		option(`--clock-offset`), shape{mask: lineTimes, lines: same}},
	{"perf script without symbols, whose offsets are a default", "perf-*", "perf", option(`-F \S*(?:-sym|\+symoff)`),
		shape{lines: begun, said: option(`Display of offsets requested but symbol is`)}},
	{"perf script -C of processors that this machine does not have", "perf-*", "perf", option(`-C `),
		shape{lines: begun, said: option(`Requested CPU \d+ too large`)}},
	{"perf script -C of a recording with an event that has no processor", "perf-*", "perf", option(`-C `),
		shape{lines: begun, said: option(`File does not contain CPU events`)}},
	{"perf script of fields that some events do not sample", "perf-*", "perf", option(`-F `),
		shape{lines: begun, said: option(`Samples for '.*' event do not have \w+ attribute set\. Cannot print`)}},
	{"perf script, processors of records that have none", "perf-*", "perf", option(`--show-`),
		shape{mask: noProcessor, lines: same}},
	{"perf script, protection of mappings of the other byte order", "perf-s390x-*", "perf",
		option(`--show-mmap-events`), shape{mask: protection, lines: same}},
	{"ranges of a thread whose program was scheduled before its first call", "*", "u-replay",
		optionPair(`--tid `, `-r `), shape{mask: numbers, lines: longer}},
	{"perf script of a pipe, fields of events with call chains", "perf-*pipe-*", "perf", option(`-F `),
		shape{mask: frames, lines: same}},
	{"perf script of fields that no event has", "perf-*", "perf", option(`-F \S*,trace`),
		shape{lines: refusing, refuses: option(`-F \S+: no event of \S+ samples it`)}},
	{"perf script, samples that the kernel could not write", "perf-*lost*", "perf", option(`--show-lost-events`),
		shape{lines: longer, of: lostSamples}},
	{"perf script, pages of the kernel's map", "perf-*kmem*", "perf", option(``), shape{mask: pages, lines: same}},
	{"babeltrace2, the order of events at one time", "*", "babeltrace", option(``),
		shape{mask: distances, lines: tied(moment)}},
	{"losses, headings of graphs without calls", "lost*", "u-graph", option(`-[FCDtr] |@|--disable`),
		shape{lines: called}},
	{"losses in a range, the end of a call that began before", "lost*", "u-replay u-report",
		optionPair(`-[FN] |@filter|@notrace`, `-r `), shape{lines: shorter, of: lostEnd}},
	{"names of times off the processor that are open at the end of a range", "*", "u-replay", option(`-r `),
		shape{mask: openSchedule, lines: same}},
	{"functions of libraries of dlopen in backtraces", "dlopen*", "u-graph", option(`\bplug_`),
		shape{mask: plugFrame, lines: same}},
}

// option matches commands with an option.
func option(text string) *regexp.Regexp { return regexp.MustCompile(text) }

// optionPair matches commands with two options, in either order.
func optionPair(a, b string) *regexp.Regexp {
	return regexp.MustCompile(`(` + a + `).*(` + b + `)|(` + b + `).*(` + a + `)`)
}

// knownOf returns the reason why the lines of a command differ, or "" if it is unknown. printed
// holds our lines to compare.
func knownOf(recording, mode string, line []string, ref, ours *answer, printed []byte) string {
	text := strings.Join(line, " ") + " "
	for i := range known {
		k := &known[i]
		if matches(strings.Fields(k.recordings), path.Base(recording)) && matches(strings.Fields(k.modes), mode) &&
			k.line.MatchString(text) && (k.shape.said == nil || k.shape.said.Match(ref.said)) &&
			(k.shape.refuses == nil || k.shape.refuses.Match(ours.said)) && k.shape.holds(ref.text, printed) {
			return k.why
		}
	}
	return ""
}

// unread are files of testdata that trace-cmd 3.1.6 cannot read, or prints without the arguments of
// their functions.
var unread = []string{"sid-zlib", "made-args"}
