// Bench measures tracec, trace-cmd and a plain read of the file on a large trace, and writes
// BENCHMARKS.md.
//
//	go run ./cmd/internal/bench [-in FILE] [-size 400M] [-runs 3] [-o BENCHMARKS.md]
//
// The trace repeats FILE's pages with shifted stamps (cmd/internal/stretch). Every figure comes
// from a separate child process, pinned to one core with GOMAXPROCS=1. So its time and peak memory
// include nothing else. The best of the runs counts.
package main

import (
	"errors"
	"flag"
	"fmt"
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
	only               *part         // the selected part; nil for all
	liveRate           float64       // events per second
	liveTime           time.Duration // time for each reader
	lttng              string        // recording to repeat
	calls              int           // number of calls of each function in the recordings of uftrace
	hookSize           int64         // size of the AIX stream, in MB
	measure            string
}

func main() {
	var o options
	flag.StringVar(&o.in, "in", "../shared/data/ftrace/bookworm-6.1-amd64/sched-irq-timer-syscalls.dat",
		"recording to repeat")
	flag.StringVar(&o.size, "size", "400M", "size of the trace")
	for i := range parts {
		p := &parts[i]
		if p.write == nil {
			continue
		}
		flag.BoolFunc(p.flag, "measure "+p.what+" only, and replace that part of the file", func(string) error {
			o.only = p
			return nil
		})
	}
	flag.Float64Var(&o.liveRate, "live-rate", 1.2e6, "`events` each second for -live")
	flag.DurationVar(&o.liveTime, "live-time", 30*time.Second, "`time` of the load for each reader of -live")
	flag.StringVar(&o.lttng, "lttng", "../shared/data/lttng/real/trace-698650events_3029lost-8CPU.tar.gz",
		"trace of LTTng 2.2 to 2.6 to repeat")
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
	if err := o.build(); err != nil {
		return err
	}
	old, err := os.ReadFile(o.out)
	if err != nil && (o.only != nil || !errors.Is(err, fs.ErrNotExist)) {
		return err
	}
	page, err := o.page(old)
	if err != nil {
		return err
	}
	return os.WriteFile(o.out, page, 0o666)
}

// prepare makes the trace unless it exists.
func (o options) prepare() (string, error) {
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

// command runs a command. Like released programs, programs that it builds do not use C, since they
// then start sooner.
func command(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
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
	rows = append(rows, row{hookReport, "columns and text of every event, to /dev/null", size,
		[]string{o.tracec(), "trcrpt", "-t", hookTemplates, trace}})
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

// hookStream returns an AIX stream and its size. It makes the stream if it is missing.
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

// allTrace makes the trace unless it exists, and measures it.
func (o options) allTrace() ([]result, error) {
	trace, err := o.prepare()
	if err != nil {
		return nil, err
	}
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
