package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// must runs a command that succeeds, and returns its output.
func must(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := tracec(nil, args...)
	if code != 0 || errs != "" {
		t.Fatalf("%q: exit code %d, %s", args, code, errs)
	}
	return out
}

// exported is a line of ndjson, with the values that these tests use.
type exported struct {
	CPU, Task, Process     *int64
	Comm, Event, Label     *string
	System                 string
	Exit                   *bool
	Fields                 map[string]any
	comm, label, task, pid string
}

func exports(t *testing.T, args ...string) (list []exported) {
	t.Helper()
	text := func(n *int64) string {
		if n == nil {
			return ""
		}
		return fmt.Sprint(*n)
	}
	for line := range strings.Lines(must(t, append([]string{"export", "--to", "ndjson"}, args...)...)) {
		var e exported
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Comm != nil {
			e.comm = *e.Comm
		}
		if e.Label != nil {
			e.label = *e.Label
		}
		e.task, e.pid = text(e.Task), text(e.Process)
		list = append(list, e)
	}
	return list
}

// TestOpeningAIX: with layouts, all commands know the processes that trcrpt prints in its columns.
func TestOpeningAIX(t *testing.T) {
	const dir = "../../testdata/aix/"
	row := regexp.MustCompile(`(?m)^[0-9A-F]{3,4} +(\S+) +(\d+) +(\d+) +\d+\.\d{9} `)
	for _, file := range []string{"shop64.trc", "shop32.trc"} {
		t.Run(file, func(t *testing.T) {
			with := func(args ...string) []string {
				return append(args, "-t", dir+"shop.trcfmt", "--layouts", dir+"shop.layouts", dir+file)
			}
			var native [][]string // name, process, thread
			count := map[string]int{}
			for _, m := range row.FindAllStringSubmatch(must(t, with("trcrpt", "-O", "exec=on,pid=on,tid=on")...), -1) {
				native = append(native, m[1:])
				count[m[1]]++
				count[m[3]]++
			}
			if len(native) < 200 || count["picker"] == 0 {
				t.Fatal(len(native), count)
			}
			var all [][]string
			for _, e := range exports(t, with()...)[1:] { // the first entry describes the trace
				all = append(all, []string{e.comm, e.pid, e.task})
			}
			if d := cmp.Diff(native, all); d != "" {
				t.Errorf("export (-trcrpt +ndjson):\n%s", d)
			}
			stat := must(t, with("stat")...)
			for _, n := range native {
				if want := fmt.Sprintf(`(?m)^ *%d .* %s %s$`, count[n[2]], n[2],
					n[0]); !regexp.MustCompile(want).MatchString(stat) {
					t.Fatalf("%s is not in\n%s", want, stat)
				}
			}
			if d := cmp.Diff(must(t, with("trcrpt", "-p", "picker")...),
				must(t, with("report", "--pid", "picker")...)); d != "" {
				t.Errorf("report --pid (-trcrpt -p +report):\n%s", d)
			}
			total := fmt.Sprintf("%d events, ", count["picker"])
			for _, choice := range [][]string{
				{"-p", "picker"}, {"-F", `.*: COMM == "picker"`},
				{"-F", ".*: common_pid == 14939 || common_pid == 14945"},
			} {
				if got := must(t, append(choice, with("stat")...)...); !strings.HasPrefix(got, total) {
					t.Errorf("stat %q: %.30q, not %s", choice, got, total)
				}
				if n := len(exports(t, append(choice, with()...)...)); n != count["picker"] {
					t.Errorf("export %q: %d events, not %d", choice, n, count["picker"])
				}
			}
			both := []string{"-p", "picker,132513"}
			if n := len(exports(t, append(both, with()...)...)); n != count["picker"]+count["132513"] {
				t.Errorf("export %q: %d", both, n)
			}
			for _, format := range []string{"perfetto", "chrome", "csv"} {
				out := must(t, with("export", "--to", format, "-o", "-")...)
				if !strings.Contains(out, "picker") || !strings.Contains(out, "cashier") {
					t.Errorf("%s has no names", format)
				}
			}
			out := must(t, with("info")...)
			if !strings.Contains(out, "process 4713 picker, threads: 2\n") ||
				!strings.Contains(out, "templates describe 9\n") {
				t.Errorf("info:\n%s", out)
			}
			if out := must(t, with("list")...); !strings.Contains(out, "024 PICK BEGIN\n") {
				t.Errorf("list:\n%s", out)
			}
			_, out, _ = tracec(nil, append(with("__complete", "stat"), "--pid", "149")...)
			if !strings.HasPrefix(out, "14939\tpicker\n14945\tpicker\n") {
				t.Errorf("completions of --pid 149:\n%s", out)
			}
			for _, e := range exports(t, dir+file) {
				if e.comm != "" || e.pid != "" {
					t.Fatal("names without layouts")
				}
			}
		})
	}
}

