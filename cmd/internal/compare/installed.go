package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// installedJob compares with a tool installed on this machine, command by command: each option
// alone and with another.
type installedJob struct {
	program string   // uftrace, trace-cmd, babeltrace2, perf
	dir     string   // the recording
	given   []string // arguments for the recording
	own     []string // further arguments of tracec
	lines   [][]string
	all     bool // ignore the list known
}

// installedVersions are the supported versions. The texts of others differ.
var installedVersions = map[string]string{
	"uftrace": "v0.13", "trace-cmd": "3.1.6", "babeltrace2": "2.0.4", "perf": "6.1.",
}

// checkInstalled returns an error if a tool is missing, or has another version.
func checkInstalled(program string) error {
	version := "--version"
	if program == "trace-cmd" {
		version = "--help"
	}
	out, _ := exec.Command(program, version).CombinedOutput() // trace-cmd --help fails
	if want := installedVersions[program]; !bytes.Contains(out, []byte(want)) {
		return fmt.Errorf("%s %s is not installed: %.60q", program, want, out)
	}
	return nil
}

// findInstalled draws the commands to compare. Recordings are made below temp.
func (o options) findInstalled(temp string) ([]job, error) {
	var jobs []job
	for _, tool := range []struct {
		modes []string
		find  func(temp string) ([]job, error)
	}{
		{modesOf(uftraceCommands), o.findUftrace},
		{modesOf([]command{traceCmdReport}), o.findTraceCmd},
		{modesOf([]command{babeltraceConvert}), o.findBabeltrace},
		{modesOf([]command{perfScript}), o.findPerf},
	} {
		if !slices.ContainsFunc(tool.modes, o.wants) {
			continue
		}
		more, err := tool.find(temp)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, more...)
	}
	return slices.DeleteFunc(jobs, func(j job) bool { return !o.wants(j.mode.name) }), nil
}

func modesOf(commands []command) (modes []string) {
	for _, c := range commands {
		modes = append(modes, c.mode)
	}
	return modes
}

// findUftrace makes recordings of small programs, and draws commands on them and on the recordings
// of testdata.
func (o options) findUftrace(temp string) ([]job, error) {
	if err := checkInstalled("uftrace"); err != nil {
		return nil, err
	}
	recordings, err := recordPrograms(temp, o.run)
	if err != nil {
		return nil, err
	}
	saved, err := unpackRecordings(temp, o.run)
	if err != nil {
		return nil, err
	}
	var jobs []job
	for _, dir := range append(recordings, saved...) {
		facts, err := factsOf(dir)
		if err != nil {
			return nil, err
		}
		for _, c := range uftraceCommands {
			lines := o.draw(c, filepath.Base(dir), facts)
			jobs = append(jobs, job{recording: "installed/" + filepath.Base(dir), mode: mode{name: c.mode},
				installed: &installedJob{program: "uftrace", dir: dir,
					given: []string{"--no-pager", "--color=no", "-d", dir}, lines: lines, all: o.all}})
		}
	}
	return jobs, nil
}

// draw returns the command lines for a recording. They do not depend on the other recordings.
func (o options) draw(c command, recording string, f *facts) [][]string {
	hash := fnv.New64a()
	fmt.Fprint(hash, recording, " ", c.mode)
	lines := c.draw(rand.New(rand.NewPCG(o.seed, hash.Sum64())), f, o.pairs)
	return slices.DeleteFunc(lines, func(line []string) bool {
		return o.command != nil && !o.command.MatchString(strings.Join(line, " ")+" ")
	})
}

// findTraceCmd draws commands on the files of testdata.
func (o options) findTraceCmd(string) ([]job, error) {
	if err := checkInstalled("trace-cmd"); err != nil {
		return nil, err
	}
	files, err := filepath.Glob("testdata/ftrace/*.dat")
	var jobs []job
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".dat")
		if o.run != "" && !selected(o.run, "installed/"+name) || slices.Contains(unread, name) {
			continue
		}
		jobs = append(jobs, job{recording: "installed/" + name, mode: mode{name: "report"},
			installed: &installedJob{program: "trace-cmd", dir: file, given: []string{"-i", file},
				lines: o.draw(traceCmdReport, name, &facts{}), all: o.all}})
	}
	return jobs, err
}

// run compares all command lines.
func (j *installedJob) run(t *tool, res *tally, rules []*rule) error {
	for _, line := range j.lines {
		args := j.arguments(line)
		ref, err := capture(j.program, args)
		if err != nil {
			res.leftOut["the tool does not end"]++
			continue
		}
		ours, err := capture(t.path, slices.Concat([]string{j.program}, args[:1], j.own, args[1:]))
		if err != nil {
			return err
		}
		c, all := res.clone(), ours.text // compare truncates it if the tool died
		if err := j.compare(c, line, ref, ours, newExplainer(rules, rulesMode(res.job.mode.name, line),
			res.job.recording)); err != nil {
			return err
		}
		if c.unexplained > res.unexplained && !j.all {
			why := knownOf(res.job.recording, res.job.mode.name, line, ref, ours, ours.text)
			if why == "" {
				why = knownOf(res.job.recording, res.job.mode.name, line, ref, ours, all)
			}
			if why != "" {

				res.leftOut[why]++
				continue
			}
		}
		*res = *c
	}
	return nil
}

