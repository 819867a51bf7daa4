package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// machine describes the measured machine.
type machine struct{ cpu, system, golang, date string }

func describeMachine() machine {
	m := machine{cpu: "unknown", golang: runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		date: time.Now().UTC().Format("2006-01-02")}
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		for scan := bufio.NewScanner(f); scan.Scan(); {
			if key, value, ok := strings.Cut(scan.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
				m.cpu = strings.TrimSpace(value)
				break
			}
		}
	}
	if out, err := exec.Command("uname", "-sr").Output(); err == nil {
		m.system = strings.TrimSpace(string(out))
	}
	return m
}

const traceTitle = "# Benchmarks\n"

// writeReport prints the start of BENCHMARKS.md and the table of the trace.
func writeReport(w io.Writer, o options, m machine, list []result) {
	events := countEvents(list)
	fmt.Fprintf(w, traceTitle+"\nWritten by `make bench`; do not edit.\n\n"+
		"Each row is a process of its own, pinned to one core with `GOMAXPROCS=1`. It is the best of %d runs. The rows of\n"+
		"a table take turns, on the same file and in one session. The file is in the page cache, and output goes to\n"+
		"/dev/null. Seconds are CPU seconds, of user and system, because other work on the machine disturbs them least.\n"+
		"Wall time is in the next column.\n\n", o.runs)
	fmt.Fprintf(w, "- machine: %s, %d cores seen, %s, %s, %s\n", m.cpu, runtime.NumCPU(), m.system, m.golang, m.date)
	if len(list) > 0 {
		fmt.Fprintf(w, "- trace: %s, %d MB, %.2f M events: the pages of `%s` repeated\n",
			"trace.dat version 7, uncompressed", list[0].bytes/1e6, float64(events)/1e6, o.in)
	}
	fmt.Fprintf(w, "- to reproduce: `make bench` (`go run ./cmd/internal/bench -size %s -runs %d`)\n\n", o.size, o.runs)
	writeRows(w, list, events)
	writeRatios(w, list)
}

const hooksTitle = "\n## AIX\n"

// writeHooks prints the table of the AIX stream.
func writeHooks(w io.Writer, o options, m machine, list []result) {
	if len(list) == 0 {
		return
	}
	events := list[0].events
	fmt.Fprintf(w, hooksTitle+"\nA bare 64-bit stream of %d MB has %.2f M events of 12 hooks, as `aix.Writer` writes them. Every eighth thread\n"+
		"runs a 32-bit program, whose events are rewritten. The templates are `"+hookTemplates+"`.\n"+
		"There is no reference, because trcrpt runs on AIX only. The same machine, %s, %s, best of %d runs.\n"+
		"`go run ./cmd/internal/bench -aix -runs %d` writes this part alone.\n\n",
		list[0].bytes/1e6, float64(events)/1e6, m.golang, m.date, o.runs, o.runs)
	writeRows(w, list, events)
	byName := goodResults(list)
	fmt.Fprintln(w)
	if text, report := byName["hooks: "+hookText], byName[hookReport]; text.cpu > 0 && report.cpu > 0 {
		fmt.Fprintf(w, "- `tracec trcrpt` has %.2f of the speed of the generated text\n",
			text.cpu.Seconds()/report.cpu.Seconds())
	}
	for _, name := range []string{hookWalk, hookTyped} {
		regular, drawn := byName["hooks: "+name], byName[drawnHooks+name]
		if regular.cpu > 0 && drawn.cpu > 0 {
			fmt.Fprintf(w, "- %s of independently drawn hooks has %.2f of the speed of the regular mix, by events\n",
				name, drawn.rate()/regular.rate())
		}
	}
}

// rate returns events per second.
func (r result) rate() float64 { return float64(r.events) / r.cpu.Seconds() }

// goodResults returns the results without an error, by name.
func goodResults(list []result) map[string]result {
	byName := make(map[string]result)
	for _, r := range list {
		if r.err == nil {
			byName[r.name] = r
		}
	}
	return byName
}

func countEvents(list []result) (n int64) {
	for _, r := range list {
		n = max(n, r.events)
	}
	return n
}

// writeRows prints the rows of a table. events is the number of events of the recording.
func writeRows(w io.Writer, list []result, events int64) {
	fmt.Fprint(w, "| what | CPU seconds | wall | M events/s | GB/s | allocations per event | peak memory |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range list {
		writeRow(w, r, events)
	}
}

func writeRow(w io.Writer, r result, events int64) {
	name := r.name
	if r.what != "" {
		name += ": " + r.what
	}
	if r.err != nil {
		fmt.Fprintf(w, "| %s | failed: %s | | | | |\n", name, strings.ReplaceAll(r.err.Error(), "\n", " "))
		return
	}
	allocs := fmt.Sprintf("%.4f", r.allocs)
	if r.events == 0 {
		allocs = ""
	}
	rate := fmt.Sprintf("%.2f", float64(events)/1e6/r.cpu.Seconds()) // skipped events count as well
	if r.name == plainRead {
		rate, allocs = "", ""
	}
	fmt.Fprintf(w, "| %s | %.3f | %.3f | %s | %.3f | %s | %d MiB |\n", name, r.cpu.Seconds(), r.wall.Seconds(), rate,
		float64(r.bytes)/1e9/r.cpu.Seconds(), allocs, (r.peak+1<<20-1)>>20)
}

// writeRatio compares a command of tracec with one of the reference, if both were measured.
func writeRatio(w io.Writer, byName map[string]result, ours, theirs string) {
	a, b := byName[ours], byName[theirs]
	if a.cpu > 0 && b.cpu > 0 {
		fmt.Fprintf(w, "- `%s` is %.1f times as fast as `%s` and needs %.2f of its memory\n",
			ours, b.cpu.Seconds()/a.cpu.Seconds(), theirs, float64(a.peak)/float64(b.peak))
	}
}

// writeRatios compares each report of tracec with the reference's.
func writeRatios(w io.Writer, list []result) {
	byName := goodResults(list)
	fmt.Fprintln(w)
	for _, pair := range [][2]string{{"tracec report", "trace-cmd report"}, {"tracec report -N", "trace-cmd report -N"},
		{reportEvent, theirFilter}, {reportFilter, theirFilter}, {nativeFilter, theirFilter}} {
		writeRatio(w, byName, pair[0], pair[1])
	}
	if full, ok := byName[fullStruct]; ok {
		if own, ok := byName[ownStruct]; ok {
			fmt.Fprintf(w, "- a struct of the user's with 3 of 7 fields takes %.2f of the time of the full one\n",
				own.cpu.Seconds()/full.cpu.Seconds())
		}
	}
	if read, ok := byName[plainRead]; ok {
		if typed, ok := byName[typedTime]; ok {
			fmt.Fprintf(w, "- typed decode in time order takes %.2f times as long as reading the file\n",
				typed.cpu.Seconds()/read.cpu.Seconds())
		}
	}
}
