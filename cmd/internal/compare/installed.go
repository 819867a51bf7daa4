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

// installedJob compares with a tool of this machine, command by command: each option alone and with another.
type installedJob struct {
	program string   // uftrace, trace-cmd
	dir     string   // the recording
	given   []string // what names the recording
	lines   [][]string
	known   bool // leave out the commands of the known list
}

// The versions that are compared with: the texts of others differ.
var installedVersions = map[string]string{"uftrace": "v0.13", "trace-cmd": "3.1.6"}

// checkInstalled reports a tool that is not there, or of another version.
func checkInstalled(program string) error {
	args := map[string]string{"uftrace": "--version", "trace-cmd": "--help"}
	out, _ := exec.Command(program, args[program]).CombinedOutput() // trace-cmd --help fails
	if want := installedVersions[program]; !bytes.Contains(out, []byte(want)) {
		return fmt.Errorf("%s %s is not installed: %.60q", program, want, out)
	}
	return nil
}

// findInstalled makes recordings of small programs below temp, and draws the commands that are compared.
func (o options) findInstalled(temp string) ([]job, error) {
	var jobs []job
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
	for _, dir := range append(recordings, saved...) {
		facts, err := factsOf(dir)
		if err != nil {
			return nil, err
		}
		for _, c := range uftraceCommands {
			lines := o.draw(c, filepath.Base(dir), facts)
			jobs = append(jobs, job{recording: "installed/" + filepath.Base(dir), mode: mode{name: c.mode},
				installed: &installedJob{program: "uftrace", dir: dir, given: []string{"--no-pager", "--color=no", "-d", dir}, lines: lines, known: o.known}})
		}
	}
	more, err := o.findTraceCmd()
	return append(jobs, more...), err
}

// draw returns the command lines of a recording. They are the same whichever other recordings are compared.
func (o options) draw(c command, recording string, f *facts) [][]string {
	hash := fnv.New64a()
	fmt.Fprint(hash, recording, " ", c.mode)
	lines := c.draw(rand.New(rand.NewPCG(o.seed, hash.Sum64())), f, o.pairs)
	return slices.DeleteFunc(lines, func(line []string) bool {
		return o.command != nil && !o.command.MatchString(strings.Join(line, " ")+" ")
	})
}

// findTraceCmd draws commands on the files of testdata.
func (o options) findTraceCmd() ([]job, error) {
	if err := checkInstalled("trace-cmd"); err != nil {
		return nil, err
	}
	files, err := filepath.Glob("testdata/ftrace/*.dat")
	var jobs []job
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".dat")
		if o.run != "" && !selected(o.run, "installed/"+name) {
			continue
		}
		jobs = append(jobs, job{recording: "installed/" + name, mode: mode{name: "report"},
			installed: &installedJob{program: "trace-cmd", dir: file, given: []string{"-i", file}, lines: o.draw(traceCmdReport, name, &facts{}), known: o.known}})
	}
	return jobs, err
}

// run compares all command lines.
func (j *installedJob) run(t *tool, res *tally, rules []*rule) error {
	for _, line := range j.lines {
		why := knownOf(res.job.recording, res.job.mode.name, line)
		if why != "" && j.known {
			res.uses["(not compared: "+why+")"]++
			continue
		}
		file := strings.ReplaceAll(strings.Join(line, " "), "/", "_")
		if why != "" {
			file += " [" + why + "]"
		}
		e := newExplainer(rules, res.job.mode.name, res.job.recording)
		args := j.arguments(line)
		ref, said, status, err := capture(j.program, args)
		if err != nil {
			res.uses["(the tool does not end)"]++
			continue
		}
		ours, ourSaid, ourStatus, err := capture(t.path, append([]string{j.program}, args...))
		if err != nil {
			return err
		}
		if status == died {
			res.uses["(the tool died)"]++
			if res.job.mode.name == "u-chrome" { // what it wrote is no JSON
				continue
			}
			ref, ours = written(ref, ours)
		} else if (status == 0) != (ourStatus == 0) {
			res.unexplained++
			res.note(pair{ref: statusBlock(file, status), ours: statusBlock(file, ourStatus)}, 1)
		} else if status != 0 {
			res.refused(file, slices.Concat(ref, said), ourSaid)
			continue
		}
		if res.job.mode.name == "u-chrome" && !json.Valid(ref) && json.Valid(ours) { // commas after nothing, messages, events of two threads in one
			res.uses["(the tool's JSON is none)"]++
			continue
		}
		if bytes.Equal(ref, ours) {
			res.equal += bytes.Count(ref, []byte("\n"))
			continue
		}
		if j.unsteady(args, ref, status) {
			res.uses["(the tool's text changes from run to run)"]++
			continue
		}
		l := outputLayout{[]byte(file)}
		refErr, ourErr := align(newBlockReader(bytes.NewReader(ref), l), newBlockReader(bytes.NewReader(ours), l), shortWindow,
			func(p pair) { res.addApart(p, e) })
		if err := errors.Join(refErr, ourErr, e.err); err != nil {
			return err
		}
	}
	return nil
}

// arguments puts what names the recording into a command line. uftrace takes what follows a function for a program. trace-cmd
// heeds -F only before -i, and --ts-offset only after it.
func (j *installedJob) arguments(line []string) []string {
	if j.program == "trace-cmd" && !slices.Contains(line, "--ts-offset") {
		return slices.Concat(line, j.given)
	}
	return slices.Concat(line[:1], j.given, line[1:])
}

// unsteady reports whether a tool prints something else of the same, as trace-cmd does with the times of files without a clock.
func (j *installedJob) unsteady(args []string, text []byte, status int) bool {
	for range 3 {
		if again, _, _, err := capture(j.program, args); err == nil && status != died && !bytes.Equal(again, text) {
			return true
		}
	}
	return false
}

// written returns what a tool that died had written, but for a line that was cut, and as many lines of ours.
func written(ref, ours []byte) ([]byte, []byte) {
	ref = ref[:bytes.LastIndexByte(ref, '\n')+1]
	rest := ours
	for range bytes.Count(ref, []byte("\n")) {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	return ref, ours[:len(ours)-len(rest)]
}

func statusBlock(file string, status int) *block {
	return &block{event: file + " (exit status)", text: fmt.Appendf(nil, "exit status %d\n", status), lines: 1}
}

// mostOutput is more than any command of the small recordings prints.
const mostOutput = 64 << 20

// died is the status of a tool that a signal or an error of its own ended.
const died = -1

// capture runs a command to its end, and returns what it prints on standard output, and its status. What it says last tells
// whether uftrace gave up in the middle (testdata/differences.md, "uftrace dies").
func capture(program string, args []string) (text, said []byte, status int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, 0, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, 0, err
	}
	text, err = io.ReadAll(io.LimitReader(out, mostOutput))
	waited := cmd.Wait()
	if exit := new(exec.ExitError); errors.As(waited, &exit) {
		if ctx.Err() != nil {
			return text, nil, died, fmt.Errorf("%s %s: %w", program, strings.Join(args, " "), ctx.Err())
		}
		if status := exit.ExitCode(); status <= 128 && !bytes.Contains(stderr.Bytes(), []byte("ERROR: record missing argument info")) {
			return text, stderr.Bytes(), status, err
		}
		return text, stderr.Bytes(), died, err
	}
	return text, stderr.Bytes(), 0, errors.Join(err, waited)
}
