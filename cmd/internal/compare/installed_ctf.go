package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// babeltraceConvert is the default command of babeltrace2.
var babeltraceConvert = command{"babeltrace", []string{"convert"}, []string{
	"--names=all", "--names=none", "--names=scope", "--names=header,payload", "-n ctx", "--fields=all",
	"--fields=trace",
	"-f loglevel,emf", "--fields=trace:domain,trace:vpid", "--no-delta", "--clock-gmt", "--clock-date",
	"--clock-seconds",
	"--clock-cycles", "--clock-offset=3600", "--clock-offset-ns=-7", "--clock-force-correlate", "--begin={time}",
	"--end={time}",
}}

// some returns the first command line and every sixth of the others, starting at a place that
// depends on n. There are many traces, and options of babeltrace2 hardly depend on them.
func some(lines [][]string, n int) (chosen [][]string) {
	const each = 6
	for i, line := range lines {
		if i == 0 || i%each == n%each {
			chosen = append(chosen, line)
		}
	}
	return chosen
}

// findBabeltrace unpacks the traces of testdata that babeltrace2 reads, and draws commands.
func (o options) findBabeltrace(temp string) ([]job, error) {
	if err := checkInstalled("babeltrace2"); err != nil {
		return nil, err
	}
	dirs, err := unpackTraces(filepath.Join(temp, "ctf"))
	if err != nil {
		return nil, err
	}
	var jobs []job
	for _, dir := range dirs {
		name := filepath.Base(dir)
		if o.run != "" && !selected(o.run, "installed/"+name) {
			continue
		}
		all, err := capture("babeltrace2", []string{"--clock-seconds", "--no-delta", "--names=none", dir})
		if err != nil || all.status != 0 {
			continue // TestSamples checks them: testdata/differences.md
		}
		f := &facts{}
		for _, m := range lineTime.FindAllSubmatch(all.text, -1) {
			f.times = append(f.times, string(m[1]))
		}
		lines := some(o.draw(babeltraceConvert, name, f), len(jobs))
		jobs = append(jobs, job{recording: "installed/" + name, mode: mode{name: "babeltrace"},
			installed: &installedJob{program: "babeltrace2", dir: dir, given: []string{dir},
				own:   []string{"--like=2.0"},
				lines: lines, all: o.all}})
	}
	return jobs, nil
}

var lineTime = regexp.MustCompile(`(?m)^\[(-?[0-9.]+)\]`)

// unpackTraces unpacks the samples of CTF to folders GROUP-SAMPLE.
func unpackTraces(temp string) (dirs []string, err error) {
	archives, err := filepath.Glob("testdata/ctf/*/*.tar.zst")
	if err != nil {
		return nil, err
	}
	for _, archive := range archives {
		group := filepath.Base(filepath.Dir(archive))
		// Each has one field, whose value TestFields checks.
		if strings.HasSuffix(archive, ".text.tar.zst") || group == "fields" {
			continue
		}
		unpacked := filepath.Join(temp, "unpacked", filepath.Base(archive))
		if err := unpackTrace(archive, unpacked); err != nil {
			return nil, fmt.Errorf("unpack %s: %w", archive, err)
		}
		samples, err := filepath.Glob(filepath.Join(unpacked, "*", "*")) // ARCHIVE/SAMPLE
		if err != nil {
			return nil, err
		}
		for _, from := range samples {
			stem := strings.TrimSuffix(filepath.Base(archive), ".tar.zst")
			name := group + "-" + filepath.Base(from)
			if stem != group {
				name = group + "-" + stem
			}
			dir := filepath.Join(temp, name)
			if err := os.RemoveAll(dir); err != nil {
				return nil, err
			}
			if err := os.Rename(from, dir); err != nil {
				return nil, err
			}
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}

func unpackTrace(archive, dir string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return err
	}
	defer z.Close()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tar := exec.Command("tar", "-xC", dir)
	tar.Stdin = z
	if out, err := tar.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}
