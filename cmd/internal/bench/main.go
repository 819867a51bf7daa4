// Bench measures tracec, trace-cmd and a plain read of the file on a large trace, and writes
// BENCHMARKS.md.
//
//	go run ./cmd/internal/bench [-in FILE] [-size 400M] [-runs 3] [-o BENCHMARKS.md]
//
// The trace repeats FILE's pages with shifted stamps (cmd/internal/stretch). Every figure comes
// from a child process of its own, pinned to one core with GOMAXPROCS=1. So its time and peak
// memory include nothing else. The best of the runs counts.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

type options struct {
	in, out, size, dir string
	runs               int
	traceOnly          bool
	aixOnly, callsOnly bool
	lttngOnly          bool
	ctfOnly            bool
	memoryOnly         bool
	exportsOnly        bool
	parallelOnly       bool
	liveOnly           bool
	liveRate           float64       // events each second
	liveTime           time.Duration // of each reader
	lttng              string        // recording to repeat
	calls              int           // of each function in the recordings of uftrace
	hookSize           int64         // of the AIX stream, in MB
	measure            string
}

func main() {
	var o options
	flag.StringVar(&o.in, "in", "../shared/data/ftrace/bookworm-6.1-amd64/sched-irq-timer-syscalls.dat", "recording to repeat")
	flag.StringVar(&o.size, "size", "400M", "size of the trace")
	flag.BoolVar(&o.traceOnly, "trace", false, "measure the first table only, and replace it in the file")
	flag.BoolVar(&o.aixOnly, "aix", false, "measure the AIX stream only, and replace its part of the file")
	flag.BoolVar(&o.callsOnly, "uftrace", false, "measure the recordings of uftrace only, and replace their part of the file")
	flag.BoolVar(&o.lttngOnly, "lttng-only", false, "measure the trace of LTTng only, and replace its part of the file")
	flag.BoolVar(&o.ctfOnly, "ctf", false, "measure the trace in the Common Trace Format only, and replace its part of the file")
	flag.BoolVar(&o.memoryOnly, "memory", false, "measure memory only, and replace its part of the file")
	flag.BoolVar(&o.exportsOnly, "exports", false, "measure exports only, and replace their part of the file")
	flag.BoolVar(&o.parallelOnly, "parallel", false, "measure several numbers of workers only, and replace their part of the file")
	flag.BoolVar(&o.liveOnly, "live", false, "measure readers of the running kernel, which needs root, and replace their part of the file")
	flag.Float64Var(&o.liveRate, "live-rate", 1.2e6, "`events` each second for -live")
	flag.DurationVar(&o.liveTime, "live-time", 30*time.Second, "`time` of the load for each reader of -live")
	flag.StringVar(&o.lttng, "lttng", "../shared/data/lttng/real/trace-698650events_3029lost-8CPU.tar.gz", "trace of LTTng 2.2 to 2.6 to repeat")
	flag.IntVar(&o.calls, "calls", 3_000_000, "`calls` of each of two functions in the recordings of uftrace: a quarter of the records")
	flag.Int64Var(&o.hookSize, "hooks", 300, "size of the AIX stream and of the trace of LTTng in `MB`")
	flag.StringVar(&o.out, "o", "BENCHMARKS.md", "file to write")
	flag.StringVar(&o.dir, "dir", "bench", "folder for the trace and the binaries; kept, and used again")
	flag.IntVar(&o.runs, "runs", 3, "runs of each measurement")
	flag.StringVar(&o.measure, "measure", "", "run one measurement on the file named by the argument (what the children do)")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (o options) run() error {
	if err := canMeasure(); err != nil {
		return err
	}
	if words, ok := strings.CutPrefix(o.measure, "live "); ok {
		return liveChild(words, flag.Arg(0))
	}
	if o.measure != "" {
		return runChild(o.measure, flag.Arg(0), os.Stdout)
	}
	if o.traceOnly || o.liveOnly || o.aixOnly || o.callsOnly || o.lttngOnly || o.ctfOnly || o.memoryOnly || o.exportsOnly || o.parallelOnly {
		return o.replace()
	}
	trace, err := o.prepare()
	if err != nil {
		return err
	}
	results, err := o.all(trace)
	if err != nil {
		return err
	}
	hooks, err := o.allHooks()
	if err != nil {
		return err
	}
	calls, err := o.allCalls()
	if err != nil {
		return err
	}
	markers, err := o.allMarkers()
	if err != nil {
		return err
	}
	packets, err := o.allCTF()
	if err != nil {
		return err
	}
	large, hostile, err := o.memory()
	if err != nil {
		return err
	}
	speedups, err := o.speedups()
	if err != nil {
		return err
	}
	leaving, err := o.exports()
	if err != nil {
		return err
	}
	old, err := os.ReadFile(o.out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.Create(o.out)
	if err != nil {
		return err
	}
	writeReport(f, o, describeMachine(), results)
	writeHooks(f, o, describeMachine(), hooks)
	writeCalls(f, o, describeMachine(), calls)
	writeMarkers(f, o, describeMachine(), markers)
	writeCTF(f, o, describeMachine(), packets)
	writeMemory(f, describeMachine(), large, hostile)
	writeSpeedups(f, o, describeMachine(), speedups)
	writeExports(f, o, describeMachine(), leaving)
	f.Write(partOf(old, liveTitle)) // which needs root
	return f.Close()
}

// prepare builds tracec and makes the trace unless it is there.
func (o options) prepare() (string, error) {
	if err := o.build(); err != nil {
		return "", err
	}
	trace := filepath.Join(o.dir, "trace-"+o.size+".dat")
	if _, err := os.Stat(trace); err == nil {
		return trace, nil
	}
	part := trace + ".part"
	if err := command("go", "run", "./cmd/internal/stretch", "-in", o.in, "-out", part, "-size", o.size); err != nil {
		return "", err
	}
	return trace, os.Rename(part, trace)
}

// build builds tracec.
func (o options) build() error {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	return command("go", "build", "-o", o.tracec(), "./cmd/tracec")
}

func (o options) tracec() string { return filepath.Join(o.dir, "tracec") }

// command runs a command. Programs that it builds do not use C, as released programs: they start
// sooner.
func command(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// replace measures one part and writes it again.
func (o options) replace() error {
	if err := o.build(); err != nil {
		return err
	}
	page, err := os.ReadFile(o.out)
	if err != nil {
		return err
	}
	var part bytes.Buffer
	title, err := o.part(&part)
	if err != nil {
		return err
	}
	if part.Len() == 0 {
		return errors.New("what is to be measured is not there")
	}
	return os.WriteFile(o.out, replacePart(page, title, part.Bytes()), 0o666)
}

// part measures one part and writes it. title is the beginning of the part.
func (o options) part(w io.Writer) (title string, err error) {
	switch {
	case o.callsOnly:
		calls, err := o.allCalls()
		writeCalls(w, o, describeMachine(), calls)
		return callsTitle, err
	case o.lttngOnly:
		markers, err := o.allMarkers()
		writeMarkers(w, o, describeMachine(), markers)
		return markersTitle, err
	case o.ctfOnly:
		packets, err := o.allCTF()
		writeCTF(w, o, describeMachine(), packets)
		return ctfTitle, err
	case o.memoryOnly:
		large, hostile, err := o.memory()
		writeMemory(w, describeMachine(), large, hostile)
		return memoryTitle, err
	}
	if o.traceOnly {
		trace, err := o.prepare()
		if err != nil {
			return "", err
		}
		list, err := o.all(trace)
		writeReport(w, o, describeMachine(), list)
		return traceTitle, err
	}
	if o.liveOnly {
		list, err := o.live()
		writeLive(w, describeMachine(), list)
		return liveTitle, err
	}
	if o.parallelOnly {
		list, err := o.speedups()
		writeSpeedups(w, o, describeMachine(), list)
		return speedupsTitle, err
	}
	if o.exportsOnly {
		l, err := o.exports()
		writeExports(w, o, describeMachine(), l)
		return exportsTitle, err
	}
	hooks, err := o.allHooks()
	writeHooks(w, o, describeMachine(), hooks)
	return hooksTitle, err
}

// replacePart puts part where the one with its title is, or at the end. A part goes to the next
// title.
func replacePart(page []byte, title string, part []byte) []byte {
	before, rest, found := bytes.Cut(page, []byte(title))
	if !found {
		return append(page, part...)
	}
	return append(append(bytes.Clone(before), part...), rest[len(untilTitle(rest)):]...)
}

// partOf returns the part that has a title, or nil.
func partOf(page []byte, title string) []byte {
	_, rest, found := bytes.Cut(page, []byte(title))
	if !found {
		return nil
	}
	return append([]byte(title), untilTitle(rest)...)
}

// untilTitle returns the text before the next title.
func untilTitle(text []byte) []byte {
	if i := bytes.Index(text, []byte("\n## ")); i >= 0 {
		return text[:i]
	}
	return text
}

// allHooks makes missing AIX streams, and runs all measurements of them.
func (o options) allHooks() ([]result, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	trace, size, err := o.hookStream("", false)
	if err != nil {
		return nil, err
	}
	rows := measured("hooks: ", hookMeasurements, size, self, trace)
	rows = append(rows, row{hookReport, "columns and text of every event, to /dev/null", size, []string{o.tracec(), "trcrpt", "-t", hookTemplates, trace}})
	drawn, size, err := o.hookStream("-drawn", true)
	if err != nil {
		return nil, err
	}
	for _, r := range measured(drawnHooks, hookMeasurements[:2], size, self, drawn) {
		r.what = "the same where each event's hook is drawn by itself"
		rows = append(rows, r)
	}
	return o.inTurn(rows), nil
}

// hookStream returns an AIX stream and its size. If the stream is missing, it makes it.
func (o options) hookStream(kind string, drawn bool) (trace string, size int64, err error) {
	trace = filepath.Join(o.dir, fmt.Sprintf("hooks%s-%dM.raw", kind, o.hookSize))
	if _, err := os.Stat(trace); err != nil {
		if err := writeAIX(trace+".part", o.hookSize*1e6, drawn); err != nil {
			return "", 0, err
		}
		if err := os.Rename(trace+".part", trace); err != nil {
			return "", 0, err
		}
	}
	size, err = fileSize(trace)
	return trace, size, err
}

// all runs every measurement.
func (o options) all(trace string) ([]result, error) {
	size, err := fileSize(trace)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := makeIndex(trace); err != nil {
		return nil, err
	}
	rows := measured("", measurements, size, self, trace)
	ours := func(name, what string, words ...string) {
		rows = append(rows, row{name, what, size, append(append([]string{o.tracec()}, words...), trace)})
	}
	ours("tracec report", "the default text to /dev/null", "trace-cmd", "report")
	ours("tracec report -N", "plain print fmt, no plugins", "trace-cmd", "report", "-N")
	ours(reportEvent, "one event in a hundred", "report", "-j", "1", "-e", rareEvent)
	ours(reportFilter, "the same, by a field", "report", "-j", "1", "-F", rareFilter)
	ours(nativeFilter, "", "trace-cmd", "report", "-F", rareFilter)
	if _, err := exec.LookPath("trace-cmd"); err == nil {
		rows = append(rows,
			row{"trace-cmd report", "the reference, same file", size, []string{"trace-cmd", "report", trace}},
			row{"trace-cmd report -N", "", size, []string{"trace-cmd", "report", "-N", trace}},
			row{theirFilter, "the same text", size, []string{"trace-cmd", "report", "-F", rareFilter, trace}})
	}
	return o.inTurn(rows), nil
}

// Measurements of one event in a hundred: 95,631 of 11.9 million.
const (
	rareEvent    = "sys_enter_read"
	rareFilter   = "syscalls/sys_enter_read: count >= 0"
	reportEvent  = "tracec report -e"
	reportFilter = "tracec report -F"
	nativeFilter = "tracec trace-cmd report -F"
	theirFilter  = "trace-cmd report -F"
)

func fileSize(path string) (int64, error) {
	st, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}