// TestOpeningRules checks that rules of templates apply in all commands, and rules of reading apply
// to recordings.
func TestOpeningRules(t *testing.T) {
	dir := t.TempDir()
	templates := filepath.Join(dir, "x.trcfmt")
	const text = `020 1.0 L=APPL "ORDER" "a   b\t" $D1 $HD, 10 "ten", 16 "sixteen"`
	if err := os.WriteFile(templates, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rec := "../../testdata/aix/shop64.trc"
	for _, c := range []struct {
		args []string
		rule string
	}{
		{[]string{"gen", "--dump", "ir", templates}, "escapes=on"},
		{[]string{"gen", "--dump", "ir", "-t", templates, rec}, "escapes=on"},
		{[]string{"export", "--to", "ndjson", "--text", "-e", "020", "-t", templates, rec}, "escapes=on"},
		{[]string{"export", "--to", "ndjson", "--text", "-e", "020", "-t", templates, rec}, "squeeze=on"},
		{[]string{"report", "-t", templates, rec}, "squeeze=on"},
		{[]string{"export", "--to", "ndjson", rec}, "clock=2/1"},
		{[]string{"stat", rec}, "clock=2/1"},
		{[]string{"info", rec}, "clock=2/1"},
	} {
		code, plain, _ := tracec(nil, c.args...)
		ruledCode, ruled, errs := tracec(nil, append(c.args, "--rule", c.rule)...)
		if plain == ruled || code != 0 || ruledCode != 0 {
			t.Errorf("%q: --rule %s has no effect: %d, %d, %s", c.args, c.rule, code, ruledCode, errs)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"stat", "--rule", "nosuch=1", rec}, `unknown rule "nosuch"; the rules are\n  label-blank=`},
		{[]string{"stat", "--rule", "matches=octal", rec}, `rule matches is decimal, hex, not "octal"`},
		{[]string{"vet", "--rule", "clock=2/1", templates},
			`--rule clock=2/1: .* a file of templates; the rule is for rec`},
		{[]string{"gen", "--rule", "squeeze=on", templates}, `--rule squeeze=on: generated code`},
		{[]string{"list", "--layouts", "x", templates},
			`--layouts: .* is a file of templates; the option is for recordings`},
		{[]string{"list", "--layouts", templates, rec}, `x\.trcfmt:1: "1\.0" is neither a subhook nor \*`},
	} {
		code, _, errs := tracec(nil, c.args...)
		if code == 0 || !regexp.MustCompile(c.want).MatchString(errs) {
			t.Errorf("%q: exit code %d, %s", c.args, code, errs)
		}
	}
}

