package main

import (
	"bufio"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed programs
var programs embed.FS

// small is a program that is recorded for the comparison.
type small struct {
	name    string
	sources []string
	compile []string
	record  []string
}

// smallPrograms each have a property that affects stacks, values or the order of records. Estimated
// exits are not compared, since the right value is unknown (testdata/differences.md, "Where no
// saved text shows it").
var smallPrograms = []small{
	{"values", []string{"values.c"}, []string{"-pg", "-g"}, []string{"-a"}},
	{"nested", []string{"nested.c", "nested_b.c"}, []string{"-pg", "-g"}, []string{"-a"}},
	{"threads", []string{"threads.c"}, []string{"-pg", "-g", "-pthread"}, nil},
	{"forks", []string{"forks.c"}, []string{"-pg", "-g"}, []string{"-a"}},
	{"jumps", []string{"jumps.c"}, []string{"-pg"}, nil},
	{"recursion", []string{"recursion.c"}, []string{"-finstrument-functions", "-g"}, nil},
	{"events", []string{"nested.c", "nested_b.c"}, []string{"-pg"},
		[]string{"-T", "b@read=proc/statm", "-T", "c@read=page-fault"}},
	{"cpp", []string{"cpp.cc"}, []string{"-pg", "-g"}, []string{"-a"}},
	{"libcalls", []string{"libcalls.c"}, []string{"-pg"}, []string{"--nest-libcall"}},
	{"depth", []string{"recursion.c"}, []string{"-pg"}, []string{"-D", "4"}},
}

// recordPrograms compiles and records the programs, and returns the recordings.
func recordPrograms(temp, match string) (dirs []string, err error) {
	sources := filepath.Join(temp, "src")
	if err := os.CopyFS(sources, programs); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	for _, p := range smallPrograms {
		if match != "" && !selected(match, "installed/"+p.name) {
			continue
		}
		program, dir := filepath.Join(temp, p.name), filepath.Join(temp, p.name+".data")
		if _, err := os.Stat(dir); err == nil { // already recorded
			dirs = append(dirs, dir)
			continue
		}
		compiler, args := "gcc", append([]string{"-w", "-o", program}, p.compile...)
		for _, s := range p.sources {
			if strings.HasSuffix(s, ".cc") {
				compiler = "g++"
			}
			args = append(args, filepath.Join(sources, "programs", s))
		}
		if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s %s: %w: %s", compiler, strings.Join(args, " "), err, out)
		}
		cmd := exec.Command("uftrace", append(append([]string{"record", "--no-pager", "-d", dir}, p.record...),
			program)...)
		cmd.Dir = temp
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, out)
		}
		if err := os.Remove(program); err != nil { // the recording must suffice
			return nil, err
		}
		dirs = append(dirs, dir)
	}
	return dirs, nil
}

// unpackRecordings unpacks the recordings of testdata from uftrace 0.13.
func unpackRecordings(temp, match string) (dirs []string, err error) {
	archives, err := filepath.Glob("testdata/uftrace/*/data.tar.gz")
	unpacked := filepath.Join(temp, "unpacked") // a program may have the name of a saved recording
	if err := errors.Join(err, os.MkdirAll(unpacked, 0o700)); err != nil {
		return nil, err
	}
	for _, archive := range archives {
		name := filepath.Base(filepath.Dir(archive))
		if strings.HasPrefix(name, "v019") || name == "python" || name == "m32" || name == "estimate-return" ||
			name == "big-endian" || name == "kernel-events" || match != "" && !selected(match, "installed/"+name) {
			// Skip recordings of newer versions, and those whose commands all differ according to
			// testdata/differences.md: estimated exits, swapped data, discarded records.
			continue
		}
		dir := filepath.Join(temp, name+".saved")
		dirs = append(dirs, dir)
		if _, err := os.Stat(dir); err == nil {
			continue
		}
		if out, err := exec.Command("tar", "-xzf", archive, "-C", unpacked).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("unpack %s: %w: %s", archive, err, out)
		}
		if err := os.Rename(filepath.Join(unpacked, name+".data"), dir); err != nil {
			return nil, err
		}
	}
	return dirs, nil
}

// facts are the names and numbers of a recording for options.
type facts struct {
	dir                           string
	functions, files, tids, times []string
	comms, pids                   []string
}

var reportRow = regexp.MustCompile(`^ +\d+\.\d+ .* (\S+)$`)

// factsOf reads the functions and threads from uftrace, and the sources from the .dbg files.
func factsOf(dir string) (*facts, error) {
	f := &facts{dir: dir}
	table, err := capture("uftrace", []string{"report", "--no-pager", "--color=no", "-d", dir})
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(table.text)) {
		if m := reportRow.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil && !strings.Contains(m[1], ":") {
			f.functions = append(f.functions, m[1])
		}
	}
	info, err := os.ReadFile(filepath.Join(dir, "info"))
	if err != nil {
		return nil, err
	}
	if _, rest, ok := bytes.Cut(info, []byte("taskinfo:tids=")); ok {
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		f.tids = strings.Split(string(line), ",")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.dbg"))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for scan := bufio.NewScanner(bytes.NewReader(text)); scan.Scan(); {
			if words := strings.Fields(scan.Text()); len(words) == 3 && words[0] == "L:" &&
				!slices.Contains(f.files, words[2]) {
				f.files = append(f.files, words[2])
			}
		}
	}
	if len(f.functions) == 0 {
		f.functions = []string{"main"}
	}
	if len(f.files) == 0 {
		f.files = []string{"none.c"}
	}
	return f, err
}
