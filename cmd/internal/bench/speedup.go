package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// speedup is one command with several numbers of workers.
type speedup struct {
	name string
	runs []result      // by workerCounts
	pair time.Duration // duration of two simultaneous processes of one goroutine each
	peak int64         // peak memory with peakWorkers processors
}

// peakWorkers is the number of goroutines for measurements of memory. Commands use at most as many
// as there are processors, so Go gets this number of processors.
const peakWorkers = 4

// Short measurements run more often, up to mostRounds times as often as o.runs. Within a tenth of a
// second, other work on the machine has a larger effect.
const (
	leastTime  = 20 * time.Second
	mostRounds = 5
)

// parallelWork is a command that is measured with several numbers of workers.
type parallelWork struct {
	name string
	args func(workers int) []string
}

// speedups measures commands that use several goroutines. The numbers of workers take turns, so
// that other work on the machine affects all of them alike.
func (o options) speedups() ([]speedup, error) {
	trace, err := o.prepare()
	if err != nil {
		return nil, err
	}
	packed := filepath.Join(o.dir, "trace-zstd.dat")
	if _, err := os.Stat(packed); err != nil {
		if err := command(o.tracec(), "trace-cmd", "convert", "-i", trace, "-o", packed, "--compression",
			"zstd"); err != nil {
			return nil, err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	typed := func(order, path string, cpus ...int32) func(int) []string {
		return func(n int) []string { return []string{self, "-measure", parallelName(n, order, cpus), path} }
	}
	report := func(words ...string) func(int) []string {
		return func(n int) []string { return append([]string{o.tracec(), "--jobs", strconv.Itoa(n)}, words...) }
	}
	work := []parallelWork{
		{"typed decode, CPU order", typed("CPU", trace)},
		{"typed decode, time order", typed("time", trace)},
		{"typed decode, CPU order, of one CPU alone", typed("CPU", trace, 0)},
		{"typed decode, time order, of one CPU alone", typed("time", trace, 0)},
		{"typed decode, time order, zstd", typed("time", packed)},
		{"tracec report", report("report", trace)},
		{"tracec report -N", report("report", "-N", trace)},
		{"tracec report -R", report("report", "-R", trace)},
		{"tracec report, zstd", report("report", packed)},
	}
	others, err := o.otherWork(self, report)
	if err != nil {
		return nil, err
	}
	work = append(work, others...)
	recordings, err := o.recordCalls()
	if err != nil {
		return nil, err
	}
	for _, c := range recordings {
		if c.calls < o.calls {
			continue // too short to measure
		}
		for _, name := range callCommands {
			work = append(work, parallelWork{"tracec uftrace " + name + ", " + c.name,
				report("uftrace", name, "-d", c.path)})
		}
		work = append(work, parallelWork{"tracec uftrace replay -f all, " + c.name,
			report("uftrace", "replay", "-f", "all", "-d", c.path)})
	}
	var list []speedup
	for _, w := range work {
		list = append(list, o.speedup(w))
	}
	return list, nil
}

// otherWork is the work of LTTng, CTF, perf and AIX.
func (o options) otherWork(self string, report func(...string) func(int) []string) (work []parallelWork, err error) {
	typed := func(name string, of func(workers int) string, path string) {
		work = append(work, parallelWork{name, func(n int) []string { return []string{self, "-measure", of(n), path} }})
	}
	markers, err := o.markerTrace()
	if err != nil {
		return nil, err
	}
	if markers != "" {
		typed(markerTimely, parallelMarkers, markers)
		work = append(work, parallelWork{"tracec textdump", report("textdump", markers)})
	}
	packets, err := o.ctfTrace()
	if err != nil {
		return nil, err
	}
	typed(ctfTyped, parallelCTF, packets)
	work = append(work, parallelWork{"tracec babeltrace2", report("babeltrace2", packets)})
	samples, err := o.perfRecording()
	if err != nil {
		return nil, err
	}
	typed(perfTyped, parallelPerf, samples)
	work = append(work, parallelWork{perfReport, report("perf", "script", "-i", samples)})
	hooks, _, err := o.hookStream("", false)
	if err != nil {
		return nil, err
	}
	return append(work, parallelWork{hookReport, report("trcrpt", "-t", hookTemplates, hooks)}), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (o options) speedup(w parallelWork) speedup {
	s := speedup{name: w.name, runs: make([]result, len(workerCounts))}
	begin := time.Now()
	for runs := 0; runs < o.runs || runs < mostRounds*o.runs && time.Since(begin) < leastTime; runs++ {
		for i, n := range workerCounts {
			r, best := runFree(w.args(n)), &s.runs[i]
			best.err = cmp.Or(best.err, r.err)
			if best.wall == 0 || r.wall < best.wall {
				best.wall, best.cpu = r.wall, r.cpu
			}
		}
		if both := runTwice(w.args(1)); s.pair == 0 || both < s.pair {
			s.pair = both
		}
	}
	cmd := w.args(peakWorkers)
	s.peak = runFree(append([]string{"env", "GOMAXPROCS=" + strconv.Itoa(peakWorkers)}, cmd...)).peak
	for i, n := range workerCounts {
		fmt.Fprintf(os.Stderr, "%-44s %d workers %8.3f s (CPU %.3f)  %v\n", w.name, n, s.runs[i].wall.Seconds(),
			s.runs[i].cpu.Seconds(), errText(s.runs[i].err))
	}
	return s
}

// runTwice runs two processes at the same time, and returns the duration of both. If it is longer
// than that of one process, the machine lacks processors.
func runTwice(args []string) time.Duration {
	other := make(chan result)
	go func() { other <- runFree(args) }()
	return max(runFree(args).wall, (<-other).wall)
}

// limit returns the throughput of two simultaneous processes relative to one.
func (s speedup) limit() float64 {
	return 2 * float64(s.runs[0].wall) / float64(max(s.pair, time.Nanosecond))
}

const speedupsTitle = "\n## Several processors\n"

// writeSpeedups prints the table of the numbers of workers.
func writeSpeedups(w io.Writer, o options, m machine, list []speedup) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, speedupsTitle+"\nThe recordings of the tables above with several goroutines (`--jobs N`, `bind.Parallel`), on all processors of\n"+
		"the machine. The figures are wall time: of the whole process, and for typed decode of opening and decoding. In\n"+
		"brackets is how many times as fast it is as with one goroutine. Two at once shows what this machine has to give:\n"+
		"two processes with one goroutine each, at the same time, do that many times as much as one. Commands take no more\n"+
		"goroutines than there are processors. With two processors, N = 4 and N = 8 therefore repeat N = 2, and show how\n"+
		"far runs are apart. The peak of memory is with %d goroutines, where Go is told of as many processors. The same\n"+
		"machine, %s, %s, best of %d runs that take turns, and of more if they are short.\n"+
		"`go run ./cmd/internal/bench -parallel` writes this part alone.\n\n", peakWorkers, m.golang, m.date, o.runs)
	fmt.Fprint(w, "| what |")
	for _, n := range workerCounts {
		fmt.Fprintf(w, " N = %d |", n)
	}
	fmt.Fprint(w, " two at once | peak memory, 4 workers |\n|---|---:|")
	for range workerCounts {
		fmt.Fprint(w, "---:|")
	}
	fmt.Fprint(w, "---:|\n")
	for _, s := range list {
		fmt.Fprintf(w, "| %s |", s.name)
		for _, r := range s.runs {
			if r.err != nil {
				fmt.Fprintf(w, " failed: %.60s |", r.err)
				continue
			}
			fmt.Fprintf(w, " %.3f s (%.2f) |", r.wall.Seconds(),
				float64(s.runs[0].wall)/float64(max(r.wall, time.Nanosecond)))
		}
		fmt.Fprintf(w, " %.2f | %d MiB |\n", s.limit(), (s.peak+1<<20-1)>>20)
	}
}