// TestOpeningDemangle: all commands use the form of names with which a recording of uftrace is
// opened.
func TestOpeningDemangle(t *testing.T) {
	rec := unpackedSample(t, "../../testdata/uftrace/cpp-auto/data.tar.gz")
	if out := must(t, "stat", rec); out != must(t, "stat", "--demangle", "simple", rec) {
		t.Error("simple is not the default")
	}
	event := regexp.MustCompile(`(?m)^ *(\d+) +[\d.]+ +[\d.]+ +[\d.]+  [^ :]+:(.+)$`)
	for form, name := range map[string]string{
		"simple": "shop::heavy::~heavy", "full": "shop::heavy::~heavy()", "no": "_ZN4shop5heavyD0Ev",
	} {
		t.Run(form, func(t *testing.T) {
			as := func(args ...string) []string { return append(args, "--demangle", form, rec) }
			native := must(t, "uftrace", "replay", "--no-pager", "--demangle", form, "-d", rec)
			if d := cmp.Diff(native, must(t, as("report")...)); d != "" {
				t.Errorf("report (-replay +report):\n%.2000s", d)
			}
			calls, counted := map[string]int{}, map[string]int{}
			for _, e := range exports(t, as()...) {
				if e.Exit != nil && !*e.Exit {
					calls[e.label]++
				}
			}
			for _, m := range event.FindAllStringSubmatch(must(t, as("stat")...), -1) {
				n := 0
				fmt.Sscan(m[1], &n)
				counted[m[2]] += n
			}
			if d := cmp.Diff(calls, counted); d != "" || calls[name] == 0 {
				t.Errorf("calls (-export +stat):\n%s", d)
			}
			if out := must(t, as("list")...); !strings.Contains(out, ":"+name+"\n") {
				t.Errorf("list has no %s", name)
			}
			for _, format := range []string{"folded", "chrome", "perfetto", "speedscope"} {
				if out := must(t, as("export", "--to", format, "-o", "-")...); !strings.Contains(out, name) {
					t.Errorf("%s has no %s", format, name)
				}
			}
			for _, choice := range [][]string{{"-e", "*:" + name}, {"-F", ".*/" + regexp.QuoteMeta(name)}} {
				if form != "no" && choice[0] == "-F" {
					continue // filters cannot have colons and parentheses in names
				}
				n := 0
				for _, e := range exports(t, append(choice, as()...)...) {
					if n++; e.label != name {
						t.Fatalf("%q chooses %s", choice, e.label)
					}
				}
				if n < calls[name] {
					t.Errorf("%q: %d records of %d calls", choice, n, calls[name])
				}
			}
			out := must(t, as("gen", "--dump", "ir", "--events", "*:"+name)...)
			if !strings.Contains(out, fmt.Sprintf("label=%q", name)) {
				t.Errorf("gen: %.300s", out)
			}
		})
	}
}

