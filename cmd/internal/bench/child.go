package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A measurement is one loop over the trace inside a child of this program.
type measurement struct {
	name, what string
	run        func(path string) (events int64, err error)
}

// outcome is the report of a child.
type outcome struct {
	Events  int64
	Wall    time.Duration // time of the loop, without the start of the process
	CPU     time.Duration // user and system time of the loop
	Mallocs uint64        // number of allocations in the loop
	Sum     uint64        // sum of the loop's results, so that the compiler keeps the loop
}

// runChild runs the child's side: it measures and prints the outcome as JSON.
func runChild(name, path string, w io.Writer) error {
	for _, m := range slices.Concat(measurements, hookMeasurements, callMeasurements, markerMeasurements,
		ctfMeasurements, perfMeasurements, parallelMeasurements) {
		if m.name != name {
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		cpu, start := cpuTime(), time.Now()
		events, err := m.run(path)
		wall := time.Since(start)
		cpu = cpuTime() - cpu
		runtime.ReadMemStats(&after)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return json.NewEncoder(w).Encode(outcome{events, wall, cpu, after.Mallocs - before.Mallocs, sink})
	}
	return fmt.Errorf("no measurement %q", name)
}

// runPinned runs a command on one core and measures its time and its peak memory.
func runPinned(args []string) result {
	if _, err := exec.LookPath("taskset"); err == nil {
		args = append([]string{"taskset", "-c", "0"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "TZ=UTC", "LC_ALL=C")
	return run(cmd)
}

// runFree is runPinned on all cores.
func runFree(args []string) result { return run(exec.Command(args[0], args[1:]...)) }

// run runs a command. The time of a measurement is the time of its loop. For other commands it is
// the time of the process.
func run(cmd *exec.Cmd) result {
	var out, diag bytes.Buffer
	child := slices.Contains(cmd.Args, "-measure")
	if child {
		cmd.Stdout = &out
	} // nil means /dev/null
	cmd.Stderr = &diag
	forgetPeak()
	start := time.Now()
	err := cmd.Run()
	r := result{wall: time.Since(start)}
	if err != nil {
		r.err = fmt.Errorf("%s: %w: %.300s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(diag.Bytes()))
		return r
	}
	r.peak, r.cpu = usageOf(cmd.ProcessState)
	if child {
		var o outcome
		if r.err = json.Unmarshal(out.Bytes(), &o); r.err == nil {
			r.wall, r.cpu, r.events = o.Wall, o.CPU, o.Events
			r.allocs = float64(o.Mallocs) / float64(max(o.Events, 1))
		}
	}
	return r
}
