package command

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// optionMessage is a set of options that are wrong for every system. FILE, NOUN and TITLE are
// replaced by the file, noun and title of the system.
type optionMessage struct {
	args    []string
	message string // the first line on standard error
	// when selects the systems for this message. If nil, it is for all systems.
	when func(s *optionSystem) bool
}

var optionMessages = []optionMessage{
	{[]string{"report", "-e", "nosuch"}, "-e nosuch: FILE has no such NOUN", nil},
	{[]string{"stat", "-e", "nosuch"}, "-e nosuch: FILE has no such COUNTED", nil},
	{[]string{"report", "-e", "nosuch:*"}, "-e nosuch:*: FILE has no such NOUN", nil},
	{[]string{"report", "-e", "*", "-e", "nosuch"}, "-e nosuch: FILE has no such NOUN", nil},
	{[]string{"report", "-e", "["}, `-e [: the bracket is not closed; write \[ for the character`, nil},
	{[]string{"stat", "-e", "["}, `-e [: the bracket is not closed; write \[ for the character`, nil},
	{[]string{"list", "-e", "["}, `-e [: the bracket is not closed; write \[ for the character`, nil},
	{[]string{"gen", "-dump=ir", "-events", "["}, `-e [: the bracket is not closed; write \[ for the character`,
		func(s *optionSystem) bool { return !s.templates }},
	{[]string{"vet", "-e", "["}, `-e [: the bracket is not closed; write \[ for the character`,
		func(s *optionSystem) bool { return s.micros }},
	{[]string{"report", "-e", "*,["}, `-e [: the bracket is not closed; write \[ for the character`, nil},
	{[]string{"report", "-e", "*,,*"}, "-e *,,*: an item is empty", nil},
	{[]string{"report", "-e", "[", "--since", "x"}, `-e [: the bracket is not closed; write \[ for the character`, nil},
	{[]string{"report", "--since", "x"}, "--since x: want a time such as 12.5, +0.5s or -1s", nil},
	{[]string{"stat", "--until", "x"}, "--until x: want a time such as 12.5, +0.5s or -1s", nil},
	{[]string{"report", "--since", "1."}, "--since 1.: want a time such as 12.5, +0.5s or -1s", nil},
	{[]string{"report", "--since", ".5"}, "--since .5: want a time such as 12.5, +0.5s or -1s", nil},
	{[]string{"report", "--since", "-1"}, "--since -1: a duration needs a unit: -1s or -1ms", nil},
	{[]string{"report", "--since", "1.2.3"}, "--since 1.2.3: want a time such as 12.5, +0.5s or -1s", nil},
	{[]string{"report", "--since", "1.0000000000x"}, "--since 1.0000000000x: want a time such as 12.5, +0.5s or -1s",
		nil},
	{[]string{"report", "--until", "99999999999"}, "--until 99999999999: too large for a time", nil},
	{[]string{"report", "--since", "5", "--until", "4"}, "--since 5 --until 4: the time ends before it begins", nil},
	{[]string{"stat", "--since", "5", "--until", "5"}, "--since 5 --until 5: the time ends before it begins", nil},
	{[]string{"report", "--since", "5s"}, "--since 5s: write +5s from the beginning, -5s from the end, or 5 as printed",
		nil},
	{[]string{"stat", "--until", "1500ms"}, "--until 1500ms: write +1500ms from the beginning, -1500ms from the end, or 1.5 as printed", nil},
	{[]string{"stat", "--until", "+.5"}, "--until +.5: a duration needs a unit: +.5s or +.5ms", nil},
	{[]string{"report", "--since", "+-1s"}, "--since +-1s: want a time such as 12.5, +0.5s or -1s", nil},
	{[]string{"report", "--since", "+x"}, "--since +x: want a time such as 12.5, +0.5s or -1s", nil},
	{[]string{"report", "--since", "+"}, "--since +: want a time such as 12.5, +0.5s or -1s", nil},
	{[]string{"report", "--last", "1"}, "--last 1: want a duration such as 1s or 100ms", nil},
	{[]string{"stat", "--last", "-1s"}, "--last -1s: want a duration such as 1s or 100ms", nil},
	{[]string{"stat", "--last", "1s", "--since", "1"}, "--since and --last exclude each other", nil},
	{[]string{"report", "--since", "+2s", "--until", "+1s"}, "--since +2s --until +1s: the time ends before it begins",
		nil},
	{[]string{"report", "--since", "-1s", "--until", "-1s"}, "--since -1s --until -1s: the time ends before it begins",
		nil},
	{[]string{"report", "--last", "1s", "--until", "-2s"}, "--until -2s --last 1s: the time ends before it begins",
		nil},
	{[]string{"report", "--cpu", "x"}, "--cpu x: want CPUs such as 0,2-3", nil},
	{[]string{"report", "--cpu", "0"}, "--cpu: recordings of TITLE do not have the CPU of a call",
		func(s *optionSystem) bool { return s.noCPUs }},
	{[]string{"stat", "--cpu", "0"}, "--cpu: recordings of TITLE do not have the CPU of a call",
		func(s *optionSystem) bool { return s.noCPUs }},
	{[]string{"report", "-t", "x"}, "-t: FILE is a recording of TITLE; the option is for AIX",
		func(s *optionSystem) bool { return !s.templates }},
	{[]string{"stat", "-t", "x"}, "-t: FILE is a recording of TITLE; the option is for AIX",
		func(s *optionSystem) bool { return !s.templates }},
	{[]string{"report", "--pid", "nosuch"}, "--pid nosuch: FILE has no thread of this name; tracec stat shows its threads", func(s *optionSystem) bool { return !s.templates && !s.laterTasks }},
	{[]string{"report", "--pid", "nosuch"}, "--pid nosuch: not a number, and FILE has no names of threads",
		func(s *optionSystem) bool { return s.templates }},
	{[]string{"report", "--pid", "2147483647"}, "--pid 2147483647: FILE has no such thread",
		func(s *optionSystem) bool { return s.allTasks }},
	{[]string{"report", "--memory", "1k"}, "--memory 1k: want at least 16MiB", nil},
	{[]string{"report", "--quite"}, "report: unknown flag --quite", nil},
}