// TestOpeningLTTng: --eventdefs and --dialect affect all commands, and an index made with other
// options is not used.
func TestOpeningLTTng(t *testing.T) {
	rec := unpackedSample(t, "../../testdata/lttng/realwriter/v08-usertrace64.tar.xz")
	if list, err := filepath.Glob(filepath.Join(rec, "v08*", "control")); err == nil && len(list) == 1 {
		rec = filepath.Dir(list[0])
	}
	defs := t.TempDir()
	err := os.WriteFile(filepath.Join(defs, "user_generic.xml"), []byte(`<facility name="user_generic">
  <event name="told"><field name="words"><string/></field></event>
  <event name="told_pointer"><field name="words"><string/></field><field name="at"><pointer/></field></event>
  <event name="printed"><field name="text"><string/></field></event>
  <event name="entered"><field name="function"><pointer/></field><field name="from"><pointer/></field></event>
</facility>`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	as := func(args ...string) []string { return append(args, "--eventdefs", defs, rec) }
	native := must(t, as("textdump")...)
	told := strings.Count(native, "\nuser_generic.told: ")
	if told == 0 {
		t.Fatalf("%.500s", native)
	}
	if d := cmp.Diff(native, must(t, as("report")...)); d != "" {
		t.Errorf("report (-textdump +report):\n%.1000s", d)
	}
	for _, command := range []string{"list", "gen --dump ir", "stat"} {
		out := must(t, as(strings.Fields(command)...)...)
		if !regexp.MustCompile(`user_generic[.:]told`).MatchString(out) ||
			strings.Contains(out, "user_generic.string") {
			t.Errorf("%s:\n%.500s", command, out)
		}
	}
	if n := len(exports(t, append([]string{"-e", "told", "-F", `told: words ~ "*"`}, as()...)...)); n != told {
		t.Errorf("export: %d, not %d", n, told)
	}
	must(t, as("diff", rec)...)
	plain, other := must(t, "stat", "-e", "user_generic.string", rec), must(t, as("stat", "-e", "user_generic.told")...)
	must(t, as("index", "-q")...)
	if out := must(t, as("stat", "-e", "user_generic.told")...); out != other {
		t.Errorf("with the index:\n%s", cmp.Diff(other, out))
	}
	code, out, errs := tracec(nil, "stat", "-e", "user_generic.string", rec)
	if code != 0 || out != plain || !strings.Contains(errs, "is out of date and not used") {
		t.Errorf("with the index of other options: %d, %s, %s", code, errs, out)
	}
}

// TestOpeningFormats checks that all commands read raw data of one CPU like that CPU of the
// snapshot.
func TestOpeningFormats(t *testing.T) {
	dir := unpackedSample(t, "../../testdata/ftrace/amd64-snapshot.tar.zst")
	if list, err := filepath.Glob(filepath.Join(dir, "*", "per_cpu")); err == nil && len(list) == 1 {
		dir = filepath.Dir(list[0])
	}
	file := filepath.Join(dir, "per_cpu/cpu1/trace_pipe_raw")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"stat", "stat -e sched_switch", "export --to csv", "report", "list", "list --fields -e sched_switch", "vet",
		"gen --dump ir --events sched_switch",
	} {
		args := strings.Fields(command)
		whole := append(slices.Clone(args), dir)
		if !slices.Contains([]string{"list", "vet", "gen"}, args[0]) {
			whole = append(whole, "--cpu", "1")
		}
		want := must(t, whole...)
		if args[0] == "gen" {
			_, want, _ = strings.Cut(want, "\n") // the first line names the source
		}
		check := func(how, got, errs string, code int) {
			if args[0] == "gen" {
				_, got, _ = strings.Cut(got, "\n")
			}
			if d := cmp.Diff(want, got); d != "" || code != 0 {
				t.Errorf("%s of %s: exit code %d, %s (-snapshot +data):\n%.1000s", command, how, code, errs, d)
			}
		}
		code, got, errs := tracec(nil, append(slices.Clone(args), "--formats", dir, file)...)
		check("a file", got, errs, code)
		code, got, errs = tracec(data, append(slices.Clone(args), "--formats", dir, "--formats-cpu", "1", "-")...)
		check("standard input", got, errs, code)
	}
	out := must(t, "info", "--formats", dir, file)
	if !strings.Contains(out, "cpu 1 ") || !strings.Contains(out, " 160 events") {
		t.Errorf("info:\n%s", out)
	}
	code, _, errs := tracec(nil, "index", "--formats", dir, file)
	if code != 2 || !strings.Contains(errs, "--formats: raw data of one CPU has no index") {
		t.Errorf("index: exit code %d, %s", code, errs)
	}
}

// TestOpeningElsewhere: an option of opening for another system is an error in every command that
// opens a recording.
func TestOpeningElsewhere(t *testing.T) {
	aix, ftrace := "../../testdata/aix/shop64.trc", "../../testdata/ftrace/amd64-extract.dat"
	beside := map[string][]string{
		"export": {"--to", "csv"}, "gen": {"--dump", "ir"}, "diff": {ftrace}, "view": {"--no-browser"},
		"open":  {"--no-browser"},
		"check": {"../../docs/..."},
	}
	tried := 0
	for _, cmd := range openingCommands(Tree()) {
		for _, x := range []struct{ option, value, rec, want string }{
			{"--template", "x", ftrace, "-t: "}, {"--layouts", "x", ftrace, "--layouts: "},
			{"--rule", "x=y", ftrace, "--rule: "},
			{"--dialect", "seed", aix, "--dialect: "}, {"--eventdefs", "x", aix, "--eventdefs: "},
			{"--demangle", "full", aix, "--demangle: "},
			{"--formats", "/nosuch", aix, "--formats"}, {"--formats-cpu", "1", ftrace, "--formats-cpu: "},
		} {
			args := append([]string{cmd.Name(), x.option, x.value}, append(beside[cmd.Name()], x.rec)...)
			if cmd.Name() == "check" && x.option != "--formats-cpu" {
				continue // it needs packages
			}
			code, out, errs := tracec(nil, args...)
			if code == 0 || out != "" || !strings.Contains(errs, "tracec: "+x.want) {
				t.Errorf("%q: exit code %d, %s%.200s", args, code, errs, out)
			}
			tried++
		}
	}
	if tried < 80 {
		t.Errorf("%d command lines", tried)
	}
}

// openingCommands returns the commands that have the options of opening.
func openingCommands(root *cobra.Command) (list []*cobra.Command) {
	for _, c := range root.Commands() {
		if f := c.Flags().Lookup("layouts"); f != nil && f.Annotations[blockOf] != nil {
			list = append(list, c)
		}
		list = append(list, openingCommands(c)...)
	}
	return list
}
