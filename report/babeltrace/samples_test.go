package babeltrace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
)

// savedTexts are the texts of samples (testdata/ctf/README.md), and their options.
var savedTexts = []struct {
	file    string
	options func(*Options)
}{
	{"default.txt", func(*Options) {}},
	{"default.2.0.4.txt", func(o *Options) { o.Bare = true }},
	{"all.txt", func(o *Options) {
		o.Names.SetNames("all")
		o.Fields.SetFields("all")
		o.Times.Date = true
	}},
	{"bare.txt", func(o *Options) {
		o.Names.SetNames("none")
		o.Fields.SetFields("loglevel,emf,trace:domain")
		o.Times.Seconds, o.Times.NoDelta = true, true
	}},
	{"cycles.txt", func(o *Options) {
		o.Names.SetNames("scope,header")
		o.Times.Cycles, o.Times.NoDelta = true, true
	}},
}

// printed is our text of a sample, with its messages.
type printed struct {
	text, said string
	err        error
}

func printSample(t *testing.T, s *ctftest.Sample, options func(*Options), workers int) printed {
	o := Default()
	options(&o)
	o.Times.Zone = time.UTC
	var out, said bytes.Buffer
	job := &report.Job{Job: sources.Job{Path: ".", FS: s.Dir, Workers: workers,
		Warn: func(err error) { fmt.Fprintln(&said, err) }}, Out: &out}
	err := job.Finish(Run(t.Context(), job, &o, &Window{}, true))
	return printed{out.String(), said.String(), err}
}

// A difference is a block of testdata/differences.md. It lists samples whose texts are not checked
// against the output of babeltrace2, but by another rule.
type difference struct {
	samples, texts []string
	judge, of      string
	but            [2]string // a text of the twin, and the text that replaces it in the sample
	used           int
}

func (d *difference) holds(sample, text string) bool {
	return slices.ContainsFunc(d.samples, func(g string) bool { ok, _ := path.Match(g, sample); return ok }) &&
		(d.texts == nil || slices.Contains(d.texts, text))
}

// differences reads the blocks.
func differences(t *testing.T) (list []*difference) {
	page, err := os.ReadFile("../../testdata/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(page), "\n```babeltrace\n")[1:] {
		block, _, _ = strings.Cut(block, "\n```")
		d := &difference{}
		for line := range strings.Lines(block) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch key {
			case "samples":
				d.samples = append(d.samples, strings.Fields(value)...)
			case "texts":
				d.texts = strings.Fields(value)
			case "judge":
				d.judge, d.of, _ = strings.Cut(value, " ")
			case "but":
				d.but[0], d.but[1], _ = strings.Cut(value, " ")
			default:
				t.Fatalf("testdata/differences.md: a line %q", line)
			}
		}
		list = append(list, d)
	}
	return list
}

// TestSamples prints all sample traces as babeltrace2 2.1.2 did, and as 2.0.4 where its text
// differs. The order of several labels of one value has no meaning. testdata/differences.md lists
// the other differences, each with its rule. Without the long proofs, the test prints half of the
// samples. It prints a quarter of them in forms other than the default.
func TestSamples(t *testing.T) {
	lists, proofs := differences(t), needs.LongProofs(t)
	samples := map[string]*ctftest.Sample{}
	var names []string
	for _, group := range []string{"lttng", "perf", "babeltrace", "barectf", "tracecompass", "odd", "random"} {
		for _, s := range ctftest.Samples(t, group) {
			names = append(names, group+"/"+s.Name)
			samples[group+"/"+s.Name] = s
		}
	}
	equal, listed := 0, 0
	for i, name := range names {
		s := samples[name]
		for _, text := range savedTexts {
			if !proofs && (i%2 > 0 || i%8 > 0 && !strings.HasPrefix(text.file, "default")) {
				continue
			}
			want, ok := s.Texts[text.file]
			// such as CTF 2
			if !ok || text.file == "default.2.0.4.txt" && strings.HasPrefix(s.Texts["default.2.0.4.err"], "exit ") {
				continue
			}
			ours := printSample(t, s, text.options, 1)
			bare := text.file == "default.2.0.4.txt"
			at := slices.IndexFunc(lists, func(d *difference) bool { return d.holds(name, text.file) })
			if text.file == "default.txt" {
				checkLosses(t, name, s.Texts["default.err"], ours.said, lists)
			}
			switch {
			case inOrder(ours.text) == inOrder(want) && (!bare || !strings.Contains(ours.text, `( { "`)):
				equal++
			case at >= 0:
				listed++
				lists[at].used++
				if why := lists[at].judges(s, samples, text.file, want, ours); why != "" {
					t.Errorf("%s %s: %s", name, text.file, why)
				}
			default:
				t.Errorf("%s %s: %s\n%s", name, text.file, firstDifference(want, ours.text), ours.said)
			}
		}
	}
	for _, d := range lists {
		if d.used == 0 && proofs {
			t.Errorf("testdata/differences.md: the block of %s is not used", d.samples)
		}
	}
	t.Logf("%d texts are equal, %d listed", equal, listed)
}

