package perf_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/perf"
	runtime "github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// symbols returns the options with which perf made its texts (testdata/perf/README.md).
func symbols(t *testing.T, group string) (o sources.Options) {
	dir := t.TempDir()
	put := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	o.Symfs = filepath.Join(dir, "symfs")
	put("symfs/empty", nil)
	if group != "public" {
		o.Kallsyms = put("kallsyms", perftest.File(t, group, "kallsyms"))
	}
	if group == "amd64-6.18" {
		put("symfs/opt/demo/hot", perftest.File(t, group, "hot"))
	}
	return o
}

// script prints a sample.
func script(t *testing.T, s *perftest.Sample, opening sources.Options, o *perf.Options) string {
	t.Helper()
	return printed(t, s, opening, func(ctx context.Context, job *report.Job) error { return perf.Script(ctx, job, o) })
}

// printed returns the output of a command for a sample.
func printed(
	t *testing.T, s *perftest.Sample, opening sources.Options, print func(context.Context, *report.Job) error,
) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "perf.data")
	var err error
	if s.Dir != nil {
		err = os.CopyFS(path, s.Dir)
	} else {
		err = os.WriteFile(path, s.Data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	job := &report.Job{Out: &out, Job: sources.Job{
		Path: path, Opening: opening, Warn: func(err error) { t.Logf("warning: %v", err) },
	}}
	if err := job.Finish(print(t.Context(), job)); err != nil {
		t.Logf("error: %v", err)
	}
	return out.String()
}

const all = perf.TaskEvents | perf.MmapEvents | perf.SwitchEvents | perf.LostEvents | perf.NamespaceEvents |
	perf.CgroupEvents | perf.BPFEvents | perf.TextPokeEvents

// version returns the version of perf that made the texts of a sample. If by is set, it is the
// version of the text with the suffix -p and by.
func version(s *perftest.Sample, by string) string {
	for suffix, version := range map[string]string{"p61": "6.1", "p612": "6.12"} {
		if strings.HasSuffix(s.Name, "."+suffix) || "p"+by == suffix {
			return version
		}
	}
	return "7.2"
}

// options returns the options with which a text was made. It returns false for texts of other
// commands.
func options(s *perftest.Sample, kind string) (*perf.Options, bool) {
	kind, byVersion, _ := strings.Cut(strings.TrimSuffix(kind, ".txt"), "-p")
	o := &perf.Options{MaxStack: perf.DefaultMaxStack, Like: version(s, byVersion)}
	switch kind {
	case "script", "script-7.2":
	case "script-events":
		o.Nanoseconds, o.Sides = true, all
	case "script-F": // fields that all these recordings have
		o.Fields = []string{"+pid,+symoff"}
	case "script-trace":
		o.Fields = []string{"comm,pid,tid,cpu,time,event,trace"}
	default:
		return nil, false
	}
	return o, true
}

// undone matches samples whose text needs features that are missing (docs/spec/perf.md 10): unwound
// stacks, events from processor traces, and the text of perf stat.
var undone = regexp.MustCompile(`dwarf|intel_pt|stat-record`)

// TestScript compares texts with the texts of perf script.
func TestScript(t *testing.T) {
	for _, group := range perftest.Groups {
		opening := symbols(t, group)
		for _, s := range perftest.Samples(t, group) {
			if undone.MatchString(s.Name) {
				continue
			}
			tasks := script(t, s, opening, &perf.Options{Sides: perf.TaskEvents})
			l := listed{swapped: group == "s390x-6.1", inject: strings.HasPrefix(s.Name, "inject"), ended: exits(tasks)}
			for kind, want := range s.Texts {
				if o, ok := options(s, kind); ok {
					t.Run(group+"/"+s.Name+"/"+kind, func(t *testing.T) {
						got := script(t, s, opening, o)
						if o.Like != "7.2" {
							got = withoutMixed(t, s, got)
						}
						l.compare(t, got, want)
					})
				}
			}
		}
	}
}

// listed are the differences that testdata/differences.md lists for perf.
type listed struct {
	swapped bool            // a recording of the other byte order than perf's machine
	inject  bool            // written by perf inject
	ended   map[string]bool // threads that end in the recording
}

// withoutMixed returns a text without the samples that perf before 6.13 drops. The event counts in
// all threads under one id. Perf subtracts the previous value, whatever its thread, and drops
// samples without a difference.
func withoutMixed(t *testing.T, s *perftest.Sample, text string) string {
	t.Helper()
	if s.Data == nil {
		return text
	}
	rec, err := runtime.OpenReaderAt(bytes.NewReader(s.Data), int64(len(s.Data)), s.Name)
	if err != nil {
		return text
	}
	last := map[uint64]uint64{}
	m := rec.Merge(record.Options{})
	defer m.Close()
	_ = m.Run(func(r *record.Record, x *runtime.Entry) error {
		if a := x.Event.Attr; a == nil || a.ReadsGroups() || a.Flags&runtime.Inherit == 0 {
			return nil
		}
		x.Counters(func(id, value uint64) {
			if value != last[id] {
				last[id] = value
				return
			}
			line := regexp.MustCompile(fmt.Sprintf(`(?m)^ *\S+ +%d .* %d\.%06d\d*: +%s: .*\n`, r.Task, r.Time/1e9,
				r.Time%1e9/1e3, x.Event.Name))
			if len(line.FindAllString(text, -1)) != 1 {
				t.Errorf("not one line is of the sample of thread %d at %d", r.Task, r.Time)
			}
			text = line.ReplaceAllString(text, "")
		})
		return nil
	})
	return text
}

var exit = regexp.MustCompile(`PERF_RECORD_EXIT\(\d+:(\d+)\)`)

func exits(text string) map[string]bool {
	ended := map[string]bool{}
	for _, m := range exit.FindAllStringSubmatch(text, -1) {
		ended[m[1]] = true
	}
	return ended
}

// compare reports the first lines that differ, and the number of lines that differ.
func (l *listed) compare(t *testing.T, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	bad := 0
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if l.same(x, y) {
			continue
		}
		if bad++; bad < 4 {
			t.Errorf("line %d\n got %q\nwant %q", i+1, x, y)
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d lines differ", bad, len(b))
	}
}

var (
	noName    = regexp.MustCompile(`^ *:(\d+) +(\d+) `)
	exact     = regexp.MustCompile(`\b(\w+)/0x0`)
	base      = regexp.MustCompile(`page=\(vmemmap_base \+ (0x[0-9a-f]+)\)`)
	hrtimer   = regexp.MustCompile(`hrtimer_(setup|start|init): .* mode=`)
	protected = regexp.MustCompile(`\]: [r-][w-][x-][ps] `)
	letter    = regexp.MustCompile(`sched_switch: .*\] [IZ] ==>`)
	letters   = map[byte]string{'I': "W", 'Z': "X"} // of kernels before 4.14
	dirty     = regexp.MustCompile(`(state|flags)[ =]\S*`)
	modes     = map[string]int{"ABS": 0, "REL": 1, "PINNED": 2, "SOFT": 4, "HARD": 8} // enum hrtimer_mode
)

// same reports whether lines are equal, or have only listed differences.
func (l *listed) same(x, y string) bool {
	if x == y {
		return true
	}
	x = base.ReplaceAllString(x, "page=$1")
	y = exact.ReplaceAllString(y, "$1")
	x = strings.Replace(x, "/tmp/perf/chroot-", "/opt/perf/debian-", 1) // only the texts were made neutral
	y = strings.Replace(y, " [-01] ", " ", 1)
	if strings.Contains(x, "writeback:") {
		x = dirty.ReplaceAllStringFunc(x, unresolved)
	}
	if hrtimer.MatchString(x) {
		at, n := strings.LastIndex(x, "mode=")+len("mode="), 0
		for name := range strings.SplitSeq(x[at:], "|") {
			n += modes[name]
		}
		x = fmt.Sprintf("%s%#x", x[:at], n)
	}
	if l.swapped {
		x, y = protected.ReplaceAllString(x, "]: ---p "), protected.ReplaceAllString(y, "]: ---p ")
		x = letter.ReplaceAllStringFunc(x, func(s string) string { return s[:len(s)-5] + letters[s[len(s)-5]] + s[len(s)-4:] })
	}
	if text, ok := strings.CutSuffix(y, "[UNKNOWN EVENT]"); ok && l.inject {
		return strings.HasPrefix(x, text)
	}
	if m := noName.FindStringSubmatch(y); m != nil && m[1] == m[2] && l.ended[m[1]] && len(x) > 16 {
		return x[16:] == y[16:]
	}
	return x == y
}

// unresolved returns the flags of an inode as perf prints them: unknown enumerators are 0.
func unresolved(s string) string {
	at := len("state=")
	if s[at:] == "" {
		return s + "I_DIRTY_SYNC"
	}
	n := 0
	for name := range strings.SplitSeq(s[at:], "|") {
		n += map[string]int{"I_DIRTY_SYNC": 0x10, "I_DIRTY_DATASYNC": 0x20, "I_DIRTY_PAGES": 0x40}[name]
	}
	return fmt.Sprintf("%s%#x", s[:at], n)
}
