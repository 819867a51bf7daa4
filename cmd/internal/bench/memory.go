package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// peak is the peak memory of a process.
type peak struct {
	input, command string
	mib            int
	outcome        string
}

// peaksOf holds the peaks of large recordings and of hostile inputs.
type peaksOf struct {
	large   []result
	hostile []peak
}

const memoryTitle = "\n## Memory\n"

// littleMemory is the value of --memory for reports of the large recordings.
const littleMemory = "32MiB"

// memory measures reports of the existing large recordings with --memory. It also measures the
// command on hostile inputs, with the test that enforces the limit.
func (o options) memory() (*peaksOf, error) {
	var rows []row
	for _, name := range []string{"trace-*.dat", "hooks-*.raw", "calls-*-true.data", "lttng-*M"} {
		paths, err := filepath.Glob(filepath.Join(o.dir, name))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			size, err := treeSize(path)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row{filepath.Base(path), "", size,
				[]string{o.tracec(), "report", "--memory", littleMemory, path}})
		}
	}
	cmd := exec.Command("go", "test", "./internal/command", "-run", "^TestHostileMemory$", "-count=1", "-v", "-timeout",
		"30m")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go test ./internal/command: %w\n%s", err, out)
	}
	return &peaksOf{o.inTurn(rows), peaks(out)}, nil
}

var (
	inputLine = regexp.MustCompile(`=== RUN +TestHostileMemory/(.*)`)
	peakLine  = regexp.MustCompile(`hostile_linux_test\.go:\d+: tracec (.*) FILE: (\d+) MiB: (.*)`)
)

// peaks reads the log of the test.
func peaks(log []byte) (list []peak) {
	input := ""
	for line := range bytes.Lines(log) {
		if m := inputLine.FindSubmatch(line); m != nil {
			input = string(bytes.ReplaceAll(m[1], []byte("_"), []byte(" ")))
		}
		if m := peakLine.FindSubmatch(line); m != nil {
			mib, _ := strconv.Atoi(string(m[2])) // the expression matches digits
			list = append(list, peak{input, string(m[1]), mib, string(bytes.TrimSpace(m[3]))})
		}
	}
	return list
}

// treeSize returns the size of a file, or of all files of a directory.
func treeSize(path string) (size int64, err error) {
	err = filepath.WalkDir(path, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n, err := fileSize(name)
		size += n
		return err
	})
	return size, err
}

// writeMemory prints both tables.
func writeMemory(w io.Writer, _ options, m machine, found *peaksOf) {
	fmt.Fprintf(w, memoryTitle+"\nPeak resident memory. The same machine, %s, %s. `go run ./cmd/internal/bench -memory` writes this part alone.\n\n", m.golang, m.date)
	fmt.Fprintf(w, "Large recordings, `tracec report --memory %s` to /dev/null:\n\n| recording | MB | CPU seconds | peak memory |\n|---|---:|---:|---:|\n", littleMemory)
	for _, r := range found.large {
		if r.err != nil {
			fmt.Fprintf(w, "| %s | %d | failed: %.100s | |\n", r.name, r.bytes/1e6, r.err)
			continue
		}
		fmt.Fprintf(w, "| %s | %d | %.3f | %d MiB |\n", r.name, r.bytes/1e6, r.cpu.Seconds(), (r.peak+1<<20-1)>>20)
	}
	fmt.Fprint(w, "\nInputs that ask for gigabytes, under `--memory 64MiB` (`TestHostileMemory` in `internal/command` makes them and fails above 160 MiB):\n\n"+
		"| input | command | peak memory |\n|---|---|---:|\n")
	for _, p := range found.hostile {
		fmt.Fprintf(w, "| %s | %s | %d MiB |\n", p.input, p.command, p.mib)
	}
}
