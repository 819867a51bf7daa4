package textdump_test

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/runtime/record"
)

// TestTasksAgree: the text, the statistics, the options of a merge and dynamic events have the same
// threads. Before the first event of the scheduler the thread is unknown. There the text and the
// statistics have thread 0, as LTTV's columns do.
func TestTasksAgree(t *testing.T) {
	name := needs.Shared(t, "lttng/real/trace-15316events_nolost_newformat.tar.gz")
	rec := open(t, name)
	r, err := tracec.NewReader(rec)
	if err != nil {
		t.Fatal(err)
	}
	events := map[int32]int64{}
	for ev := range r.All() {
		events[ev.Task]++
	}
	job := &report.Job{Job: sources.Job{Path: name, Memory: 1 << 28, Warn: func(err error) { t.Error(err) }}}
	stat, err := textdump.System().Stat(context.Background(), job, &report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows := map[int32]int64{}
	for _, row := range stat.Buffers[0].ByThread {
		rows[int32(*row.TID)] = row.Count
	}
	if len(rows) < 5 || len(events)-len(rows) > 1 || events[-1] == 0 {
		t.Fatalf("%d threads in events, %d of them before any is known, %d in statistics", len(events), events[-1],
			len(rows))
	}
	if rows[0] != events[0]+events[-1] {
		t.Errorf("%d events of thread 0 in statistics, want %d and %d before any thread is known", rows[0], events[0],
			events[-1])
	}
	for task, want := range events {
		if task < 0 {
			continue
		}
		var chosen, lines int64
		for range rec.Merge(record.Options{Tasks: []int32{task}}).All() {
			chosen++
		}
		var out bytes.Buffer
		filter := textdump.Filter{Choice: report.Options{Options: selection.Options{Tasks: []string{strconv.Itoa(int(task))}}}}
		if err := textdump.Run(context.Background(), rec, textdump.Options{Plain: true, Filter: filter},
			&out); err != nil {
			t.Fatal(err)
		}
		lines = int64(strings.Count(out.String(), "\n"))
		shown := want
		if task == 0 {
			shown += events[-1]
		}
		if chosen != want || lines != shown || rows[task] != shown {
			t.Errorf("thread %d: %d dynamic events, %d records chosen, %d lines, %d in statistics", task, want, chosen,
				lines, rows[task])
		}
	}
}
