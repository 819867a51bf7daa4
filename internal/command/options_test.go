package command

import (
	"bytes"
	stdcmp "cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
)

// optionSystem is a recording of a system for TestOptions. The wanted result of a selection is
// computed from the output without a selection.
type optionSystem struct {
	name  string
	path  string   // under testdata; an archive is unpacked
	whole []string // the command that prints all columns; the file is added
	args  []string // more arguments of report
	// line finds an event in the whole output. Its groups are name, time, cpu and task. They may be
	// absent.
	line *regexp.Regexp
	// chosen finds an event in the output of report: name and time.
	chosen *regexp.Regexp
	noun   string // the noun in messages
	groups string // separator of system and name; empty if names have no system
	// Differences between systems.
	noCPUs, templates, allTasks, laterTasks bool
	micros, noIndex                         bool
	nothing                                 string // noun of "no ... matches"
	file                                    string // set by open
	tar                                     string
	events                                  []optionEvent
	times                                   []string // see timesOf
}

type optionEvent struct {
	key, name, time string
	cpu, task       int
	depth           int
}

var ftraceLine = regexp.MustCompile(`^.*-(?P<task>\d+) +\[(?P<cpu>\d+)\] +(?P<time>[0-9.]+): (?P<name>[^ :]+):`)

var uftraceLine = regexp.MustCompile(`^(?P<time>\d+\.\d{9}) +(?P<task>\d+): \[(?P<kind>entry|exit )\] (?P<name>[^(]+)\([0-9a-f]+\) depth: (?P<depth>\d+)`)

var lttngLine = regexp.MustCompile(`^(?P<name>\w+\.\w+): (?P<time>[0-9.]+) \([^)]*_(?P<cpu>\d+)\), (?P<task>\d+), `)

func optionSystems() []*optionSystem {
	return []*optionSystem{
		{name: "ftrace", path: "ftrace/amd64-extract.dat", whole: []string{"report"}, line: ftraceLine,
			chosen: ftraceLine, noun: "event", nothing: "event", groups: ":", micros: true},
		{name: "tracefs", path: "ftrace/amd64-snapshot.tar.zst", whole: []string{"report"}, line: ftraceLine,
			chosen: ftraceLine, noun: "event", nothing: "event", groups: ":", micros: true, noIndex: true},
		{
			name: "aix", path: "aix/shop64.trc", whole: []string{"trcrpt", "-O", "cpuid=on,tid=on,timestamp=0"},
			noun: "hook", nothing: "event", templates: true, noIndex: true,
			line:   regexp.MustCompile(`^(?P<name>[0-9A-F]{3,4}) +(?P<cpu>\d+) +(?P<task>\d+) +(?P<time>\d+\.\d{9}) `),
			chosen: regexp.MustCompile(`^(?P<name>[0-9A-F]{3,4}) +(?P<time>\d+\.\d{9}) `),
		},
		{
			name: "uftrace", path: "uftrace/threads/data.tar.gz", whole: []string{"report", "-R"}, args: []string{"-R"},
			line: uftraceLine, chosen: uftraceLine,
			noun: "function", nothing: "call", groups: ":", noCPUs: true, allTasks: true,
		},
		{name: "lttng", path: "lttng/synthetic/v26-be32-aligned.tar.xz", whole: []string{"report"}, line: lttngLine,
			chosen: lttngLine, noun: "marker", nothing: "event", groups: ".", laterTasks: true},
	}
}

