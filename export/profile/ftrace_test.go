package profile

import (
	"bufio"
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
)

// openAny opens a recording of any kind.
func openAny(t *testing.T, path string) record.Recording {
	t.Helper()
	rec, err := tracec.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// eventLine is a line of trace-cmd report: task and number, processor, event.
var eventLine = regexp.MustCompile(`^ *(.+-\d+) +\[(\d+)\] +[\d.]+: (\w+):`)

// sampledBy returns the count of each stack after each event of a thread in trace-cmd report, in
// the form of folded stacks. The stack of an event is the next line of its processor and thread.
func sampledBy(t *testing.T, path string) map[string]int64 {
	t.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	type event struct{ task, name string }
	last, all := map[string]event{}, map[string]int64{}
	key, stack := "", []string(nil)
	flush := func() {
		if key != "" {
			slices.Reverse(stack)
			task, name, _ := strings.Cut(key, "\x00")
			all[strings.Join(append(append([]string{task}, stack...), name), ";")]++
		}
		key, stack = "", nil
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if frame, ok := strings.CutPrefix(strings.TrimSpace(line), "=> "); ok {
			name, _, _ := strings.Cut(frame, " (")
			stack = append(stack, name)
			continue
		}
		flush()
		m := eventLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[3] == "kernel_stack" {
			if e := last[m[2]]; e.task == m[1] {
				key = m[1] + "\x00" + e.name
			}
			last[m[2]] = event{}
			continue
		}
		last[m[2]] = event{m[1], m[3]}
	}
	flush()
	return all
}

// TestSamples: stacks count for the events before them in trace-cmd report.
func TestSamples(t *testing.T) {
	list, err := filepath.Glob(needs.SharedData(t) + "/ftrace/*/events-stack-T.dat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(list, "../../testdata/ftrace/amd64-triggers.dat") {
		t.Run(path, func(t *testing.T) {
			want := sampledBy(t, strings.TrimSuffix(path, ".dat")+".report.txt.zst")
			if len(want) == 0 {
				t.Fatal("no stacks")
			}
			p := collectQuietly(t, openAny(t, path), Options{Value: Calls})
			text, err := os.ReadFile(writeAll(t, p)[Folded])
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]int64{}
			for line := range strings.Lines(string(text)) {
				i := strings.LastIndexByte(line, ' ')
				stack := strings.Split(line[:i], ";")
				if strings.HasPrefix(stack[0], "idle on CPU ") {
					stack[0] = "<idle>-0"
				}
				if len(stack) > 2 || want[strings.Join(stack, ";")] > 0 {
					got[strings.Join(stack, ";")] += amount(t, strings.TrimSpace(line[i:]))
				}
			}
			if !maps.Equal(got, want) {
				n := 0
				for k := range want {
					if got[k] != want[k] && n < 5 {
						n++
						t.Errorf("%d of %s, want %d", got[k], k, want[k])
					}
				}
				for k := range got {
					if want[k] == 0 && n < 10 {
						n++
						t.Errorf("%d of %s, want none", got[k], k)
					}
				}
			}
		})
	}
}
