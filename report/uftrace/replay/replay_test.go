package replay

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/symbols/demangle"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// run returns the output for a recording. It does not depend on the number of workers.
func run(t testing.TB, rec *uftrace.Recording, opts Options) string {
	t.Helper()
	defer func(n int64) { pieceBytes = n }(pieceBytes)
	var out, beside bytes.Buffer
	if err := Run(t.Context(), rec, opts, &out); err != nil {
		t.Fatal(err)
	}
	opts.Workers = 3
	for _, pieceBytes = range []int64{32, 100, 1000, 1 << 20} {
		beside.Reset()
		if err := Run(t.Context(), rec, opts, &beside); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(out.String(), beside.String()); d != "" {
			t.Errorf("%d bytes a piece (-1 +3 workers):\n%s", pieceBytes, d)
		}
	}
	return out.String()
}

// saved holds the arguments of the saved outputs, by name.
var saved = map[string]string{
	"replay.txt":               "",
	"replay-all-fields.txt":    "-f all",
	"replay-no-merge.txt":      "--no-merge",
	"replay-flat.txt":          "--flat",
	"replay-flat-libname.txt":  "--flat --libname",
	"replay-opts.txt":          "--no-comment --no-args --no-event --no-libcall --libname",
	"replay-column.txt":        "--column-view --task-newline --no-libcall",
	"replay-D2.txt":            "-D 2",
	"replay-t1us.txt":          "-t 1us",
	"replay-F-main-t500ns.txt": "-F main -t 500ns",
	"replay-r-2us-20us.txt":    "-r 2us~20us",
	"replay-srcline.txt":       "--srcline",
	"replay-demangle-no.txt":   "--demangle=no",
	"replay-demangle-full.txt": "--demangle=full",
}

// TestSaved compares with uftrace's output for the saved recordings. In one of them, the kernel
// events stop uftrace 0.13 at the first discarded entry (uftrace.md 1.10). Its outputs lack the
// lines after that, so the test compares those of 0.19.
func TestSaved(t *testing.T) {
	compared := 0
	for _, name := range needs.Some(t, uftracetest.Saved(t), 8) {
		t.Run(name, func(t *testing.T) {
			files := uftracetest.Files(t, name)
			for file, want := range uftracetest.Outputs(t, name) {
				args, ok := saved[path.Base(file)]
				if !ok || name == "kernel-events" && path.Dir(file) == "0.13" {
					continue
				}
				rec := uftracetest.Open(t, files, demangled(args)...)
				opts := parse(t, args)
				if path.Dir(file) == "0.19" {
					opts.Style = values.V019
				}
				opts.Text.Name = opts.Style.Names(rec)
				withDefaults(t, rec, &opts)
				compared++
				if d := cmp.Diff(want, run(t, rec, opts)); d != "" {
					t.Errorf("%s (-uftrace +ours):\n%s", file, d)
				}
			}
		})
	}
	if compared < needs.Cases(t, 60, 270) {
		t.Errorf("%d outputs compared", compared)
	}
}

// TestRecorded compares with the output of uftrace 0.13, with many options, for recordings of small
// programs: nested and recursive calls, threads, fork and exec, jumps and signals, estimated
// returns, triggers, C++.
func TestRecorded(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.tar.gz")
	if err != nil || len(archives) < 8 {
		t.Fatal(len(archives), err)
	}
	for _, archive := range needs.Some(t, archives, 4) {
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".tar.gz"), func(t *testing.T) {
			files, data := uftracetest.Unpack(t, archive), fstest.MapFS{}
			for name, f := range files {
				if name, ok := strings.CutPrefix(name, "data/"); ok {
					data[name] = f
				}
			}
			for line := range strings.Lines(string(files["cases"].Data)) {
				number, args, _ := strings.Cut(strings.TrimSpace(line), " ")
				rec := uftracetest.Open(t, data, demangled(args)...)
				opts := parse(t, args)
				opts.Text.Name = opts.Style.Names(rec)
				withDefaults(t, rec, &opts)
				want := string(files["expected/"+number+".txt"].Data)
				if d := cmp.Diff(want, run(t, rec, opts)); d != "" {
					t.Errorf("%s (-uftrace +ours):\n%s", args, d)
				}
			}
		})
	}
}

