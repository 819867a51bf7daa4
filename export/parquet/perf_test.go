package parquet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/internal/testkit/perftest"
)

// TestPerf: DuckDB reads the frames of samples as lists, and records about threads and memory as
// tables. All values equal perf script 6.1.
func TestPerf(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "perf.data"), t.TempDir()
	if err := os.WriteFile(from, perftest.File(t, "amd64-6.18", "clock-fp.p61.data"), 0o666); err != nil {
		t.Fatal(err)
	}
	var texts map[string]string
	for _, s := range perftest.Samples(t, "amd64-6.18") {
		if s.Name == "clock-fp.p61" {
			texts = s.Texts
		}
	}
	if _, err := parquet.Write(t.Context(), to, sources(from), parquet.Options{}); err != nil {
		t.Fatal(err)
	}
	const (
		stacks = `SELECT comm, task, time // 1000, period,
			array_to_string(list_transform(stack, f -> printf('%%x', coalesce(f.file_offset, f.addr))), ' '),
			array_to_string(list_transform(stack, f -> coalesce(f.file, '[unknown]')), ' ') FROM %s ORDER BY time`
		comms = `SELECT process, task, field_comm FROM %s ORDER BY time, task`
		maps  = `SELECT pid, tid, printf('%%x', addr), printf('%%x', len), filename FROM %s ORDER BY time`
		forks = `SELECT pid, tid, ppid, ptid FROM %s ORDER BY time`
	)
	script, events := texts["script.txt"], texts["script-events.txt"]
	for _, q := range []struct {
		query, event string
		want         []string
	}{
		{stacks, "cpu-clock", samplesOf(script)},
		{comms, "PERF_RECORD_COMM", linesOf(events, `PERF_RECORD_COMM(?: exec)?: (.*):(\d+)/(\d+)$`, "$2|$3|$1")},
		{maps, "PERF_RECORD_MMAP2", linesOf(events, `PERF_RECORD_MMAP2 (\d+)/(\d+): \[0x(\w+)\(0x(\w+)\) .* (\S+)$`,
			"$1|$2|$3|$4|$5")},
		{forks, "PERF_RECORD_FORK", linesOf(events, `PERF_RECORD_FORK\((\d+):(\d+)\):\((\d+):(\d+)\)$`, "$1|$2|$3|$4")},
		{forks, "PERF_RECORD_EXIT", linesOf(events, `PERF_RECORD_EXIT\((\d+):(\d+)\):\((\d+):(\d+)\)$`, "$1|$2|$3|$4")},
	} {
		table := fmt.Sprintf("read_parquet(%s)", quote(to+"/*/*/event="+q.event+"/*.parquet"))
		var have []string
		for _, row := range duckdb(t, fmt.Sprintf(q.query, table))[0].Rows {
			var cells []string
			for _, v := range row {
				cells = append(cells, *v)
			}
			have = append(have, strings.Join(cells, "|"))
		}
		if d := cmp.Diff(q.want, have); d != "" || len(have) == 0 {
			t.Errorf("%s (-perf script +DuckDB):\n%s", q.event, d)
		}
	}
}

// linesOf returns the matching lines of a text, expanded by a template.
func linesOf(text, pattern, template string) (list []string) {
	re := regexp.MustCompile("(?m)" + pattern)
	for _, at := range re.FindAllStringSubmatchIndex(text, -1) {
		list = append(list, string(re.ExpandString(nil, template, text, at)))
	}
	return list
}

// samplesOf returns the samples of a text of perf script: thread, time in microseconds, period,
// addresses in their files, and the files.
func samplesOf(text string) (list []string) {
	head := regexp.MustCompile(`^(.*\S)\s+(\d+)\s+(\d+)\.(\d{6}):\s+(\d+) `)
	frame := regexp.MustCompile(`^\s+(\w+) .*\((.*)\)$`)
	for sample := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		var addresses, files []string
		lines := strings.Split(sample, "\n")
		for _, line := range lines[1:] {
			m := frame.FindStringSubmatch(line)
			if m == nil { // an address that perf cannot resolve
				continue
			}
			addresses, files = append(addresses, m[1]), append(files, m[2])
		}
		m := head.FindStringSubmatch(lines[0])
		cells := []string{m[1], m[2], m[3] + m[4], m[5], strings.Join(addresses, " "), strings.Join(files, " ")}
		list = append(list, strings.Join(cells, "|"))
	}
	return list
}