// checkLosses compares the messages about losses. If babeltrace2 gave up, it printed no such
// messages.
func checkLosses(t *testing.T, name, want, said string, lists []*difference) {
	if strings.HasPrefix(want, "exit ") {
		return
	}
	lost := func(text string) (list []string) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "WARNING: Tracer") {
				list = append(list, streamPath.ReplaceAllString(line, `stream "$1"`))
			}
		}
		return list
	}
	wanted, ours := lost(want), lost(said)
	if at := slices.IndexFunc(lists, func(d *difference) bool {
		return d.texts != nil && d.holds(name, "default.err")
	}); at >= 0 {
		lists[at].used++
		more := regexp.MustCompile(lists[at].of)
		ours = slices.DeleteFunc(ours, more.MatchString)
	}
	if !slices.Equal(wanted, ours) {
		t.Errorf("%s: losses\n%q\nwanted\n%q", name, ours, wanted)
	}
}

// streamPath is the path of a stream, after the folder that it was read from.
var streamPath = regexp.MustCompile(`stream "(?:.*/report/babeltrace|/t/[^/]*)/([^"]*)"`)

// judges returns the reason why our text breaks the rule of a block. It is empty if the text
// passes.
func (d *difference) judges(s *ctftest.Sample, samples map[string]*ctftest.Sample, text, want string,
	ours printed) string {
	same := func(want string) string {
		if inOrder(want) != inOrder(ours.text) {
			return firstDifference(want, ours.text)
		}
		return ""
	}
	switch d.judge {
	case "damage": // babeltrace2 printed the beginning, and we report the damage
		if d.of == "2.0.4" {
			want = ""
		}
		switch {
		case !strings.HasPrefix(inOrder(ours.text), inOrder(want)):
			return firstDifference(want, ours.text)
		case ours.err == nil || ours.said == "" && !errors.Is(ours.err, input.ErrUnknown):
			return fmt.Sprintf("no message of damage: %v", ours.err)
		case d.of != "" && s.Texts["default."+d.of+".txt"] != "":
			return d.of + " printed something"
		}
		return ""
	case "2.1.2": // for a text of 2.0.4
		return same(s.Texts["default.txt"])
	case "2.0.4", "twin":
		if twin := samples[d.of]; d.judge == "twin" {
			if s = twin; s == nil {
				return "no sample " + d.of
			}
		}
		// 2.1.2 died, and the other texts of 2.0.4 were not saved
		if strings.HasPrefix(s.Texts["default.err"], "exit -") {
			if text != "default.txt" {
				return ""
			}
			text = "default.2.0.4.txt"
		}
		want = s.Texts[text]
		if d.but[0] != "" {
			if strings.Count(want, d.but[0]) != 1 {
				return "the twin does not have " + d.but[0] + " once"
			}
			want = strings.Replace(want, d.but[0], d.but[1], 1)
		}
		return same(want)
	case "set":
		if text == "default.2.0.4.txt" { // 2.1.2 checks its strings
			want = s.Texts["default.txt"]
		}
		if !slices.Equal(lineSet(want), lineSet(ours.text)) {
			return "other lines"
		}
		return ""
	case "expected":
		return expected(s, text, ours.text)
	case "loglevel":
		return expectedLevels(want, ours.text)
	}
	return "no judge is called " + d.judge
}

var (
	timeOf  = regexp.MustCompile(`^\[[^]]*\] \([^)]*\) (?:\S+ )??(ev:\S+ )`)
	levelOf = regexp.MustCompile(`loglevel = TRACE_[A-Z_]+ \(\d+\), `)
)

// expected compares the text, without times, with the text of the generator of random traces.
func expected(s *ctftest.Sample, text, ours string) string {
	if text != "default.txt" {
		return ""
	}
	var got, want []string
	for line := range strings.Lines(ours) {
		got = append(got, timeOf.ReplaceAllString(line, "$1"))
	}
	for line := range strings.Lines(s.Texts["expected.txt"]) {
		_, line, _ = strings.Cut(line, " ")
		want = append(want, line)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return firstDifference(strings.Join(want, ""), strings.Join(got, ""))
	}
	return ""
}

var delta = regexp.MustCompile(` \(\+[0-9.?]+\)|delta = \+[0-9.?]+, `)

// lineSet returns the lines of a text, without the distances between times.
func lineSet(text string) []string {
	list := strings.Split(delta.ReplaceAllString(inOrder(text), ""), "\n")
	slices.Sort(list)
	return slices.Compact(list)
}

// expectedLevels compares everything except log levels. The twin of a trace does not describe them.
func expectedLevels(want, ours string) string {
	if cut := levelOf.ReplaceAllString(ours, ""); inOrder(cut) != inOrder(want) {
		return firstDifference(want, cut)
	}
	return ""
}

var (
	quoted    = `"(?:[^"\\]|\\.)*"`
	labelList = regexp.MustCompile(`\( (?:\{ )?(` + quoted + `(?:, ` + quoted + `)+)(?: \})? : container = `)
	label     = regexp.MustCompile(quoted)
	braces    = regexp.MustCompile(`(?s)^\( \{ (.*) \} :`)
)

// inOrder sorts the labels of a value with several labels, and removes the braces around them. 2.1
// prints such labels in the order of a hash table.
func inOrder(text string) string {
	return labelList.ReplaceAllStringFunc(text, func(list string) string {
		labels := slices.Sorted(slices.Values(label.FindAllString(list, -1)))
		i := 0
		return braces.ReplaceAllString(label.ReplaceAllStringFunc(list,
			func(string) string { i++; return labels[i-1] }), "( $1 :")
	})
}

// firstDifference returns the first lines that differ.
func firstDifference(want, ours string) string {
	a, b := strings.Split(inOrder(want), "\n"), strings.Split(inOrder(ours), "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return fmt.Sprintf("line %d of %d and %d\n- %.400s\n+ %.400s", i+1, len(a), len(b), x, y)
		}
	}
	return "no difference"
}
