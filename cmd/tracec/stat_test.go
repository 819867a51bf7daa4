package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec/cmd/internal/report"
)

// referenceLine is an event in a text of trace-cmd: task and thread, processor, time and name.
var referenceLine = regexp.MustCompile(`^.*-(\d+) +\[(\d+)\] +([0-9.]+): +([^ :]+): `)

// TestStatCountsWhatTraceCmdPrints compares the counts of all recordings with lines that trace-cmd printed of them.
func TestStatCountsWhatTraceCmdPrints(t *testing.T) {
	texts, err := filepath.Glob("../../testdata/ftrace/*.report-R.txt.zst")
	if err != nil || len(texts) == 0 {
		t.Fatal("no texts", err)
	}
	for _, text := range texts {
		name := strings.TrimSuffix(text, ".report-R.txt.zst") + ".dat"
		t.Run(filepath.Base(name), func(t *testing.T) {
			events, tasks, total := referenceCounts(t, text)
			var out, messages bytes.Buffer
			if code := run([]string{"stat", "--json", name}, nil, &out, &messages); code != exitOK {
				t.Fatal(code, messages.String())
			}
			var got report.Stat
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			gotEvents, gotTasks := map[string]int64{}, map[int64]int64{}
			for _, b := range got.Buffers {
				for _, r := range b.Events {
					_, event, _ := strings.Cut(r.Label, ":")
					gotEvents[event] += r.Count
				}
				for _, r := range b.Tasks {
					gotTasks[r.ID] += r.Count
				}
			}
			if d := cmp.Diff(events, gotEvents); d != "" {
				t.Errorf("events (-trace-cmd +tracec):\n%s", d)
			}
			if d := cmp.Diff(tasks, gotTasks); d != "" {
				t.Errorf("threads (-trace-cmd +tracec):\n%s", d)
			}
			if got.Total() != total {
				t.Errorf("%d events, trace-cmd prints %d", got.Total(), total)
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