func TestMade(t *testing.T) {
	uftracetest.CheckMade(t, "replay", func(t *testing.T, rec *uftrace.Recording, args []string) string {
		return run(t, rec, parse(t, strings.Join(args, " ")))
	})
}

// TestLostEnd has a call whose end was lost. The depth of the next record shows that the call has
// ended, and with it the effect of its filters. uftrace 0.13 continues to hide, or show, all later
// calls.
func TestLostEnd(t *testing.T) {
	const head, lost = "# DURATION     TID     FUNCTION\n", "            [   100] |     /* LOST 5 records!! */\n"
	const begin, end = "            [   100] | main() {\n", "   2.000 us [   100] | } /* main */\n"
	for args, want := range map[string]string{
		"-N b": head + begin + lost +
			"            [   100] |   d() {\n   0.100 us [   100] |     c();\n   0.500 us [   100] |   } /* d */\n" +
			end,
		"-D 2": head + begin + "            [   100] |   b() {\n            [   100] |       /* LOST 5 records!! */\n" +
			"   0.500 us [   100] |   d();\n" + end,
		"-F b": head + "            [   100] | b() {\n" + lost,
	} {
		for _, c := range uftracetest.Cases(t) {
			if c.Name != "lost-end" {
				continue
			}
			if d := cmp.Diff(want, run(t, uftracetest.Open(t, c.Files), parse(t, args))); d != "" {
				t.Errorf("%s (-want +got):\n%s", args, d)
			}
		}
	}
}

// withDefaults adds the options that the recording needs, as the command does.
func withDefaults(t *testing.T, rec *uftrace.Recording, opts *Options) {
	d := rec.DefaultOptions()
	if i := slices.Index(d, "-t"); i >= 0 && i+1 < len(d) && opts.Play.Limits.Time == 0 &&
		opts.Play.Scope.Range == (callstack.Range{}) {
		opts.Play.Limits.Time, _ = parseTime(t, d[i+1])
	}
}

type list []string

func (l *list) String() string     { return "" }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// negated adds items of -N to the list of -F.
type negated struct{ l *list }

func (n negated) String() string     { return "" }
func (n negated) Set(s string) error { *n.l = append(*n.l, "!"+s); return nil }

// demangled returns the option for opening a recording with arguments of uftrace.
func demangled(args string) []uftrace.Option {
	_, form, _ := strings.Cut(args, "--demangle=")
	form, _, _ = strings.Cut(form, " ")
	d, _ := demangle.ParseForm(form)
	return []uftrace.Option{uftrace.WithDemangle(d)}
}

// parse parses the arguments of uftrace that the tests use.
func parse(t testing.TB, args string) Options {
	t.Helper()
	var o Options
	functions, events := &o.Play.Functions, &o.Play.Events
	var filters, callers, hide, locs, triggers list
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Var(&filters, "F", "")
	flags.Var(negated{&filters}, "N", "")
	flags.Var(&callers, "C", "")
	flags.Var(&hide, "H", "")
	flags.Var(&locs, "L", "")
	flags.Var(&triggers, "T", "")
	flags.StringVar(&o.Layout.Fields, "f", "", "")
	flags.IntVar(&o.Play.Limits.Depth, "D", 0, "")
	flags.Uint64Var(&o.Play.Limits.Size, "Z", 0, "")
	flags.IntVar(&o.Layout.ColumnOffset, "column-offset", 8, "")
	time, span := flags.String("t", "0", ""), flags.String("r", "", "")
	match := flags.String("match", "", "")
	flags.String("demangle", "", "") // demangled reads it
	for name, b := range map[string]*bool{
		"no-merge": &o.Layout.NoMerge, "flat": &o.Layout.Flat, "column-view": &o.Layout.ColumnView,
		"task-newline": &o.Layout.TaskNewline,
		"no-comment":   &o.Text.NoComment, "no-args": &o.Text.NoArgs, "libname": &o.Text.LibName,
		"srcline": &o.Text.SrcLine, "no-event": &events.None,
		"no-sched": &events.NoSched, "no-sched-preempt": &events.NoSchedPreempt, "no-libcall": &functions.NoLibcall,
		"event-full": &events.Full, "disable": &functions.Disable,
	} {
		flags.BoolVar(b, name, false, "")
	}
	if err := flags.Parse(strings.Fields(strings.ReplaceAll(args, "'", ""))); err != nil {
		t.Fatal(args, err)
	}
	functions.Filters, functions.Callers, functions.Hide, functions.Locs, functions.Triggers = filters, callers, hide,
		locs, triggers
	if *match == "glob" {
		functions.Match = callstack.Glob
	}
	o.Play.Limits.Time, _ = parseTime(t, *time)
	if from, to, ok := strings.Cut(*span, "~"); ok {
		r := &o.Play.Scope.Range
		r.From, r.FromElapsed = parseTime(t, from)
		r.To, r.ToElapsed = parseTime(t, to)
	}
	return o
}

