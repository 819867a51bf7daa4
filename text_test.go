package tracec_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
	"github.com/tracec/tracec/runtime/aix"
)

// These tests compare texts of dynamic events with the reports. The reports are the output of the
// native tools, or were compared with it.

// printed returns the output of a report, ignoring damage.
func printed(t *testing.T, name string, print func(*report.Job) error) string {
	t.Helper()
	var out bytes.Buffer
	job := &report.Job{Job: sources.Job{Path: name, Warn: func(error) {}}, Out: &out}
	if err := job.Finish(print(job)); err != nil && err != report.ErrDamaged {
		t.Fatal(err)
	}
	return out.String()
}

// samples returns recordings of testdata.
func samples(t *testing.T, patterns ...string) (names []string) {
	t.Helper()
	for _, p := range patterns {
		list, err := filepath.Glob("testdata/" + p)
		if err != nil || len(list) == 0 {
			t.Fatal("nothing like ", p, err)
		}
		names = append(names, list...)
	}
	return names
}

// TestTextsOfFtrace: a text follows the name of the event in trace-cmd report -N, which does not
// use plugins. The report prints the fields of events whose text cannot be rendered. Lines about
// lost events belong to the layout, not to an event.
func TestTextsOfFtrace(t *testing.T) {
	for _, name := range samples(t, "ftrace/*.dat", "ftrace/*.tar.zst") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			out := printed(t, name, func(job *report.Job) error {
				return tracecmd.Run(context.Background(), &tracecmd.Options{
					Inputs: []tracecmd.Input{{Path: name}}, Texts: tracecmd.Texts{Plain: true}, Reference: true,
					Quiet: true,
				}, job)
			})
			texts := 0
			for ev := range newReader(t, openAny(t, name)).All() {
				text, ok := ev.AppendText(nil)
				if !ok {
					continue
				}
				head := fmt.Sprintf(" %-21s ", ev.Type.Name+":")
				i := strings.Index(out, head+strings.TrimSuffix(string(text), "\n")+"\n")
				if i < 0 {
					t.Fatalf("event %d: no line %q before\n%.1000s", texts, head+string(text), out)
				}
				if n := strings.Count(out[:i], ": "+strings.TrimLeft(head, " ")); n > 0 {
					t.Fatalf("event %d: %d lines of %s before %q", texts, n, ev.Type.Name, text)
				}
				texts++
				out = out[i+len(head):]
			}
			if texts == 0 {
				t.Error("no texts")
			}
		})
	}
}

// TestTextsOfAIX: the words of all texts are the words of trcrpt without columns. trcrpt also
// breaks and indents lines, and ends the report at a template's request.
func TestTextsOfAIX(t *testing.T) {
	layouts := layoutsOf(t, "testdata/aix/shop.layouts")
	for _, name := range append(samples(t, "aix/*.trc"), aixStates(t)) {
		for _, templates := range []string{"testdata/aix/shop.trcfmt", stateTemplates(t), ""} {
			t.Run(filepath.Base(name)+" "+filepath.Base(templates), func(t *testing.T) {
				o := trcrpt.Options{
					Inputs: []string{name}, NoHeading: true, Settings: trcrpt.Settings{NoIDs: true, Timestamp: 3},
					Layouts: layouts, Quiet: true,
				}
				opts := tracec.WithHooks(nil, layouts...)
				if templates != "" {
					o.Templates = []string{templates}
					opts = tracec.WithHooks(compileTemplates(t, templates), layouts...)
				}
				out := printed(t, name, func(job *report.Job) error {
					return trcrpt.Run(context.Background(), &o,
						job)
				})
				var words []string
				events := 0
				for ev := range newReader(t, openAny(t, name), opts).All() {
					e := ev.Entry.(*aix.Entry)
					if heading(ev, e) {
						continue
					}
					text, _ := ev.AppendText(nil)
					words = append(words, strings.Fields(string(text))...)
					events++
				}
				if d := cmp.Diff(strings.Fields(out), words); d != "" || events < 10 {
					t.Errorf("%d events (-trcrpt +dynamic)\n%.3000s", events, d)
				}
			})
		}
	}
}

// heading reports whether trcrpt moves the text of an event to the heading of the report, because
// the event describes the system.
func heading(ev *tracec.Event, e *aix.Entry) bool {
	return (ev.ID == 0x0030 || ev.ID == 0x00A0 || e.Has(aix.Initial)) && ev.Type.Err == nil &&
		slices.Contains([]uint32{0x0030, 0x00A0}, ev.ID)
}

func compileTemplates(t *testing.T, name string) *trcfmt.Result {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, errs := grammar.Parse(name, text)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	r, diags := trcfmt.Compile(name, trcfmt.Options{}, trcfmt.Builtin(), file)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return r
}

