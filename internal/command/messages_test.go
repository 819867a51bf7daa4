package command

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// messageLine is a command line, its exit code, and the beginning of standard error after "tracec:
// ".
type messageLine struct {
	args    string
	code    int
	message string
}

// The files are defined in messageFiles.
var messageLines = []messageLine{
	// files
	{"report nofile.dat", 3, "nofile.dat: no such file\n"},
	{"stat nofile", 3, "nofile: no such file\n"},
	{"report ''", 2, "the name of the recording is empty\n"},
	{"report -t nofile shop.trc", 3, "nofile: no such file\n"},
	{"report words", 3, "words: not a recording: plain text\n  tracec help recordings lists what is read\n"},
	{"report empty.dat", 3, "empty.dat: empty\n"},
	{"report emptydir", 3, "emptydir: an empty directory\n"},
	{"report above", 3, "above: no recording, but folders below hold some: one, two\n"},
	{"report two", 2, "two: 2 recordings: a.dat, b.dat; name one\n"},
	{"report two.tar", 2, "two.tar: 2 recordings: two/a.dat, two/b.dat; unpack it and name one\n"},
	{"report -", 3, "standard input: empty\n"},
	{"list words", 3, "words: not a recording, format file or template file: plain text\n"},
	{"fmt t.dat", 3, "t.dat: not a template file: a recording of ftrace\n"},
	{"fmt words", 3, "words: not a template file: line 1 begins with \"some\"\n"},
	{"textdump t.dat", 3, "t.dat: a recording of ftrace, not of LTTng; tracec report reads it\n"},
	{"trcrpt words", 3, "words: not a recording of AIX: plain text\n"},
	{"trace-cmd dump words", 3, "words: not a recording of ftrace: plain text\n"},
	{"trace-cmd report", 3, "trace.dat: no such file (the default); tracec trace-cmd report FILE\n"},
	{"index shop.trc", 2, "shop.trc: recordings of AIX cannot have an index: entries depend on earlier entries\n"},
	{"index --check t.dat", 1, "t.dat: has no index; tracec index t.dat writes one\n"},
	{"index --remove t.dat", 3, "t.dat: has no index\n"},
	{"diff shop.trc t.dat", 2, "shop.trc: recordings of AIX do not describe events; give the template file (a copy of /etc/trcfmt)\n"},
	{"report --follow t.dat", 2, "t.dat: cannot be followed: recordings of this kind are read as a whole\n"},
	{"report --follow words", 3, "words: not a recording: plain text\n"},
	{"check ./nodir t.dat", 3, "./nodir: no such file\n"},
	{"gen --into ./nodir t.dat", 3, "./nodir: no such directory, and no package of this import path with Go files\n"},
	// events
	{"report -e sched_swich t.dat", 2, "-e sched_swich: t.dat has no such event; did you mean sched_switch?\n"},
	{"stat -e sched t.dat", 0, ""},
	{"report -e sched:nothing t.dat", 2, "-e sched:nothing: t.dat has no such event; tracec list -e 'sched:*' shows the "},
	{"report -e '' t.dat", 2, "-e: empty; leave the flag out to take all\n"},
	{"report -e [ t.dat", 2, "-e [: the bracket is not closed; write \\[ for the character\n"},
	{"stat -e 999 shop.trc", 0, "note: shop.trc: no event matches -e 999\n"},
	{"diff -e nosuch t.dat t.dat", 2, "-e nosuch: neither side has such an event\n"},
	{"vet -e 9ff shop.trcfmt", 2, "-e 9ff: shop.trcfmt has no such template\n"},
	{"vet shop.trcfmt t.dat", 0, ""},
	{"report --cpu 9 t.dat", 2, "--cpu 9: t.dat has CPUs 0-1\n"},
	{"report --cpu 0-99 t.dat", 2, "--cpu 0-99: t.dat has CPUs 0-1\n"},
	{"report --cpu x t.dat", 2, "--cpu x: want CPUs such as 0,2-3\n"},
	{"report --cpu 3-1 t.dat", 2, "--cpu 3-1: want 1-3\n"},
	{"report --cpu '' t.dat", 2, "--cpu: empty; leave the flag out to take all\n"},
	{"stat --cpu all t.dat", 0, ""},
	{"stat --pid 999999 t.dat", 0, "note: t.dat: no event matches --pid 999999\n"},
	{"report --pid nosuch t.dat", 2, "--pid nosuch: t.dat has no thread of this name; tracec stat shows its threads\n"},
	{"report --pid 757, t.dat", 2, "--pid 757,: an item is empty\n"},
	{"export --to perfetto --cpu 0 --pid 999999 t.dat", 0, "note: t.dat: no event matches "},
	// filters
	{"report -F 'sched_switch: prev_pidd == 3' t.dat", 2,
		"-F: column 15: sched_switch has no field prev_pidd; did you mean prev_pid?\n"},
	{"report -F 'sched_swich: a == 1' t.dat", 2, "-F: column 1: t.dat has no event `sched_swich`; did you mean sched_switch?\n"},
	{"report -F 'sched_switch: prev_pid = 3' t.dat", 2,
		"-F: column 24: \"=\" compares by ==\n  -F 'sched_switch: prev_pid == 3'\n"},
	{"report -F 'sched_switch: prev_comm == 3' t.dat", 2, "-F: column 15: `prev_comm` is text: write \"3\"\n"},
	{"report -F 'sched_switch: next_comm == bash' t.dat", 2, "-F: column 28: texts are quoted: \"bash\"\n"},
	{"report -F 'sched_switch: prev_comm ~ \"[\"' t.dat", 2,
		"-F: column 27: bad glob \"[\": the bracket is not closed\n"},
	{"report -F 'sched_switch: prev_comm =~ \"(\"' t.dat", 2, "-F: column 28: bad regular expression: missing )\n"},
	{"report -F '' t.dat", 2, "-F: empty\n"},
	{"report -F 'irq:*: vec == 7' t.dat", 2, "-F: column 1: events of a filter are regular expressions: irq:.*\n"},
	{"stat -F 'sched:sched_switch: prev_pid > 3' t.dat", 0, ""},
	{"trace-cmd report -F sched_swich t.dat", 2, "-F: column 1: t.dat has no event `sched_swich`; did you mean sched_switch?\n"},
	// flags and arguments
	{"reprot t.dat", 2, "unknown command reprot; did you mean report?\n"},
	{"reprot -F x t.dat", 2, "unknown command reprot; did you mean report?\n"},
	{"--evnt t.dat", 2, "unknown flag --evnt; tracec -h lists the flags\n"},
	{"convert t.dat", 2, "which format? --to FORMAT, one of parquet, "},
	{"help foo", 2, "unknown command or topic foo; tracec -h lists them\n"},
	{"report", 2, "which recording?\n  tracec report FILE\n"},
	{"report a b", 2, "one recording at a time, not 2: a b\n  "},
	{"report --evnt t.dat", 2, "report: unknown flag --evnt; did you mean --event?\n"},
	{"report --json t.dat", 2, "report: no --json; tracec export --to ndjson FILE\n"},
	{"report -z t.dat", 2, "report: unknown flag -z; tracec report -h lists the flags\n"},
	{"gen -json t.dat", 2, "gen: unknown flag --json; tracec gen -h lists the flags\n"},
	{"report -j 2000 t.dat", 2, "-j 2000: want 1 to 1024\n"},
	{"report --memory foo t.dat", 2, "--memory foo: want a size such as 64M or 1GiB\n"},
	{"report --memory 8M t.dat", 2, "--memory 8M: want at least 16MiB\n"},
	{"report --follow --delay abc t.dat", 2, "--delay abc: want a duration such as 100ms or 10s\n"},
	{"export t.dat", 2, "which format? --to FORMAT, one of parquet, "},
	{"export --to csv --csv-fields foo t.dat", 2, "--csv-fields foo: want auto, columns or json\n"},
	{"export --to csv t.dat t.dat -o x.csv", 2, "-o x.csv: no such directory; several recordings need one\n"},
	{"export --to csv -o nodir/x t.dat", 3, "-o nodir/x: no directory nodir\n"},
	{"export --to csv t.dat two/a.dat", 2, "--to csv: several recordings need -o DIR\n"},
	{"export --to folded --value foo t.dat", 2, "t.dat: no event has an integer field foo: there is nothing to profile\n"},
	{"index --check --remove t.dat", 2, "--check and --remove exclude each other\n"},
	{"live -e x --file-version 8 -o new.dat", 2, "--file-version 8: want 6 or 7\n"},
	{"live --delay 0s -e x", 2, "--delay 0s: want a duration above 0, such as 100ms\n"},
	{"diff t.dat", 2, "two sides are compared\n"},
	{"diff --fail-on none t.dat two/a.dat", 0, ""},
	{"gen --pkg 1x t.dat", 2, "--pkg 1x: not the name of a Go package\n"},
	{"gen --pkg hand -o hand.go t.dat", 2, "-o hand.go: exists and was not written by tracec gen; give another file\n"},
	{"gen --check --pkg x -e sched t.dat", 1, "x_gen.go, x_gen_purego.go, x_gen_unsafe.go: missing; go generate renews them\n"},
	{"trcupdate", 2, "which update file?\n"},
	{"trace-cmd split -s 1 -e 5 t.dat", 2, "-s and -e exclude each other\n"},
	{"uftrace report --format html", 2, "--format html: want normal or csv; for dump, chrome, flame-graph, graphviz or mermaid\n"},
}

