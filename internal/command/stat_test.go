package command

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
)

// referenceLine is an event in a text of trace-cmd: task and thread, processor, time and name.
var referenceLine = regexp.MustCompile(`^.*-(\d+) +\[(\d+)\] +([0-9.]+): +([^ :]+): `)

// TestStatCountsWhatTraceCmdPrints compares the counts of all recordings with lines printed by
// trace-cmd.
func TestStatCountsWhatTraceCmdPrints(t *testing.T) {
	texts, err := filepath.Glob("../../testdata/ftrace/*.report-R.txt.zst")
	if err != nil || len(texts) == 0 {
		t.Fatal("no texts", err)
	}
	for _, text := range texts {
		name := strings.TrimSuffix(text, ".report-R.txt.zst") + ".dat"
		t.Run(filepath.Base(name), func(t *testing.T) {
			events, tasks, total := referenceCounts(t, text)
			got := statOf(t, name)
			gotEvents, gotTasks := map[string]int64{}, map[int64]int64{}
			for _, b := range got.Buffers {
				for _, r := range b.ByEvent {
					gotEvents[r.Name] += r.Count
				}
				for _, r := range b.ByThread {
					gotTasks[*r.TID] += r.Count
				}
			}
			if d := cmp.Diff(events, gotEvents); d != "" {
				t.Errorf("events (-trace-cmd +tracec):\n%s", d)
			}
			if d := cmp.Diff(tasks, gotTasks); d != "" {
				t.Errorf("threads (-trace-cmd +tracec):\n%s", d)
			}
			if got.Count != total {
				t.Errorf("%d events, trace-cmd prints %d", got.Count, total)
			}
		})
	}
}

func referenceCounts(t *testing.T, name string) (events map[string]int64, tasks map[int64]int64, total int64) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	events, tasks = map[string]int64{}, map[int64]int64{}
	for line := range strings.Lines(string(text)) {
		if m := referenceLine.FindStringSubmatch(line); m != nil {
			events[m[4]]++
			var pid int64
			if err := json.Unmarshal([]byte(m[1]), &pid); err != nil {
				t.Fatal(err)
			}
			tasks[pid]++
			total++
		}
	}
	return events, tasks, total
}

// lttvLine is an event in a text of LTTV: name, processor, process and its name.
var lttvLine = regexp.MustCompile(`^(\S+): \d+\.\d+ \(.*?_(\d+)\), (-?\d+), -?\d+, (.*?), `)

// TestStatCountsWhatLTTVPrinted compares the counts of LTTng traces with lines printed by LTTV.
// stat counts by processor, but LTTV prints by time. The name of a process comes from events of all
// processors.
func TestStatCountsWhatLTTVPrinted(t *testing.T) {
	shared := needs.Shared(t, "lttng")
	texts, err := filepath.Glob(filepath.Join(shared, "oracle/*.textdump.txt.xz"))
	if err != nil || len(texts) == 0 {
		t.Fatal("no texts", err)
	}
	for _, text := range texts {
		name := strings.TrimSuffix(filepath.Base(text), ".textdump.txt.xz")
		t.Run(name, func(t *testing.T) {
			if name == "trace-2.6" { // a trace of one megabyte
				needs.Proofs(t)
			}
			f, err := os.Open(text)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			z, err := xz.NewReader(f, xz.DefaultDictMax)
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			events, cpus, tasks, names := map[string]int64{}, map[int64]int64{}, map[int64]int64{}, map[int64]string{}
			total := int64(0)
			for line := range strings.Lines(string(data)) {
				m := lttvLine.FindStringSubmatch(line)
				if m == nil {
					continue
				}
				cpu, _ := strconv.ParseInt(m[2], 10, 64)
				pid, _ := strconv.ParseInt(m[3], 10, 64)
				events[m[1]]++
				cpus[cpu]++
				tasks[pid]++
				names[pid] = m[4]
				total++
			}
			got := statOf(t, filepath.Join(shared, "real", name+".tar.gz"))
			gotEvents, gotCPUs, gotTasks, gotNames := map[string]int64{}, map[int64]int64{}, map[int64]int64{},
				map[int64]string{}
			b := got.Buffers[0]
			for _, r := range b.ByEvent {
				gotEvents[r.System+"."+r.Name] = r.Count
			}
			for _, r := range b.ByCPU {
				gotCPUs[*r.CPU] = r.Count
			}
			for _, r := range b.ByThread {
				gotTasks[*r.TID], gotNames[*r.TID] = r.Count, r.Comm
			}
			if total == 0 || b.Count != total {
				t.Errorf("%d events, LTTV printed %d", b.Count, total)
			}
			for what, d := range map[string]string{
				"events": cmp.Diff(events, gotEvents), "processors": cmp.Diff(cpus, gotCPUs),
				"processes": cmp.Diff(tasks, gotTasks), "names": cmp.Diff(names, gotNames),
			} {
				if d != "" {
					t.Errorf("%s (-LTTV +tracec):\n%s", what, d)
				}
			}
		})
	}
}

// statOf returns the output of tracec stat --json for a recording without damage.
func statOf(t *testing.T, name string, options ...string) report.Stat {
	t.Helper()
	var out, messages bytes.Buffer
	if code := run(append([]string{"stat", "--json", name}, options...), nil, &out, &messages); code != exitOK {
		t.Fatal(code, messages.String())
	}
	var doc facts.Document[report.Stat]
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Recordings[0]
}