func layoutsOf(t *testing.T, name string) []aix.Layout {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := trcfiles.ParseLayouts(name, f)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// stateTemplates are templates that use all state that an entry itself does not hold.
func stateTemplates(t *testing.T) string {
	name := filepath.Join(t.TempDir(), "state.trcfmt")
	text := `024 1.0 L=APPL "BEGIN" starttimer($D1, 7) $PID $TID
025 1.0 L=KERN "END" endtimer($D1, 7) "path " $EXECPATH "cpu " $CPUID "of " $TRACEDCPUS "now " $REPORTEDCPUS
020 1.0 L=APPL "PLACE" $LOGIDX0 $LOGFILE $TRACEID $TRACEENV
021 1.0 L=APPL "CALL" $SVC $PRI $TOTALCPUS \n "next line"
022 1.0 L=APPL "WRONG" "before" $ERROR
023 1.0 L=APPL "HIDDEN" $SKIP
`
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// aixStates writes a recording with a sequence of processes on three processors, with one file for
// each processor.
func aixStates(t *testing.T) string {
	name := filepath.Join(t.TempDir(), "states.trc")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := aix.NewWriter(f, aix.WriterOptions{Kernel64: true})
	w.App64 = true
	for i := range uint64(60) {
		w.Now += 700_000
		w.TID, w.CPU = 100+i%5, int(i%3)
		hook := []uint64{0x02400000, 0x02500000, 0x02000000, 0x02100000, 0x02200000, 0x02300000, 0x02700000}[i%7]
		w.TRCHKL5T(uint32(hook), i/7, 40+i%5, 100+i%5, 0x2f62696e2f6c7300, 0)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestTextsOfLTTng: a text follows the file in the plain lines of textDump. textDump omits the
// names that LTTV puts after numbers.
func TestTextsOfLTTng(t *testing.T) {
	for _, name := range samples(t, "lttng/*/*.tar.xz") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			sys := find(t, "lttng")
			out := printed(t, name, func(job *report.Job) error {
				return sys.Report(context.Background(), job, &report.Options{Plain: true})
			})
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			n := 0
			for ev := range newReader(t, openAny(t, name)).All() {
				text, _ := ev.AppendText(nil)
				parts := strings.Split(string(text), "\n") // in a string
				for i, part := range parts {
					if n == len(lines) {
						t.Fatalf("more than %d lines", n)
					}
					line := lines[n]
					n++
					if i == 0 {
						_, rest, ok := strings.Cut(line, ")")
						if !ok {
							t.Fatalf("line %d: %q", n, line)
						}
						line = strings.TrimPrefix(rest, " ")
					}
					if line != part {
						t.Fatalf("line %d is %q, the text %q", n, line, part)
					}
				}
			}
			if n != len(lines) {
				t.Errorf("%d lines of %d", n, len(lines))
			}
		})
	}
}

// TestTextsOfUftrace: in uftrace replay, texts of calls and of events are between parentheses, and
// texts of returns follow an equals sign. Events of the kernel outside of all calls are only in
// uftrace dump. Where replay shows a callsite, it shows the name of the place.
func TestTextsOfUftrace(t *testing.T) {
	texts := 0
	for _, name := range samples(t, "uftrace/*/data.tar.gz") {
		t.Run(filepath.Base(filepath.Dir(name)), func(t *testing.T) {
			sys := find(t, "uftrace")
			out := printed(t, name, func(job *report.Job) error {
				return sys.Report(context.Background(), job,
					&report.Options{})
			})
			dump := printed(t, name, func(job *report.Job) error {
				return sys.Report(context.Background(), job,
					&report.Options{Raw: true})
			})
			for ev := range newReader(t, openAny(t, name)).All() {
				text, ok := ev.AppendText(nil)
				if !ok || len(text) == 0 || ev.Type.Name == "callsite" {
					continue
				}
				texts++
				want := ev.Type.Label + "(" + string(text) + ")"
				switch {
				case ev.Type.Exit:
					want = " = " + string(text) + ";"
				case !strings.Contains(out, want):
					want = " (" + string(text) + ")"
				}
				if !strings.Contains(out, want) && !strings.Contains(dump, ") "+string(text)+"\n") {
					t.Errorf("%s: no %q in the report", ev.Type.Label, want)
				}
			}
		})
	}
	if texts < 1000 {
		t.Errorf("%d texts", texts)
	}
}

func find(t *testing.T, system string) report.System {
	t.Helper()
	list := all.Systems()
	i := slices.IndexFunc(list, func(s report.System) bool { return s.Name == system })
	if i < 0 {
		t.Fatal("no system ", system)
	}
	return list[i]
}
