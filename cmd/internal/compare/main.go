// Compare checks tracec's reports against saved texts of the reference tools, line by line.
//
//	go run ./cmd/internal/compare -installed [-seed N] [-pairs N] [-run GLOB] [-mode LIST] [-command REGEXP] [-made DIR] [-all] [-v]
//	go run ./cmd/internal/compare [-uses] [-recordings DIR] [-texts DIR] [-uftrace DIR] [-lttng DIR] [-run GLOB] [-mode LIST] [-v] [-findings FILE]
//
// For every recording below DIR (../shared/data/ftrace and ftrace-public; see their READMEs) it
// runs a freshly built tracec in every mode with a saved text: trace-cmd's report, report -N and
// report -R, and the kernel's own text of the raw snapshots. For every recording of uftrace it runs
// each command with a saved output (uftrace_outputs.go), as each version of uftrace. For every
// trace of LTTng it compares with the saved texts of LTTV.
//
// For each comparison it prints the number of equal lines, of lines that differ according to a rule
// of testdata/differences.md, and of lines that differ without a reason. The exit status is 1 if
// there are any of the last, and 2 if it could not compare.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

type options struct {
	recordings, texts, uftrace, lttng, run, modes, rules, findings, tracec string
	verbose, unused, uses                                                  bool
	workers                                                                int
	installed                                                              bool
	all                                                                    bool
	command                                                                *regexp.Regexp
	made                                                                   string
	seed                                                                   uint64
	pairs                                                                  int
}

func main() {
	var o options
	flag.StringVar(&o.recordings, "recordings", "../shared/data/ftrace,../shared/data/ftrace-public",
		"folders of recordings with saved texts, separated by commas")
	flag.StringVar(&o.texts, "texts", "", "folder of more texts of the first folder's recordings, in folders of the same names")
	flag.StringVar(&o.uftrace, "uftrace", "../shared/data/uftrace,testdata/uftrace-options",
		"folders of recordings of uftrace with saved outputs, separated by commas")
	flag.StringVar(&o.lttng, "lttng", "../shared/data/lttng", "folder of traces of LTTng with saved texts")
	flag.StringVar(&o.run, "run", "", "glob over folder/name or name of the recordings to compare")
	flag.StringVar(&o.modes, "mode", "", "modes to compare, separated by commas: report, N, R, report-3.3, N-3.4, …; kernel, graph; u-replay, u-dump, …; l-events, l-textdump, l-upstream")
	flag.StringVar(&o.rules, "rules", "testdata/differences.md", "document of the listed differences")
	flag.StringVar(&o.findings, "findings", "", "also write the unexplained lines by event to this file")
	flag.StringVar(&o.tracec, "tracec", "", "compare this binary instead of a fresh build")
	flag.BoolVar(&o.verbose, "v", false, "show the first unexplained pair of every event")
	flag.BoolVar(&o.unused, "unused", false, "name the rules that explained nothing, which makes sense for a comparison of everything")
	flag.BoolVar(&o.uses, "uses", false, "write into the document how often each rule was used in each recording, and also compare those of testdata")
	flag.BoolVar(&o.installed, "installed", false,
		"compare with uftrace 0.13, trace-cmd 3.1.6, babeltrace2 2.0.4 and perf 6.1 of this machine, each option alone and in pairs, on recordings made now")
	flag.BoolVar(&o.all, "all", false, "do not ask the list of commands that -installed leaves out where they differ")
	flag.Func("command", "regular expression of the commands that -installed compares", func(text string) (err error) {
		o.command, err = regexp.Compile(text)
		return err
	})
	flag.StringVar(&o.made, "made", "", "folder for the recordings of -installed, which are kept and used again")
	flag.Uint64Var(&o.seed, "seed", 1, "of the commands that -installed draws")
	flag.IntVar(&o.pairs, "pairs", 40, "how many pairs of options -installed draws for each command and recording")
	flag.IntVar(&o.workers, "workers", min(2, runtime.NumCPU()), "comparisons at a time")
	flag.Parse()
	s, err := o.compare(os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
	if s.unexplained > 0 {
		os.Exit(1)
	}
}

func (o options) compare(w io.Writer) (*summary, error) {
	rules, err := readRules(o.rules)
	if err != nil {
		return nil, err
	}
	if o.uses {
		o.recordings += ",testdata/ftrace"
		o.uftrace += ",testdata/uftrace"
	}
	for _, r := range rules {
		r.counting = o.uses
	}
	temp, err := os.MkdirTemp("", "compare")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	jobs, err := o.jobs(temp)
	if err != nil {
		return nil, err
	}
	t := &tool{path: o.tracec}
	if o.tracec == "" {
		if t, err = buildTool(temp); err != nil {
			return nil, err
		}
	}
	tallies := runAll(jobs, o.workers, func(j job) *tally { return j.run(t, rules, temp) },
		func(t *tally) { t.print(w, o.verbose) })
	s := summarise(tallies)
	if o.unused {
		s.unusedRules = s.unused(rules)
	}
	if o.modes == "" && !o.installed {
		s.shortfalls = shortfalls(rules, tallies)
	}
	s.print(w)
	if o.uses {
		return s, writeUses(o.rules, rules, tallies)
	}
	return s, o.writeFindings(s, tallies)
}

func (o options) jobs(temp string) ([]job, error) {
	var all []job
	if o.installed {
		if o.made != "" {
			temp = o.made
		}
		return o.findInstalled(temp)
	}
	roots := strings.Split(o.recordings, ",")
	for _, root := range roots {
		more, err := findJobs(root, root, o.run)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	if o.texts != "" {
		more, err := findJobs(roots[0], o.texts, o.run)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	for _, root := range strings.Split(o.uftrace, ",") {
		more, err := findUftrace(root, o.run)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	more, err := findLTTng(o.lttng, o.run)
	if err != nil {
		return nil, err
	}
	all = append(all, more...)
	var jobs []job
	for _, j := range all {
		if o.wants(j.mode.name) {
			jobs = append(jobs, j)
		}
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("nothing to compare in %s", o.recordings)
	}
	return jobs, nil
}

// wants reports whether a mode is to be compared.
func (o options) wants(mode string) bool {
	return o.modes == "" || contains(strings.Split(o.modes, ","), mode)
}

func (o options) writeFindings(s *summary, tallies []*tally) error {
	if o.findings == "" {
		return nil
	}
	f, err := os.Create(o.findings)
	if err != nil {
		return err
	}
	s.writeFindings(f, tallies)
	return f.Close()
}

func readRules(path string) ([]*rule, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	rules, err := parseRules(path, f)
	return rules, errors.Join(err, f.Close())
}

// runAll runs the jobs with several workers and shows the results in the order of the jobs.
func runAll(jobs []job, workers int, run func(job) *tally, show func(*tally)) []*tally {
	tallies := make([]*tally, len(jobs))
	done := make([]chan struct{}, len(jobs))
	for i := range done {
		done[i] = make(chan struct{})
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(1, workers) {
		wg.Go(func() {
			for i := range next {
				tallies[i] = run(jobs[i])
				close(done[i])
			}
		})
	}
	go func() {
		for i := range jobs {
			next <- i
		}
		close(next)
	}()
	for i := range jobs {
		<-done[i]
		show(tallies[i])
	}
	wg.Wait()
	return tallies
}