// rulesMode returns the mode of the rules for a command. trace-cmd report -R and -N have their own.
func rulesMode(mode string, line []string) string {
	for _, m := range []string{"R", "N"} {
		if mode == "report" && slices.Contains(line, "-"+m) {
			return m
		}
	}
	return mode
}

// compare compares the outputs of one command line.
func (j *installedJob) compare(res *tally, line []string, ref, ours *answer, e *explainer) error {
	file := strings.ReplaceAll(strings.Join(line, " "), "/", "_")
	chrome := res.job.mode.name == "u-chrome"
	if chrome { // without calls uftrace writes no JSON (testdata/differences.md, "Lost records in JSON")
		ref.text = bytes.Replace(ref.text, []byte("},\n\n]"), []byte("}\n]"), 1)
	}
	switch {
	case ref.status == died && chrome: // its output is not JSON
		res.leftOut["the tool died"]++
		return nil
	case ref.status == died:
		res.leftOut["the tool died, what it wrote is compared"]++
		ref.text, ours.text = written(ref.text, ours.text)
	case ref.status != 0 && ours.status != 0:
		res.refused(file, ref, ours)
		return nil
	case (ref.status == 0) != (ours.status == 0):
		res.unexplained++
		res.note(pair{ref: statusBlock(file, ref.status), ours: statusBlock(file, ours.status)}, 1)
	case chrome && !json.Valid(ours.text):
		res.unexplained++
		res.note(pair{ref: &block{event: file + " (JSON)"},
			ours: &block{event: file + " (JSON)", text: []byte("no JSON"), lines: 1}}, 1)
	case bytes.Equal(ref.text, ours.text):
		res.equal += bytes.Count(ref.text, []byte("\n"))
		return nil
	case j.unsteady(j.arguments(line), ref):
		res.leftOut["the tool's text changes from run to run"]++
		return nil
	}
	l := outputLayout{[]byte(file)}
	refErr, ourErr := align(newBlockReader(bytes.NewReader(ref.text), l), newBlockReader(bytes.NewReader(ours.text), l),
		shortWindow, func(p pair) { res.addApart(p, e) })
	res.settle(e)
	return errors.Join(refErr, ourErr, e.err)
}

// arguments inserts the recording into a command line. uftrace treats words after a function as a
// program. trace-cmd heeds -F only before -i, and --ts-offset only after it.
func (j *installedJob) arguments(line []string) []string {
	switch j.program {
	case "uftrace":
		return slices.Concat(line[:1], j.given, line[1:])
	case "babeltrace2", "perf":
		return slices.Concat(line, j.given)
	}
	var before, after []string
	for i := 0; i < len(line); i++ {
		if line[i] == "--ts-offset" {
			after = append(after, line[i], line[i+1])
			i++
		} else {
			before = append(before, line[i])
		}
	}
	return slices.Concat(before, j.given, after)
}

// unsteady reports whether a tool prints different texts for the same arguments, as trace-cmd does
// with the times of files without a clock.
func (j *installedJob) unsteady(args []string, ref *answer) bool {
	for range 3 {
		if again, err := capture(j.program, args); err == nil && !bytes.Equal(again.text, ref.text) {
			return true
		}
	}
	return false
}

// written returns the output of a tool that died, without its truncated last line, and as many of
// our lines. It removes messages between the tool's lines, since we print them elsewhere.
func written(ref, ours []byte) ([]byte, []byte) {
	ref = ref[:bytes.LastIndexByte(ref, '\n')+1]
	rest := ours
	for line := range bytes.Lines(ref) {
		if !bytes.HasPrefix(line, []byte("Usage: ")) || bytes.HasPrefix(rest, line) {
			_, rest, _ = bytes.Cut(rest, []byte("\n"))
		}
	}
	return ref, ours[:len(ours)-len(rest)]
}

func statusBlock(file string, status int) *block {
	return &block{event: file + " (exit status)", text: fmt.Appendf(nil, "exit status %d\n", status), lines: 1}
}

// mostOutput is larger than the output of any command on the small recordings.
const mostOutput = 64 << 20

// died is the status of a tool that a signal or its own error ended.
const died = -1

// answer is the output of a command, and its status.
type answer struct {
	text, said []byte // standard output and standard error
	status     int
}

// capture runs a command to its end. Its last message reveals whether uftrace gave up in the middle
// (testdata/differences.md, "uftrace dies").
func capture(program string, args []string) (*answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C", "PERF_BUILDID_DIR=/nonexistent")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(out, mostOutput))
	waited := cmd.Wait()
	p := &answer{text: text, said: said.Bytes()}
	if exit := new(exec.ExitError); errors.As(waited, &exit) {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s %s: %w", program, strings.Join(args, " "), ctx.Err())
		}
		p.status, waited = exit.ExitCode(), nil
		if bytes.Contains(p.said, []byte("ERROR: record missing argument info")) {
			p.status = died
		}
	}
	return p, errors.Join(err, waited)
}
