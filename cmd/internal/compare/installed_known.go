package main

import (
	"path"
	"regexp"
	"strings"
)

// known are commands of uftrace 0.13 that are not compared, since testdata/differences.md lists, under "Where no saved text shows it", what it
// does wrong there: what follows from that differs in most lines, so that no rule could be tight.
var known = []struct {
	why        string
	recordings string // globs
	modes      string
	line       *regexp.Regexp
}{
	{"-Z and libraries of dlopen, and of the kernel", "dlopen* kernel*", "u-*", regexp.MustCompile(`@size=|-Z `)},
	{"graph -r", "*", "u-graph", regexp.MustCompile(`-r `)},
	{"graph --event-full", "*", "u-graph", regexp.MustCompile(`--event-full`)},
	{"graph --tid of a forked child", "fork*", "u-graph", regexp.MustCompile(`--tid`)},
	{"forks of a forked process in dump", "fork*", "u-flame u-graphviz", regexp.MustCompile(``)},
	{"callers with a range", "*", "u-*", regexp.MustCompile(`(-C |@caller).*-r |-r .*(-C |@caller)`)},
	{"-D, -t and longjmp", "jumps* longjmp* finish*", "u-*", regexp.MustCompile(`-D |@depth=|@trace -t |-t .*@trace`)},
	{"ranges of the dump family that cut a call of longjmp", "jumps* lost*", "u-flame u-graphviz", regexp.MustCompile(`-r `)},
	{"names of threads and times off the processor in a range of chrome", "*", "u-chrome", regexp.MustCompile(`-r `)},
	{"-s size with times off the processor", "*", "u-report", regexp.MustCompile(`-s size`)},
	{"report --diff with nothing on one side", "*", "u-report", regexp.MustCompile(`--diff .*(--disable|@trace_o)|(--disable|@trace_o).*--diff `)},
	{"sizes of what is no function in report --diff", "*", "u-report", regexp.MustCompile(`--diff .*(size|-f all)|(size|-f all).*--diff `)},
	{"several -s", "*", "u-report", regexp.MustCompile(`-s .*-s `)},
	{"patterns for names that C++ has for types", "forks*", "u-*", regexp.MustCompile(`--demangle full`)},
	{"replay --libname", "cpp*", "u-replay", regexp.MustCompile(`--libname`)},
	{"-N and -F of calls that --no-libcall hides", "*", "u-flame u-graph u-graphviz", regexp.MustCompile(`--no-libcall.*-[NF] |-[NF] .*--no-libcall|--no-libcall.*@(notrace|filter)|@(notrace|filter).*--no-libcall`)},
	{"graph -D where a filter matches nothing", "*", "u-graph", regexp.MustCompile(`-D .*(-L |@)|(-L |@).*-D `)},
	{"graphs of several programs with filters", "forkexec* v3*", "u-graph", regexp.MustCompile(`-[FCLN] |@filter|@caller`)},
	{"graph --no-libcall of nothing", "longjmp* libcalls*", "u-graph", regexp.MustCompile(`--no-libcall.*(--disable|-N )|(--disable|-N ).*--no-libcall`)},
	{"ranges with --event-full", "*", "u-flame u-graphviz", regexp.MustCompile(`--event-full.*-r |-r .*--event-full`)},
	{"ranges where tracing is off", "fork* v3*", "u-*", regexp.MustCompile(`(--disable|@trace_o).*-r |-r .*(--disable|@trace_o)`)},
	{"callers where tracing is off", "fork* v3*", "u-*", regexp.MustCompile(`(--disable|@trace_o).*-C |-C .*(--disable|@trace_o)`)},
	{"report --task with --disable", "*", "u-report", regexp.MustCompile(`--task.*--disable|--disable.*--task`)},
	{"names of tasks in the old task file", "v3*", "u-info", regexp.MustCompile(``)},
	{"trace-cmd 3.1.6 does not read it", "sid-zlib made-args", "report", regexp.MustCompile(``)},
	{"report --stat", "*", "report", regexp.MustCompile(`--stat`)},
	{"report -f, order of names of one address", "*", "report", regexp.MustCompile(`-f `)},
	{"report --ts2secs, overflow", "*", "report", regexp.MustCompile(`--ts2secs`)},
	{"report --cpu, instances", "amd64-instances", "report", regexp.MustCompile(`--cpu`)},
	{"report -R, stacks with fewer than eight entries", "*", "report", regexp.MustCompile(`-R `)},
	{"report -F, stacks of events that were not chosen", "i386-userstack", "report", regexp.MustCompile(`-F sched`)},
	{"report --raw-ts, files without a clock", "made*", "report", regexp.MustCompile(`--raw-ts`)},
	{"report -F, no such event", "made* s390x*", "report", regexp.MustCompile(`-F sched`)},
	{"modules of events outside of the program", "*", "u-replay", regexp.MustCompile(`--event-full.*(-f all|task,module)|(-f all|task,module).*--event-full`)},
	{"levels of what tracing shows again", "*", "u-replay", regexp.MustCompile(`--disable.*(@hide|--no-sched|--task-newline)|(@hide|--no-sched|--task-newline).*--disable`)},
	{"several threads of equal order in report --task", "*", "u-report", regexp.MustCompile(`--task -f tid`)},
	{"ranges and levels of kernel functions", "kernel*", "u-*", regexp.MustCompile(`-r |-D |@depth`)},
	{"exec while tracing is off", "forkexec* v3*", "u-chrome", regexp.MustCompile(`--disable|@trace_o`)},
	{"report --diff with -L", "*", "u-report", regexp.MustCompile(`-L .*--diff|--diff .*-L `)},
	{"messages of dump about names in other forms", "cpp*", "u-flame u-graphviz", regexp.MustCompile(`--demangle`)},
	{"losses and filters", "lost*", "u-*", regexp.MustCompile(`--disable|-[rDtZ] |@trace_off|@depth|@size|graph`)},
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