// tracec runs a command in this process.
func tracec(stdin []byte, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, bytes.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// open puts the recording, and an archive of it, into a directory, and reads all events.
func (s *optionSystem) open(t *testing.T) {
	t.Helper()
	s.file = unpackedSample(t, filepath.Join("../../testdata", s.path))
	s.tar = tarOf(t, s.file)
	code, out, errs := tracec(nil, append(slices.Clone(s.whole), s.file)...)
	if code != 0 || errs != "" {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	s.events = s.parse(out, s.line)
	if len(s.events) < 10 {
		t.Fatalf("%d events in\n%.2000s", len(s.events), out)
	}
	s.times = s.timesOf(t, s.file)
}

// parse finds the events in an output.
func (s *optionSystem) parse(out string, re *regexp.Regexp) (events []optionEvent) {
	group := func(m []string, name string) string {
		if i := re.SubexpIndex(name); i >= 0 {
			return m[i]
		}
		return ""
	}
	for line := range strings.Lines(out) {
		m := re.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		e := optionEvent{name: group(m, "name"), time: group(m, "time")}
		e.cpu, _ = strconv.Atoi(group(m, "cpu"))
		e.task, _ = strconv.Atoi(group(m, "task"))
		e.depth, _ = strconv.Atoi(group(m, "depth"))
		e.key = strings.Join([]string{group(m, "kind"), e.name, e.time}, " ")
		events = append(events, e)
	}
	return events
}

// nanoseconds converts a printed time.
func nanoseconds(t *testing.T, text string) uint64 {
	t.Helper()
	whole, frac, _ := strings.Cut(text, ".")
	n, err := strconv.ParseUint(whole+(frac + "000000000")[:9], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// optionChoice holds options and the events that they select.
type optionChoice struct {
	args []string
	has  func(e optionEvent) bool
}

// choices returns the selections to test on a system, made from its events.
func (s *optionSystem) choices(t *testing.T) (list []optionChoice) {
	add := func(has func(e optionEvent) bool, args ...string) { list = append(list, optionChoice{args, has}) }
	ns := func(e optionEvent) uint64 { return nanoseconds(t, e.time) }
	times := slices.SortedFunc(slices.Values(s.events), func(a, b optionEvent) int { return int(ns(a)) - int(ns(b)) })
	low, high := times[len(times)/3], times[2*len(times)/3]
	add(func(optionEvent) bool { return true })
	add(func(e optionEvent) bool { return ns(e) >= ns(low) }, "--since", low.time)
	add(func(e optionEvent) bool { return ns(e) < ns(high) }, "--until", high.time)
	add(func(e optionEvent) bool { return ns(e) >= ns(low) && ns(e) < ns(high) }, "--since", low.time, "--until",
		high.time)
	add(func(optionEvent) bool { return false }, "--until", "0")
	if last := times[len(times)-1]; true {
		whole, _, _ := strings.Cut(last.time, ".")
		n, _ := strconv.Atoi(whole)
		add(func(optionEvent) bool { return false }, "--since", fmt.Sprint(n+1))
		add(func(e optionEvent) bool { return ns(e) >= uint64(n)*1e9 }, "--since", whole)
	}
	if !s.micros { // digits that no report prints
		add(func(e optionEvent) bool { return ns(e) > ns(low) }, "--since", low.time+"01")
		add(func(e optionEvent) bool { return ns(e) <= ns(high) }, "--until", high.time+"01")
		add(func(e optionEvent) bool { return ns(e) >= ns(low) }, "--since", low.time+"00")
		// Six digits are not a rounded microsecond: an event up to 500 ns earlier is before them.
		if i := slices.IndexFunc(times, func(e optionEvent) bool { return ns(e)%1000 > 500 }); i >= 0 {
			bound := (ns(times[i])/1000 + 1) * 1000
			add(func(e optionEvent) bool { return ns(e) >= bound }, "--since",
				fmt.Sprintf("%d.%06d", bound/1e9, bound%1e9/1000))
		}
	}
	ids := []int{low.task}
	for _, e := range times {
		if e.task != low.task {
			ids = append(ids, e.task)
			break
		}
	}
	add(func(e optionEvent) bool { return e.task == ids[0] }, "--pid", fmt.Sprint(ids[0]))
	add(func(e optionEvent) bool { return slices.Contains(ids, e.task) }, "--pid",
		strings.Trim(strings.ReplaceAll(fmt.Sprint(ids), " ", ","), "[]"))
	if !s.noCPUs {
		cpu := low.cpu
		add(func(e optionEvent) bool { return e.cpu == cpu }, "--cpu", fmt.Sprint(cpu))
		add(func(e optionEvent) bool { return e.cpu <= cpu }, "--cpu", fmt.Sprintf("0-%d", cpu))
		add(func(optionEvent) bool { return true }, "--cpu", "all")
		add(func(e optionEvent) bool { return e.cpu == cpu && ns(e) >= ns(low) }, "--cpu", fmt.Sprint(cpu), "--since",
			low.time)
	}
	return append(list, s.globs(low.name, high.name)...)
}

// globs returns selections by name. In uftrace they select calls together with all calls within
// them.
func (s *optionSystem) globs(a, b string) (list []optionChoice) {
	add := func(has func(e optionEvent) bool, args ...string) { list = append(list, optionChoice{args, has}) }
	named := func(names ...string) func(optionEvent) bool {
		if s.name != "uftrace" {
			return func(e optionEvent) bool { return slices.Contains(names, e.name) }
		}
		open := map[int]int{} // depth of the selected call of each thread, plus one
		return func(e optionEvent) bool {
			in := open[e.task]
			if in == 0 && slices.Contains(names, e.name) {
				in = e.depth + 1
				open[e.task] = in
			}
			if in == e.depth+1 && strings.HasPrefix(e.key, "exit") {
				delete(open, e.task)
			}
			return in > 0
		}
	}
	add(named(a), "-e", a)
	add(named(a, b), "-e", a, "-e", b)
	add(named(a, b), "-e", a+","+b)
	add(named(a), "-e", "["+a[:1]+"]"+a[1:])
	add(named(a), "-e", "?"+a[1:], "-e", a)
	if s.name == "ftrace" || s.name == "tracefs" {
		add(named(a), "-e", "*:"+a)
		add(named(a), "-e", "*/"+a)
	}
	if s.name == "uftrace" {
		add(named(a), "-e", "threads:"+a)
	}
	return list
}

// TestOptions checks that options that select have one meaning for every system. Their output is
// the matching part of the whole output, in report and in stat. The input is a recording, its
// archive, or standard input.
func TestOptions(t *testing.T) {
	for _, s := range optionSystems() {
		t.Run(s.name, func(t *testing.T) {
			s.open(t)
			for _, c := range needs.Some(t, s.choices(t), 6) {
				t.Run(strings.Join(c.args, " "), func(t *testing.T) { s.choose(t, c) })
			}
			for _, m := range optionMessages {
				t.Run(strings.Join(m.args, " "), func(t *testing.T) { s.message(t, m) })
			}
			s.inputs(t)
		})
	}
}

func (s *optionSystem) choose(t *testing.T, c optionChoice) {
	var want []string
	for _, e := range s.events {
		if c.has(e) {
			want = append(want, e.key)
		}
	}
	code, out, errs := tracec(nil, slices.Concat([]string{"report"}, s.args, c.args, []string{s.file})...)
	var got []string
	for _, e := range s.parse(out, s.chosen) {
		got = append(got, e.key)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("report (-matches +printed):\n%s", d)
	}
	message := ""
	if len(want) == 0 {
		message = s.none(s.nothing, c.args)
	}
	if code != 0 || errs != message {
		t.Errorf("report: exit code %d, message %q, want %q", code, errs, message)
	}
	s.count(t, c, want)
}

// count compares stat. For uftrace, stat counts only outermost calls, so only selections without -e
// are compared.
func (s *optionSystem) count(t *testing.T, c optionChoice, want []string) {
	code, out, errs := tracec(nil, slices.Concat([]string{"stat", "--json"}, c.args, []string{s.file})...)
	var doc facts.Document[report.Stat]
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	st := doc.Recordings[0]
	n := st.Count
	if s.name == "uftrace" {
		if slices.Contains(c.args, "-e") {
			return
		}
		want = slices.DeleteFunc(want, func(key string) bool { return !strings.HasPrefix(key, "entry") })
		n = 0
		for _, e := range st.Buffers[0].ByEvent {
			if e.System != "linux" {
				n += e.Count
			}
		}
	}
	if int(n) != len(want) || code != 0 {
		t.Errorf("stat counts %d events, report prints %d; exit code %d, %s", n, len(want), code, errs)
	}
	if nothing := strings.Contains(errs, s.none("event", c.args)); nothing != (st.Count == 0) {
		t.Errorf("stat: message %q", errs)
	}
}

// none returns the message for a selection without a match. The message differs for times before or
// after all events.
func (s *optionSystem) none(noun string, args []string) string {
	times := s.times
	if len(args) == 2 && args[0] == "--since" {
		return fmt.Sprintf("tracec: note: %s: no %s from %s on; it ends at %s\n", s.file, noun, args[1],
			times[len(times)-1])
	} else if len(args) == 2 && args[0] == "--until" {
		return fmt.Sprintf("tracec: note: %s: no %s before %s; it begins at %s\n", s.file, noun, args[1], times[0])
	}
	return fmt.Sprintf("tracec: note: %s: no %s matches %s\n", s.file, noun, strings.Join(args, " "))
}

// statSpan matches the output of stat for a buffer: the number of events, and the times of the
// first and the last one.
var statSpan = regexp.MustCompile(`(?m)^(?:buffer \S+: )?\d+ events?, (\S+) \.\. ([0-9.]+)`)

// timesOf returns the printed times of all events of a recording, in order. For uftrace they are
// times of calls and of events, as in stat.
func (s *optionSystem) timesOf(t *testing.T, path string) (times []string) {
	t.Helper()
	_, out, _ := tracec(nil, slices.Concat([]string{"report"}, s.args, []string{path})...)
	for _, e := range s.parse(out, s.chosen) {
		times = append(times, e.time)
	}
	_, out, _ = tracec(nil, "stat", path)
	for _, m := range statSpan.FindAllStringSubmatch(out, -1) {
		times = append(times, m[1], m[2])
	}
	slices.SortFunc(times, func(a, b string) int {
		return stdcmp.Or(stdcmp.Compare(len(a), len(b)),
			strings.Compare(a, b))
	})
	return times
}

// TestOptionsKernelFunctions selects a function of the kernel and a function of a program, in a
// recording of uftrace with both. The lines must equal lines of the whole report.
func TestOptionsKernelFunctions(t *testing.T) {
	rec := unpackedSample(t, "../../testdata/uftrace/kernel-graph/data.tar.gz")
	_, raw, _ := tracec(nil, "report", "-R", rec)
	call := regexp.MustCompile(`(?m)^.*\[(entry|exit )\] vfs_write\(.*\n`)
	want := call.FindAllString(raw, -1)
	if len(want) != 2 {
		t.Fatalf("%d records of vfs_write in\n%s", len(want), raw)
	}
	any := regexp.MustCompile(`(?m)^.*\[(entry|exit |event)\] .*\n`)
	code, got, errs := tracec(nil, "report", "-R", "-e", "vfs_*", rec)
	if d := cmp.Diff(want, any.FindAllString(got, -1)); d != "" || code != 0 || errs != "" {
		t.Errorf("exit code %d, %s\n%s", code, errs, d)
	}
	code, got, errs = tracec(nil, "report", "-e", "*:vfs_write", rec)
	if n := strings.Count(got, " | "); n != 1 || !strings.Contains(got, "vfs_write();") || code != 0 || errs != "" {
		t.Errorf("exit code %d, %s%s", code, errs, got)
	}
	other := "1" // a thread that is not in the recording
	if code, got, _ := tracec(nil, "report", "-R", "--pid", other, rec); code != exitUsage || got != "" {
		t.Errorf("exit code %d\n%s", code, got)
	}
}

// TestOptionsUnknownCPU selects a processor in a 32-bit AIX stream, which has no processors.
// Omitted events must be reported.
func TestOptionsUnknownCPU(t *testing.T) {
	const rec = "../../testdata/aix/shop32.trc"
	for _, command := range []string{"report", "stat"} {
		code, out, errs := tracec(nil, command, "--cpu", "0", rec)
		want := "tracec: " + rec + ": --cpu leaves out 236 events: the recording does not have their processor\n"
		if code != 0 || !strings.Contains(errs, want) || !strings.Contains(errs, ": no event matches --cpu 0\n") ||
			strings.Count(out, "\n") > 5 {
			t.Errorf("%s: exit code %d, %s\n%s", command, code, errs, out)
		}
	}
}

// TestOptionsComplete completes -e with names that report accepts.
func TestOptionsComplete(t *testing.T) {
	for _, s := range optionSystems() {
		t.Run(s.name, func(t *testing.T) {
			s.open(t)
			_, out, _ := tracec(nil, "__complete", "report", s.file, "-e", "")
			words := strings.Split(strings.TrimSpace(out), "\n")
			if words[len(words)-1] != ":4" || len(words) < 5 {
				t.Fatalf("%q", words)
			}
			words = words[:len(words)-1]
			for i := 0; i < len(words); i += len(words)/20 + 1 {
				w, _, _ := strings.Cut(words[i], "\t")
				if code, _, errs := tracec(nil, "stat", "-e", w, s.file); code != 0 && !strings.Contains(w, "[") {
					t.Errorf("%s: exit code %d, %s", w, code, errs)
				}
			}
		})
	}
}