// parseTime reads a whole number with a unit, and reports whether it has one.
func parseTime(t testing.TB, s string) (ns uint64, unit bool) {
	t.Helper()
	number := strings.TrimRight(s, "nums")
	if number == "" {
		return 0, false
	}
	v, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		t.Fatal(s, err)
	}
	scale := map[string]uint64{"": 1, "ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
	return v * scale[s[len(number):]], len(number) < len(s)
}

func TestFields(t *testing.T) {
	all := []field{duration, tid, address, timestamp, delta, elapsed, taskName, module}
	between := callstack.Range{From: 1, FromElapsed: true}
	for _, c := range []struct {
		text string
		r    callstack.Range
		want []field
		bad  string
	}{
		{"", callstack.Range{}, []field{duration, tid}, ""},
		{"", between, []field{elapsed, duration, tid}, ""},
		{"", callstack.Range{To: 1}, []field{timestamp, duration, tid}, ""},
		{"none", between, nil, ""},
		{"tid", between, []field{tid}, ""},
		{"+time", between, []field{duration, tid, timestamp, elapsed}, ""},
		{"time,duration", callstack.Range{}, []field{duration, timestamp}, ""},
		{"all", callstack.Range{}, all, ""},
		{"+all", callstack.Range{}, all, ""},
		{"all,none", callstack.Range{}, all, ""},
		{"duration,none", callstack.Range{}, nil, "none"},
		{"du", callstack.Range{}, nil, "du"},
	} {
		got, err := parseFields(c.text, c.r)
		if c.bad != "" {
			var usage *report.UsageError
			if !errors.As(err, &usage) || !strings.Contains(err.Error(), "'"+c.bad+"'") {
				t.Errorf("%q: error %v", c.text, err)
			}
			continue
		}
		if d := cmp.Diff(c.want, got); err != nil || d != "" {
			t.Errorf("%q: %v\n%s", c.text, err, d)
		}
	}
}

// TestLongNames: names of any length are printed in full, with lengths around the sizes of
// line.Copy and of the texts of lines.
func TestLongNames(t *testing.T) {
	const marker = "zzz"
	printed := func(name string) string {
		files := uftracetest.Files(t, "patchable")
		for file, f := range files {
			if strings.HasSuffix(file, ".sym") {
				files[file] = &fstest.MapFile{Data: bytes.ReplaceAll(f.Data, []byte(" T main\n"),
					[]byte(" T "+name+"\n"))}
			}
		}
		rec := uftracetest.Open(t, files)
		opts := parse(t, "--no-args")
		withDefaults(t, rec, &opts)
		return run(t, rec, opts)
	}
	want := printed(marker)
	if strings.Count(want, marker) == 0 {
		t.Fatal("the function is not shown")
	}
	for _, n := range []int{20, 27, 28, 29, 30, 31, 32, 33, longName, longName + 1, 5000} {
		name := strings.Repeat("n", n)
		if d := cmp.Diff(strings.ReplaceAll(want, marker, name), printed(name)); d != "" {
			t.Errorf("%d bytes (-want +got):\n%s", n, d)
		}
	}
}
