package command

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/packed"
	"github.com/tracec/tracec/internal/testkit/perftest"
)

// TestPerfScriptOptions compares texts with those of perf 6.1, 6.12 and 7.2 for options of perf
// script (testdata/perf/README.md). The first line of a text has the version, the recording and the
// options.
func TestPerfScriptOptions(t *testing.T) {
	defer func(l *time.Location) { time.Local = l }(time.Local)
	time.Local = time.UTC // the zone of the texts
	dir := t.TempDir()
	texts := packed.Files(t, filepath.Join(needs.Root(t), "testdata/perf/options.tar.zst"))
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		head, want, _ := strings.Cut(string(texts[name].Data), "\n")
		args := strings.Split(strings.TrimRight(head, "\t"), "\t")
		version, recording, options := args[0], args[1], args[2:]
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			all := append([]string{"perf", "script", "--like", version, "-i", unpackedPerf(t, dir, recording+".data")},
				symbolsOf(t, dir, path.Dir(recording))...)
			code, got, errs := tracec(nil, append(all, options...)...)
			if code != 0 {
				t.Fatalf("exit code %d: %s", code, errs)
			}
			if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" {
				t.Errorf("-perf +tracec\n%s", d)
			}
		})
	}
}

// symbolsOf returns the options for symbols with which the texts of a group were made.
func symbolsOf(t *testing.T, dir, group string) []string {
	t.Helper()
	program := unpackedPerf(t, dir, "amd64-6.18/hot")
	symfs := filepath.Join(dir, "symfs")
	to := filepath.Join(symfs, "opt/demo/hot")
	if _, err := os.Stat(to); err != nil {
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(program, to); err != nil {
			t.Fatal(err)
		}
	}
	if group == "public" {
		return []string{"--symfs", symfs}
	}
	return []string{"--symfs", symfs, "--kallsyms", unpackedPerf(t, dir, group+"/kallsyms")}
}

// unpackedPerf unpacks a file of the groups of recordings and returns its path.
func unpackedPerf(t *testing.T, dir, name string) string {
	t.Helper()
	to := filepath.Join(dir, name)
	if _, err := os.Stat(to); err == nil {
		return to
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, perftest.File(t, path.Dir(name), path.Base(name)), 0o666); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestPerfScriptUnsupported: an unsupported option is an error that names it and the reason.
func TestPerfScriptUnsupported(t *testing.T) {
	dir := t.TempDir()
	file := unpackedPerf(t, dir, "made/branches.data")
	for args, want := range map[string]string{
		"-F srcline,comm":         "-F srcline: needs ip, which lines of cycles:u do not have; add ip",
		"-F +srccode":             "the field srccode is not supported: the source code of programs is not read",
		"-F brstackinsn":          "the field brstackinsn is not supported: the code of programs is not read",
		"-F +brcntr":              "the field brcntr is not supported: counters of branches have no text",
		"-F +machine_pid":         "the field machine_pid is not supported: samples of guests are not distinguished",
		"-F +phys_addr":           "-F phys_addr: no event of " + file + " samples it",
		"-F +bpf-output":          "-F bpf-output: no event of " + file + " samples it",
		"-F +tod":                 "-F tod: " + file + " has no time of day; record with -k",
		"-F +brstak":              `unknown field "brstak"; did you mean brstack?`,
		"--xed":                   "--xed is not supported: the code of programs is not read",
		"--show-round-events":     "--show-round-events is not supported: records are sorted by time, and rounds have no time",
		"--time 10%":              "--time: the recording lacks the times of its first and last sample",
		"--time 3,2":              "--time 3,2: the time ends before it begins",
		"--time 2":                "--time: want BEGIN,END; one of them may be empty",
		"--time 10%/0":            `--time 10%/0: "10%/0": want 10%, 10%/2 or 10%-20%, from 0% to 100%`,
		"--time NaN%":             `--time NaN%: "NaN%": want 10%, 10%/2 or 10%-20%, from 0% to 100%`,
		"--reltime --deltatime":   "--reltime, --deltatime: use only one of them",
		"--max-stack=-1 -F +misc": "--max-stack: want a number of at least 0",
	} {
		code, out, errs := tracec(nil, append([]string{"perf", "script", "-i", file}, strings.Fields(args)...)...)
		if code == 0 || out != "" || !strings.HasPrefix(errs, "tracec: "+want+"\n") {
			t.Errorf("%s: exit code %d, %q, %q\nwant %q", args, code, out, errs, want)
		}
	}
}