// messageFiles makes the files that messageLines name in the current directory.
func messageFiles(t *testing.T) {
	t.Helper()
	inputFiles(t)
	recording, err := os.ReadFile("t.dat")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"words": strings.Repeat("some words of no form\n", 10), "empty.dat": "", "emptydir/": "",
		"two/a.dat": string(recording), "two/b.dat": string(recording),
		"above/two/a.dat": string(recording), "above/one/b.dat": string(recording), "hand.go": "package hand\n",
	}
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			continue
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"two/a.dat", "two/b.dat"} {
		w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(recording)), Typeflag: tar.TypeReg})
		w.Write(recording)
	}
	w.Close()
	if err := os.WriteFile("two.tar", packed.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// words splits a command line at blanks that are not between single quotes.
func words(line string) (list []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

// foreign matches words of the system, of Go and of our internals.
var foreign = regexp.MustCompile(`[:;] (stat|open|mkdir|fork/exec) |invalid argument|exit status|0x[0-9a-f]{8,}|instances/|goroutine|flag\b.*: "`)

// longest is the longest allowed line of a message.
const longest = 110

// checkMessage checks the rules for messages.
func checkMessage(t *testing.T, line, message string) {
	t.Helper()
	first, _, _ := strings.Cut(message, "\n")
	switch {
	case message == "":
	case !strings.HasPrefix(message, "tracec: "):
		t.Errorf("%s: %q does not begin with the name of the program", line, message)
	case strings.HasSuffix(first, "."), foreign.MatchString(message):
		t.Errorf("%s: %q", line, message)
	}
	for text := range strings.Lines(message) {
		if len(text) > longest && !strings.HasPrefix(text, "  ") && !strings.Contains(text, "one of parquet") {
			t.Errorf("%s: a line of %d bytes: %s", line, len(text), text)
		}
	}
}

// TestMessages runs command lines with the most likely typing errors.
func TestMessages(t *testing.T) {
	messageFiles(t)
	for _, l := range messageLines {
		code, _, errs := tracec(nil, words(l.args)...)
		if code != l.code || !strings.HasPrefix(strings.TrimPrefix(errs, "tracec: "), l.message) ||
			l.message == "" && errs != "" {
			t.Errorf("%s: exit code %d, want %d\n got %q\nwant %q", l.args, code, l.code, errs, l.message)
		}
		checkMessage(t, l.args, errs)
	}
	if _, err := os.Stat("t.dat.perfetto-trace"); err == nil {
		t.Error("an export of nothing was written")
	}
}

// TestAliases runs command lines with the old and the new spelling of a flag.
func TestAliases(t *testing.T) {
	messageFiles(t)
	for _, l := range [][2]string{
		{"gen --dump ir -events sched_switch t.dat", "gen --dump ir -e sched_switch t.dat"},
		{"gen -o a/x.go -pkg x -e sched_switch t.dat", "gen --output b/x.go --pkg x --event sched_switch t.dat"},
		{"export --to csv --fields json -e sched t.dat", "export --to csv --csv-fields json -e sched t.dat"},
		{"update -t shop.trcfmt -x 020", "trcupdate -t shop.trcfmt -x 020"},
		{"list --verbose -e sched_switch t.dat", "list --fields -e sched_switch t.dat"},
		{"report --processor 1 t.dat", "report --formats-cpu 1 t.dat"},
		{"live --version 9 -o x -e y", "live --file-version 9 -o x -e y"},
	} {
		oldCode, oldOut, oldErr := tracec(nil, words(l[0])...)
		code, out, errs := tracec(nil, words(l[1])...)
		if oldCode != code || oldOut != out || oldErr != errs {
			t.Errorf("%s: %d, %d bytes, %q; %s: %d, %d bytes, %q", l[0], oldCode, len(oldOut), oldErr, l[1], code,
				len(out), errs)
		}
	}
	before, _ := os.ReadFile("a/x.go")
	if after, err := os.ReadFile("b/x.go"); err != nil || len(before) == 0 || !bytes.Equal(before, after) {
		t.Errorf("generated code depends on the spelling of flags: %v", err)
	}
	eachFlag(func(c *cobra.Command, f *pflag.Flag) {
		if len(f.Annotations[aliasOf]) > 0 && !f.Hidden {
			t.Errorf("%s --%s: an old name that is shown", c.CommandPath(), f.Name)
		}
	})
}

// eachFlag calls do for the flags of all commands.
func eachFlag(do func(*cobra.Command, *pflag.Flag)) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { do(c, f) })
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
}

