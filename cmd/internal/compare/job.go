package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// A mode is a kind of text that both sides can print.
type mode struct {
	name   string
	suffix string   // suffix of the reference's file next to the recording
	args   []string // arguments of tracec
}

// modes are the modes in the order of the output, first trace-cmd's own texts. "kernel" and "graph"
// compare with the kernel's own text, of a snapshot or next to a recording. The function_graph
// tracer has its own layout.
var modes = append(slices.Clone(reportModes), []mode{
	{name: "kernel", suffix: snapshotSuffix, args: []string{"report", "-N"}},
	{name: "graph", suffix: snapshotSuffix, args: []string{"report", "-N"}},
	{name: "kernel", suffix: kernelTextSuffix, args: []string{"report", "-N"}},
}...)

func modeByName(name string) (mode, bool) {
	for _, m := range slices.Concat(modes, uftraceModes, lttngModes) {
		if m.name == name {
			return m, true
		}
	}
	return mode{}, false
}

// A job compares one recording in one mode.
type job struct {
	recording string // folder/name, as in bookworm-6.1-amd64/markers
	mode      mode
	input     string // the input of tracec: a recording, or an archived snapshot
	reference string

	uftrace *uftraceJob // nil for other recordings
	lttng   *lttngJob

	installed *installedJob
}

// findJobs lists all possible comparisons below root: every recording with a saved text, and every
// archived tracefs snapshot, which contains the kernel's text. The texts are below a folder of the
// same structure, usually root itself. match is a glob for "folder/name" or "name". If empty, all
// are listed.
func findJobs(root, texts, match string) ([]job, error) {
	var jobs []job
	err := filepath.WalkDir(texts, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		for _, m := range modes {
			base, ok := strings.CutSuffix(path, m.suffix)
			if !ok {
				continue
			}
			rel, err := filepath.Rel(texts, base)
			if err != nil {
				return fmt.Errorf("name of %s: %w", path, err)
			}
			base = filepath.Join(root, rel)
			j := job{mode: m, reference: path, input: base + ".dat"}
			if m.suffix == snapshotSuffix {
				if !strings.HasPrefix(filepath.Base(base), "raw-") ||
					strings.Contains(base, "function_graph") != (m.name == "graph") {
					continue
				}
				j.input = path
			} else if strings.HasSuffix(base, ".1") { // trace-cmd split numbers its files
				j.input = base
			}
			j.recording = filepath.ToSlash(rel)
			if !strings.Contains(j.recording, "/") {
				j.recording = filepath.Base(root) + "/" + j.recording
			}
			if m.suffix == kernelTextSuffix {
				graph, err := isGraph(path)
				if err != nil {
					return err
				}
				if graph {
					j.mode.name = "graph"
				}
			}
			if selected(match, j.recording) {
				jobs = append(jobs, j)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list recordings: %w", err)
	}
	sort.SliceStable(jobs, func(a, b int) bool { return jobs[a].recording < jobs[b].recording })
	return jobs, nil
}

func selected(match, recording string) bool {
	if match == "" {
		return true
	}
	return matches([]string{match}, recording) || matches([]string{match},
		recording[strings.LastIndexByte(recording, '/')+1:])
}

// snapshotSuffix is the suffix of an archived tracefs snapshot.
const snapshotSuffix = ".tar.zst"
