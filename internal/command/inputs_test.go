package command

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// outputLine is a command line whose output is one of its inputs. OUT is replaced by the output.
type outputLine struct {
	args  string
	input string // the input file behind OUT
}

var outputLines = []outputLine{
	{"export --to perfetto -o OUT t.dat", "t.dat"},
	{"export --to chrome -o OUT t.dat", "t.dat"},
	{"export --to ndjson -o OUT t.dat", "t.dat"},
	{"export --to csv -o OUT t.dat", "t.dat"},
	{"export --to pprof -o OUT t.dat", "t.dat"},
	{"export --to folded -o OUT t.dat", "t.dat"},
	{"export --to parquet -o OUT t.dat", "t.dat"},
	{"export --to csv -o OUT -t shop.trcfmt shop.trc", "shop.trcfmt"},
	{"export --to csv -o OUT --layouts shop.layouts shop.trc", "shop.layouts"},
	{"export --to csv -o OUT u.data", "u.data/info"},
	{"trace-cmd convert -i t.dat -o OUT", "t.dat"},
	{"trace-cmd convert -i t.dat OUT", "t.dat"},
	{"trcrpt -o OUT shop.trc", "shop.trc"},
	{"trcrpt -o OUT -t shop.trcfmt shop.trc", "shop.trcfmt"},
	{"trcrpt -o OUT --layouts shop.layouts shop.trc", "shop.layouts"},
	{"trcrpt -o OUT -C all shop.trc", "shop.trc-3"},
	{"gen --pkg x -o OUT t.dat", "t.dat"},
	{"babeltrace2 -w OUT ctf", "ctf/metadata"},
}

// inputFiles makes the files that outputLines name in the current directory.
func inputFiles(t *testing.T) {
	t.Helper()
	from, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for to, name := range map[string]string{
		"t.dat": "ftrace/amd64-extract.dat", "shop.trc": "aix/shop64.trc", "shop.trcfmt": "aix/shop.trcfmt",
		"shop.layouts": "aix/shop.layouts",
		"shop.trc-3":   "aix/shop64.trc",
	} {
		b, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(to, b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("ctf", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("ctf/metadata", []byte("/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };"),
		0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("u.data", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"u.data/info", "u.data/task.txt"} {
		if err := os.WriteFile(name, []byte("Ftrace!\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInputsSurvive gives each command that writes files one of its inputs as the output, under
// several names.
func TestInputsSurvive(t *testing.T) {
	inputFiles(t)
	if err := os.Mkdir("sub", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, l := range outputLines {
		before, err := os.ReadFile(l.input)
		if err != nil {
			t.Fatal(err)
		}
		full, _ := filepath.Abs(l.input)
		names := []string{l.input, "./" + l.input, full, "sub/../" + l.input}
		if err := os.Symlink(full, "symlink.go"); err == nil {
			names = append(names, "symlink.go")
		}
		// In these cases the link is another file of the folder.
		if err := os.Link(l.input, "hardlink.go"); err == nil && !strings.Contains(l.input, "/") {
			names = append(names, "hardlink.go")
		}
		for _, name := range names {
			if strings.HasPrefix(l.args, "gen") && !strings.HasSuffix(name, ".go") {
				continue // a directory
			}
			keepsInput(t, l, name, before)
		}
		os.Remove("symlink.go")
		os.Remove("hardlink.go")
	}
}

func keepsInput(t *testing.T, l outputLine, name string, before []byte) {
	t.Helper()
	args := strings.Fields(strings.ReplaceAll(l.args, "OUT", name))
	var stderr bytes.Buffer
	code := run(args, strings.NewReader(""), io.Discard, &stderr)
	after, err := os.ReadFile(l.input)
	if code != exitUsage || !strings.Contains(stderr.String(), "is also read; give another file") &&
		!strings.Contains(stderr.String(), "which is read; give") {
		t.Errorf("%v: exit %d, %q", args, code, &stderr)
	}
	if err != nil || !bytes.Equal(before, after) {
		t.Fatalf("%v has changed %s: %v", args, l.input, err)
	}
}

// TestNamedOutputsSurvive does the same for commands that choose the names of their outputs.
func TestNamedOutputsSurvive(t *testing.T) {
	inputFiles(t)
	for _, l := range []struct{ args, link, input string }{
		{"trace-cmd split -i t.dat -o part", "part.1", "t.dat"},
		{"index t.dat", "t.dat.tracec-index", "t.dat"},
		{"update -t shop.trcfmt new", "new.undo.trc", "shop.trcfmt"},
		{"update -t shop.trcfmt new", "new.trc", "shop.trcfmt"},
		{"export --to perfetto t.dat", "t.dat.perfetto-trace", "t.dat"},
	} {
		before, _ := os.ReadFile(l.input)
		if err := os.Symlink(l.input, l.link); err != nil {
			t.Skip(err)
		}
		var stderr bytes.Buffer
		code := run(strings.Fields(l.args), nil, io.Discard, &stderr)
		if after, _ := os.ReadFile(l.input); code != exitUsage || !bytes.Equal(before, after) {
			t.Errorf("%s: exit %d, %q; changed %v", l.args, code, &stderr, !bytes.Equal(before, after))
		}
		os.Remove(l.link)
	}
	f, err := os.Open("t.dat")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if code := run(strings.Fields("export --to csv -o t.dat -"), f, io.Discard, io.Discard); code != exitUsage {
		t.Errorf("standard input is the output: exit %d", code)
	}
}

// TestOutputsAreChecked finds commands with an option --output that outputLines lacks.
func TestOutputsAreChecked(t *testing.T) {
	none := []string{"live", "split"} // live reads no files; a test above covers split
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "output" || slices.Contains(none, c.Name()) {
				return
			}
			if !slices.ContainsFunc(outputLines, func(l outputLine) bool {
				return strings.Contains(" "+l.args,
					" "+c.Name()+" ")
			}) {
				t.Errorf("%s has --output and is not tried", c.CommandPath())
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
}