// example returns a valid value for a flag.
func example(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true"
	case "duration":
		return "1s"
	case "int", "uint":
		return "1"
	}
	if word, ok := f.Value.(oneOf); ok {
		return word.words[0]
	}
	return "1"
}

// TestPartners sets each flag that needs another flag without the other.
func TestPartners(t *testing.T) {
	messageFiles(t)
	n := 0
	eachFlag(func(c *cobra.Command, f *pflag.Flag) {
		if len(f.Annotations[needsFlag]) == 0 {
			// trace-cmd accepts them alone.
			if strings.HasPrefix(f.Usage, "with --") && c.Parent().Name() != "trace-cmd" {
				t.Errorf("%s --%s: the usage says that it needs another flag; OnlyWith does not", c.CommandPath(),
					f.Name)
			}
			return
		}
		n++
		args := append(strings.Fields(c.CommandPath())[1:], "--"+f.Name+"="+example(f), "t.dat")
		if c.Name() == "live" {
			args = args[:len(args)-1]
		}
		code, out, errs := tracec(nil, args...)
		if code != exitUsage || out != "" || !strings.HasPrefix(errs, "tracec: "+flagName(f)+": only with -") {
			t.Errorf("%v: exit code %d, %q", args, code, errs)
		}
	})
	if n < 10 {
		t.Errorf("%d flags with partners", n)
	}
}

