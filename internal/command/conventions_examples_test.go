package command

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/shlex"
	"github.com/therootcompany/xz"
)

// examples returns the command lines in the examples of all help texts, without duplicates.
func examples() (lines []string) {
	var texts []string
	for _, c := range everyCommand() {
		texts = append(texts, HelpOf(c).Examples)
	}
	for _, topic := range Topics {
		if _, text, ok := strings.Cut(Topic(topic), "\nExamples"); ok {
			text, _, _ = strings.Cut(text, "\n\n")
			texts = append(texts, text)
		}
	}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "tracec ") && !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// notRun has the beginnings of examples that are not run.
var notRun = map[string]string{
	"tracec live":                               "as root, on a kernel of one's own",
	"tracec view":                               "serves a page until it is stopped",
	"tracec open":                               "serves a page until it is stopped",
	"tracec report --follow":                    "waits until it is stopped",
	"tracec check ./... /sys":                   "depends on the kernel of the machine",
	"tracec check --format github":              "events/ trees of two kernels are not here",
	"tracec diff --format json":                 "is long, and diff old.dat new.dat is run",
	"tracec gen --into":                         "asks the go command: testdata/script/long/gen_into.txtar runs it",
	"tracec gen --pkg kernel --split -o kernel": "writes hundreds of files: the tests of gen do",
}

// TestExamples runs the examples of all help texts in a folder with the recordings that they name.
func TestExamples(t *testing.T) {
	exampleFolder(t)
	beginnings, used := slices.Sorted(maps.Keys(notRun)), map[string]bool{}
	n := 0
	for _, line := range examples() {
		if i := slices.IndexFunc(beginnings, func(b string) bool { return strings.HasPrefix(line, b) }); i >= 0 {
			used[beginnings[i]] = true
			continue
		}
		n++
		args := arguments(t, line)
		var out, messages bytes.Buffer
		if code := run(args, strings.NewReader(""), &out, &messages); code != 0 {
			t.Errorf("%s: exit code %d: %s", line, code, &messages)
		}
		switch {
		case out.Len() > 0 || slices.Contains(args, "-o") || slices.Contains(args, "--to") || silent.MatchString(line):
		default:
			t.Errorf("%s: prints nothing: %s", line, &messages)
		}
	}
	if n < 60 {
		t.Errorf("only %d examples", n)
	}
	for beginning := range notRun {
		if !used[beginning] {
			t.Errorf("no example begins with %s", beginning)
		}
	}
}

// silent matches examples that print nothing on success.
var silent = regexp.MustCompile(`^tracec (fmt (-[lwd]|--check)|index|trcupdate|trace-cmd (split|convert)|export --to perfetto|trcrpt -c)\b`)

// arguments returns the arguments of a command line up to a pipe, with files instead of patterns.
func arguments(t *testing.T, line string) (args []string) {
	t.Helper()
	line, _, _ = strings.Cut(line, "    ") // the explanation
	words, err := shlex.Split(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	for _, w := range words[1:] {
		if w == "|" || w == ">" {
			break
		}
		if files, _ := filepath.Glob(w); len(files) > 0 {
			args = append(args, files...)
			continue
		}
		args = append(args, w)
	}
	return args
}

// exampleFolder makes a folder with the recordings of the examples the working directory.
func exampleFolder(t *testing.T) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, from := range map[string]string{
		"trace.dat": "testdata/ftrace/amd64-syscalls.dat", "graph.dat": "docs/testdata/graph.dat",
		"old.dat": "testdata/ftrace/amd64-extract.dat", "new.dat": "testdata/ftrace/sid-zlib.dat",
		"io.dat":    "testdata/tables/block-loop/block-loop.dat.zst",
		"locks.dat": "testdata/tables/locks-mutex/locks-mutex.dat.zst",
		"trcfile":   "testdata/aix/shop64.trc", "my.trcfmt": "testdata/aix/shop.trcfmt",
		"my.layouts": "testdata/aix/shop.layouts",
		"aix.raw":    "testdata/aix/curt.trc", "old.raw": "testdata/aix/curt.trc", "new.raw": "testdata/aix/curt.trc",
		"curt.trcfmt": "testdata/aix/curt.trcfmt",
		"session":     "testdata/ctf/lttng/lttng-2.13.ust-basic.tar.zst", "perf.data": "testdata/perf/sched.data",
	} {
		content, err := os.ReadFile(filepath.Join(root, from))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), content, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	unpack(t, filepath.Join(root, "testdata/uftrace/args-auto/data.tar.gz"), filepath.Join(dir, "uftrace.data"))
	unpack(t, filepath.Join(root, "testdata/lttng/realwriter/ust26-le64-packed.tar.xz"),
		filepath.Join(dir, "traces/t1"))
	t.Chdir(dir)
	for name, text := range map[string]string{
		"go.mod":  "module example.com/x\n\ngo 1.26\n",
		"new.trc": "* /etc/trcfmt\n+ 777 1.0 L=APPL \"NEW\" \"more\" D4\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var messages bytes.Buffer
	if code := run([]string{"gen", "-o", "decoders", "-e", "sched:*", "trace.dat"}, nil, io.Discard,
		&messages); code != 0 {
		t.Fatalf("gen: exit code %d: %s", code, &messages)
	}
}

// unpack unpacks the folder of an archive.
func unpack(t *testing.T, archive, to string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader
	if strings.HasSuffix(archive, ".gz") {
		r, err = gzip.NewReader(f)
	} else {
		r, err = xz.NewReader(f, xz.DefaultDictMax)
	}
	if err != nil {
		t.Fatal(err)
	}
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		_, inside, _ := strings.Cut(h.Name, "/")
		if inside == "" {
			continue
		}
		name := filepath.Join(to, filepath.FromSlash(inside))
		if h.FileInfo().IsDir() {
			err = os.MkdirAll(name, 0o777)
		} else if content, rerr := io.ReadAll(tr); rerr == nil {
			err = errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, content, 0o666))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
