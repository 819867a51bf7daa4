package perfetto_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
)

// TestSlices: the slices and instants of recordings of other systems are imported with their times,
// and the trace processors report no errors.
func TestSlices(t *testing.T) {
	t.Parallel()
	names := others(t)
	for _, pattern := range []string{"uftrace/*/data.tar.gz", "lttng/*/trace-1*.tar.*", "lttng/realwriter/*.tar.*"} {
		list, err := filepath.Glob(filepath.Join(needs.SharedData(t), pattern))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, list...)
	}
	names = needs.Some(t, names, 12)
	for _, version := range []string{"v55", "v20"} {
		t.Run(version, func(t *testing.T) {
			e := startEngine(t, version)
			for _, name := range names {
				if version == "v20" && strings.HasPrefix(name, needs.SharedData(t)) {
					continue
				}
				t.Run(strings.TrimPrefix(name, "../../"), func(t *testing.T) { slicesOf(t, e, name) })
			}
		})
	}
}

func slicesOf(t *testing.T, e *engine, name string) {
	rec := open(t, name)
	a := e.ask(t, export(t, rec),
		"select ifnull(name, ''), count(*), sum(dur) from slice where dur >= 0 group by 1",
		"select name, value from stats where severity in ('error', 'data_loss') and value > 0",
		"select count(*), 0 from slice where dur < 0",
		"select distinct tid || ' ' || thread.name, 1 from thread join thread_track using (utid) join slice on track_id = thread_track.id where thread.name is not null")
	if t.Failed() {
		return
	}
	tl, err := timeline.New(newReader(t, rec))
	if err != nil {
		t.Fatal(err)
	}
	want, threads := map[string]slice{}, map[string]bool{}
	open := map[*timeline.Track][]string{} // names at the begin of spans
	unseen := map[string]bool{}            // spans with an unknown begin
	for it := range tl.All() {
		name := utf8Text(it.Name.Text)
		switch it.Kind {
		case timeline.Instant:
			want[name] = want[name].plus(0)
		case timeline.Begin:
			open[it.Track] = append(open[it.Track], name)
		case timeline.End:
			unseen[name] = unseen[name] || it.Span.Unseen
			last := len(open[it.Track]) - 1
			if !it.Span.Unseen {
				name = open[it.Track][last]
			}
			open[it.Track] = open[it.Track][:last]
			want[name] = want[name].plus(it.Span.Total())
		}
	}
	for _, tr := range tl.Tracks() {
		// the trace processor adds the idle thread itself
		if tr.Kind == timeline.Thread && tr.Process >= 0 && tr.Name != "" && tr.ID > 0 {
			threads[fmt.Sprint(tr.ID, " ", utf8Text(tr.Name))] = true
		}
	}
	got := sums(a.Results[0].Rows)
	for _, name := range sortedKeys(got, want) {
		if got[name] != want[name] && (!unseen[name] || got[name].count != want[name].count) {
			t.Errorf("%s: %+v, want %+v", name, got[name], want[name])
		}
	}
	for _, row := range a.Results[1].Rows {
		t.Errorf("%v: %v", row[0], row[1])
	}
	if open := a.Results[2].Rows[0][0]; open != "0" {
		t.Errorf("%v slices without an end", open)
	}
	names := counts(a.Results[3].Rows)
	for name := range threads {
		if names[name] == 0 {
			t.Errorf("no thread %s: %v", name, names)
		}
	}
}

// TestReplay: calls nest as in uftrace replay.
func TestReplay(t *testing.T) {
	t.Parallel()
	e := startEngine(t, "v55")
	files, err := filepath.Glob("../../testdata/uftrace/*/data.tar.gz")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		text, ok := uftracetest.Outputs(t, name)["0.13/replay.txt"]
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			a := e.ask(t, export(t, open(t, file)),
				"select tid, slice.name, depth from slice join thread_track on track_id = thread_track.id join thread using (utid) "+
					"where not exists (select 1 from args where args.arg_set_id = slice.arg_set_id and key = 'debug.unseen') order by ts, slice.id")
			if t.Failed() {
				return
			}
			want, names := replayed(text)
			got := map[string][]call{} // by thread
			for _, row := range a.Results[0].Rows {
				if tid, name := fmt.Sprint(row[0]), fmt.Sprint(row[1]); names[name] { // not an event
					got[tid] = append(got[tid], call{atoi(row[2]), name})
				}
			}
			compared += len(want)
			for _, tid := range sortedKeys(got, want) {
				if g, w := paths(got[tid]), paths(want[tid]); g != w {
					t.Errorf("thread %s:\n%s\nwant:\n%s", tid, g, w)
				}
			}
		})
	}
	if compared == 0 {
		t.Error("nothing compared")
	}
}

// replayLine is a call in the text of uftrace replay: thread, indentation, name.
var replayLine = regexp.MustCompile(`^.{11} \[ *(\d+)\] \| ((?:  )*)([^ /(}](?:operator\(\)|[^(])*)\(`)

// call is a call at a depth.
type call struct {
	depth int
	name  string
}

// paths returns a line for each call: its callers and its function. Depths of replay include the
// depth of a process's parent.
func paths(calls []call) string {
	var b strings.Builder
	var stack []call
	for _, c := range calls {
		for len(stack) > 0 && stack[len(stack)-1].depth >= c.depth {
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, c)
		for _, s := range stack {
			b.WriteString(" " + s.name)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// replayed returns the calls of each thread and their names.
func replayed(text string) (calls map[string][]call, names map[string]bool) {
	calls, names = map[string][]call{}, map[string]bool{}
	for line := range strings.Lines(text) {
		if m := replayLine.FindStringSubmatch(line); m != nil {
			calls[m[1]] = append(calls[m[1]], call{len(m[2]) / 2, m[3]})
			names[m[3]] = true
		}
	}
	return calls, names
}

func atoi(v any) (n int) {
	fmt.Sscan(fmt.Sprint(v), &n)
	return n
}