// TestNoSilence sets each flag with a value of a known form to an invalid value.
func TestNoSilence(t *testing.T) {
	messageFiles(t)
	n := 0
	eachFlag(func(c *cobra.Command, f *pflag.Flag) {
		value := "no-such-value"
		_, isWord := f.Value.(oneOf)
		_, isCount := f.Value.(*jobCount)
		_, isSize := f.Value.(*memorySize)
		of := f.Value
		if v, ok := of.(lastOf); ok {
			of = v.Value
		}
		_, isCPUs := of.(cpuFlag)
		switch typ := f.Value.Type(); {
		case typ == "bool", typ == "int", typ == "uint", typ == "duration", isWord, isCount, isSize, isCPUs:
		default:
			return
		}
		n++
		args := append(strings.Fields(c.CommandPath())[1:], "--"+f.Name+"="+value, "t.dat")
		code, out, errs := tracec(nil, args...)
		if code != exitUsage || out != "" || !strings.Contains(errs, value) {
			t.Errorf("%v: exit code %d, %q", args, code, errs)
		}
		checkMessage(t, strings.Join(args, " "), errs)
	})
	if n < 100 {
		t.Errorf("%d flags", n)
	}
}

// TestSameMistakes makes the same mistake with every command where it is possible.
func TestSameMistakes(t *testing.T) {
	messageFiles(t)
	eachFlag(func(c *cobra.Command, f *pflag.Flag) {
		name, value, want := f.Name, "", ""
		switch block := f.Annotations[blockOf]; {
		case len(block) == 0 || c.Name() == "live" || c.Name() == "view" || c.Name() == "open" || f.Hidden:
			return
		case name == "event":
			value, want = "nosuch", "tracec: -e nosuch: "
		case name == "cpu":
			value, want = "9", "tracec: --cpu 9: t.dat has CPUs 0-1\n"
		case name == "filter" && block[0] == rowsBlock: // t.dat has no events for any table
			value, want = "nosuch ==", "tracec: -F: column 10: "
		case name == "filter":
			value, want = "nosuch: a == 1", "tracec: -F: column 1: t.dat has no event `nosuch`\n"
		default:
			return
		}
		args := append(strings.Fields(c.CommandPath())[1:], "--"+name, value, "t.dat")
		if c.Name() == "export" {
			args = append(args, "--to", "csv")
		}
		code, out, errs := tracec(nil, args...)
		if code != exitUsage || out != "" || !strings.HasPrefix(errs, want) {
			t.Errorf("%v: exit code %d, %q, want %q", args, code, errs, want)
		}
	})
	for _, c := range newRoot().Commands() {
		if c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		code, _, errs := tracec(nil, c.Name(), "--no-such-flag")
		if code != exitUsage || !strings.HasPrefix(errs, "tracec: "+c.Name()+": unknown flag --no-such-flag") {
			t.Errorf("%s: exit code %d, %q", c.Name(), code, errs)
		}
	}
}
