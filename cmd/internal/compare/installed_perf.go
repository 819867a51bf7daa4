package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// perfScript is perf script. Both sides print the same fields.
var perfScript = command{"perf", []string{"script"}, []string{
	"-F comm,tid,time,event", "-F comm,pid,tid,cpu,time,event,trace", "-F ip,sym,dso", "-F comm,ip,sym,symoff",
	"-F time,event,period", "-F event,addr", "-F comm,time,ip", "-F tid,event,weight", "-F trace:time,event,trace",
	"-F sw:comm,time,ip,sym", "-F hw:comm,tid,event,ip,sym,dso", "-F +pid", "-F +symoff", "-F +addr", "-F +period",
	"-F +pid,+symoff,-dso", "-F -comm", "-F -time,-cpu", "-F -event", "-F -trace", "-F -ip,-sym,-dso",
	"-F -sym", "-F -dso", "-F -comm,-tid,-pid",
	"-C 0", "-C 1", "-C 0,1", "-C 0-3", "--comms {comm}", "--comms {comms}", "--pid {pid}", "--pid {pids}",
	"--tid {tid}", "--tid {tids}", "--time {time},", "--time ,{time}", "--time {time},{time}",
	"-G", "--max-stack 0", "--max-stack {n}", "--ns", "--no-demangle",
	"--show-task-events", "--show-mmap-events", "--show-switch-events", "--show-lost-events",
	"--show-namespace-events", "--show-bpf-events", "--show-cgroup-events", "--show-text-poke-events",
}}

// perfUndone matches recordings that tracec prints differently (testdata/differences.md, "perf
// script").
var perfUndone = regexp.MustCompile(`dwarf|intel_pt|stat-record|weight_struct|group-read.p612`)

// findPerf unpacks the recordings of testdata that perf reads, and draws commands. It draws few for
// each recording: there are many, and options hardly depend on them.
func (o options) findPerf(temp string) ([]job, error) {
	if err := checkInstalled("perf"); err != nil {
		return nil, err
	}
	temp = filepath.Join(temp, "perf")
	archives, err := filepath.Glob("testdata/perf/*.tar.zst")
	if err != nil {
		return nil, err
	}
	var jobs []job
	for _, archive := range archives {
		group := strings.TrimSuffix(filepath.Base(archive), ".tar.zst")
		if strings.HasSuffix(group, ".text") {
			continue
		}
		if err := unpackTrace(archive, temp); err != nil {
			return nil, fmt.Errorf("unpack %s: %w", archive, err)
		}
		more, err := o.perfJobs(filepath.Join(temp, group))
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, more...)
	}
	return jobs, nil
}

// perfJobs draws the commands on the recordings of a group. They have symbols of their kernel, and
// of the program hot.
func (o options) perfJobs(dir string) ([]job, error) {
	symbols := filepath.Join(dir, "symfs")
	if err := os.MkdirAll(filepath.Join(symbols, "opt/demo"), 0o700); err != nil {
		return nil, err
	}
	given := []string{"--symfs", symbols, "--kallsyms", filepath.Join(dir, "kallsyms")}
	if _, err := os.Stat(given[3]); err != nil {
		if err := os.WriteFile(given[3], nil, 0o600); err != nil {
			return nil, err
		}
	}
	if hot, err := os.ReadFile(filepath.Join(dir, "hot")); err == nil {
		if err := os.WriteFile(filepath.Join(symbols, "opt/demo/hot"), hot, 0o600); err != nil {
			return nil, err
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.data*"))
	var jobs []job
	for _, file := range files {
		name := "perf-" + filepath.Base(dir) + "-" + strings.Replace(filepath.Base(file), ".data", "", 1)
		if o.run != "" && !selected(o.run, "installed/"+name) || perfUndone.MatchString(name) {
			continue
		}
		given := append([]string{"-i", file}, given...)
		f, err := perfFacts(given)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		jobs = append(jobs, job{recording: "installed/" + name, mode: mode{name: perfScript.mode},
			installed: &installedJob{program: "perf", dir: file, given: given, own: []string{"--like=6.1"},
				lines: some(o.draw(perfScript, name, f), len(jobs)), all: o.all}})
	}
	return jobs, err
}

var perfThread = regexp.MustCompile(`^ *(\S.*?) +(-?\d+)/(-?\d+) +(?:([0-9.]+): *)?$`)

// perfFacts reads threads and times from perf. It returns nil if perf cannot read the recording.
func perfFacts(given []string) (*facts, error) {
	all, err := capture("perf", slices.Concat([]string{"script", "-F", "comm,pid,tid,time", "--ns"}, given))
	if err != nil || all.status != 0 {
		all, err = capture("perf", slices.Concat([]string{"script", "-F", "comm,pid,tid"}, given))
	}
	if err != nil || all.status != 0 {
		return nil, err
	}
	f := &facts{}
	add := func(list *[]string, s string) {
		if s != "" && !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for line := range strings.Lines(string(all.text)) {
		if m := perfThread.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			if !strings.ContainsAny(m[1], " ,") { // the name must be one word of a command
				add(&f.comms, m[1])
			}
			add(&f.pids, m[2])
			add(&f.tids, m[3])
			f.times = append(f.times, m[4])
		}
	}
	return f, nil
}