// title is the name of the system in messages.
func (s *optionSystem) title() string {
	switch s.name {
	case "tracefs":
		return "ftrace"
	case "lttng":
		return "LTTng"
	}
	return s.name
}

// message runs a wrong command line. The command must print only the error, and exit with 2.
func (s *optionSystem) message(t *testing.T, m optionMessage) {
	if m.when != nil && !m.when(s) {
		return // not for this system
	}
	counted := s.noun
	if counted == "function" { // the report of uftrace only selects functions
		counted = "function or event"
	}
	want := "tracec: " + strings.NewReplacer("FILE", s.file, "NOUN", s.noun, "COUNTED", counted, "TITLE",
		s.title()).Replace(m.message)
	code, out, errs := tracec(nil, append(slices.Clone(m.args), s.file)...)
	got, _, _ := strings.Cut(errs, "\n")
	if got, _, _ = strings.Cut(got, "; did you mean"); got != want || code != exitUsage || out != "" {
		t.Errorf("exit code %d, %d bytes of output, message %q, want %q", code, len(out), got, want)
	}
}

// inputs compares the output for a file or directory with the output for an archive and for
// standard input.
func (s *optionSystem) inputs(t *testing.T) {
	archive, err := os.ReadFile(s.tar)
	if err != nil {
		t.Fatal(err)
	}
	e := s.events[len(s.events)/2]
	for _, args := range [][]string{
		{"report", "-e", e.name}, {"report", "--since", e.time}, {"list"}, {"stat", "--until", e.time}, {"info"},
		{"gen", "-pkg=x", "-dump=ir"}, {"vet"},
	} {
		t.Run("inputs "+args[0], func(t *testing.T) {
			wantCode, want, _ := tracec(nil, append(slices.Clone(args), s.file)...)
			for _, path := range []string{s.tar, "-"} {
				code, got, errs := tracec(archive, append(slices.Clone(args), path)...)
				if code != wantCode || s.plain(got, path) != s.plain(want, s.file) {
					t.Errorf("%s: exit code %d, of the recording itself %d; %s (-itself +this)\n%s", path, code,
						wantCode, errs, cmp.Diff(s.plain(want, s.file), s.plain(got, path)))
				}
			}
		})
	}
}

// plain returns an output without the names of the input.
func (s *optionSystem) plain(out, path string) string {
	base := filepath.Base(s.file)
	if path == "-" {
		out = strings.NewReplacer("stdin/"+base, "FILE", `source="-"`, `source="FILE"`, "(-/", "(FILE/").Replace(out)
		out = regexp.MustCompile(`(?m)^(file: *)-$`).ReplaceAllString(out, "${1}FILE")
	}
	for _, name := range []string{path + "/" + base, path, `"` + filepath.Base(path) + `"`, base} {
		if path != "-" || name == base {
			out = strings.ReplaceAll(out, name, map[bool]string{true: `"FILE"`, false: "FILE"}[name[0] == '"'])
		}
	}
	return strings.TrimSpace(out)
}

// unpackedSample writes a recording into a directory as FILE. An archive becomes a directory with
// that name.
func unpackedSample(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rec")
	if !strings.Contains(filepath.Base(name), ".tar.") {
		return write(t, path, readSample(t, name))
	}
	for file, b := range rooted(readTar(t, name)) {
		write(t, filepath.Join(path, file), b)
	}
	return path
}

// tarOf packs a recording.
func tarOf(t *testing.T, path string) string {
	t.Helper()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	w := tar.NewWriter(z)
	dir, base := filepath.Split(path)
	err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err == nil {
			err = w.WriteHeader(&tar.Header{Name: filepath.ToSlash(rel), Mode: 0o644, Size: int64(len(b)),
				Typeflag: tar.TypeReg})
		}
		if err == nil {
			_, err = w.Write(b)
		}
		return err
	})
	for _, e := range []error{err, w.Close(), z.Close()} {
		if e != nil {
			t.Fatal(e)
		}
	}
	return write(t, filepath.Join(t.TempDir(), base+".tar.gz"), packed.Bytes())
}
