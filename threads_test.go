package tracec_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/therootcompany/xz"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// reportLine matches an event in the output of trace-cmd report.
var reportLine = regexp.MustCompile(`^ *(.*)-(\d+) +(?:\( *[-\d]+\) )?\[(\d+)\] `)

// TestCommsOfFtrace: the name of each event's thread equals the name that trace-cmd prints.
func TestCommsOfFtrace(t *testing.T) {
	compared, events := 0, 0
	patterns := []string{"testdata/ftrace/*.dat"}
	if needs.LongProofs(t) {
		patterns = append(patterns, filepath.Join(needs.SharedData(t), "ftrace/trixie*/*.dat"))
	}
	beside := 0
	for i, pattern := range patterns {
		names, _ := filepath.Glob(pattern)
		if i > 0 {
			beside = len(names)
		}
		for _, name := range names {
			text := strings.TrimSuffix(name, ".dat") + ".report.txt.zst"
			if _, err := os.Stat(text); err != nil {
				continue
			}
			lines := slices.DeleteFunc(saved(t, text), func(s string) bool { return !reportLine.MatchString(s) })
			rec, err := ftrace.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if len(rec.Buffers()) > 1 { // its output is one buffer after the other
				rec.Close()
				continue
			}
			n := 0
			r := newReader(t, rec, tracec.WithThreads())
			for ev := range r.All() {
				if n == len(lines) || n == 10_000 {
					break
				}
				m := reportLine.FindStringSubmatch(lines[n])
				n++
				// trace-cmd leaves out an event
				if cpu, _ := strconv.Atoi(m[3]); int(ev.CPU) != cpu || m[2] != fmt.Sprint(ev.Task) {
					break
				}
				want := m[1]
				if want == "<...>" {
					want = ""
				}
				if got := ev.Comm(); got != want {
					t.Errorf("%s: event %d is of %q: %s", name, n, got, lines[n-1])
					break
				}
			}
			rec.Close()
			if n == min(len(lines), 10_000) && n > 0 {
				compared++
				events += n
			}
		}
	}
	if compared < 7 || events < 2500 || beside > 0 && (compared < 10 || events < 5000) {
		t.Errorf("only %d recordings, %d events", compared, events)
	}
}

// dumpLine matches an event in the output of textDump: its time, file, thread, process and process
// name.
var dumpLine = regexp.MustCompile(`^\S+: (\d+)\.(\d{9}) \(.*/[^/]*_(\d+)\), (-?\d+), (-?\d+), (.*?), `)

// TestCommsOfLTTng: threads, processes and their names are equal to LTTV's. Events with the same
// time may be in any order.
func TestCommsOfLTTng(t *testing.T) {
	for name, formula := range map[string]lttng.Formula{
		"trace-1021events-nolost-1cpu": lttng.OldFormula, "trace-15316events_nolost_newformat": lttng.NewFormula,
		"trace-2.6": lttng.NewFormula,
	} {
		t.Run(name, func(t *testing.T) {
			data := needs.Shared(t, "lttng")
			if name == "trace-2.6" { // of a megabyte
				needs.Proofs(t)
			}
			f, err := os.Open(filepath.Join(data, "oracle", name+".textdump.txt.xz"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			z, err := xz.NewReader(f, 0)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string][]string{} // threads by time and processor
			for lines := bufio.NewScanner(z); lines.Scan(); {
				if m := dumpLine.FindStringSubmatch(lines.Text()); m != nil {
					key := m[1] + m[2] + " " + m[3]
					want[key] = append(want[key], fmt.Sprintf("%s %s %q", m[4], m[5], m[6]))
				}
			}
			got := map[string][]string{}
			known := 0
			for ev := range newReader(t, openLTTng(t, filepath.Join(data, "real", name+".tar.gz"), formula),
				tracec.WithThreads()).All() {
				key := fmt.Sprintf("%d %d", ev.Time, ev.CPU)
				if ev.Process() < 0 {
					got[key] = append(got[key], "")
					continue
				}
				known++
				got[key] = append(got[key], fmt.Sprintf("%d %d %q", ev.Task, ev.Process(), ev.Comm()))
			}
			bad := 0
			for key, list := range got {
				for _, thread := range list {
					if thread != "" && !slices.Contains(want[key], thread) {
						if bad++; bad < 5 {
							t.Errorf("%s: %s, LTTV has %q", key, thread, want[key])
						}
					}
				}
			}
			if known < len(want)*9/10 {
				t.Errorf("%d events, %d with a known thread", len(want), known)
			}
		})
	}
}

// TestThreadsOfSome: the events that WithRecords selects have the same threads, processes and names
// as without selection, although the events that contain the names may not be selected.
func TestThreadsOfSome(t *testing.T) {
	recordings := map[string]record.Recording{"lttng": namedLTTng(t),
		"uftrace": uftracetest.Open(t, uftracetest.Files(t, "threads"))}
	for _, name := range samples(t, "aix/*.trc") {
		recordings[name] = openAny(t, name)
	}
	for name, rec := range recordings {
		opts := []tracec.Option{tracec.WithThreads(),
			tracec.WithHooks(nil, layoutsOf(t, "testdata/aix/shop.layouts")...)}
		line := func(ev *tracec.Event) string {
			return fmt.Sprint(ev.Time, ev.ID, ev.CPU, ev.Task, ev.Process(), ev.Comm())
		}
		var records []record.Record
		var lines []string
		for ev := range newReader(t, rec, opts...).All() {
			records, lines = append(records, *ev.Record), append(lines, line(ev))
		}
		middle := records[len(records)/2]
		for _, o := range []record.Options{
			{Since: middle.Time}, {Until: middle.Time}, {IDs: []uint32{middle.ID}}, {Tasks: []int32{middle.Task}},
			{CPUs: []int32{middle.CPU}},
			{Since: middle.Time, IDs: []uint32{middle.ID}, Tasks: []int32{middle.Task}},
		} {
			if o.CPUs != nil && name == "uftrace" { // its calls do not record CPUs
				continue
			}
			var want, got []string
			for i, r := range records {
				if r.Time >= o.Since && (o.Until == 0 || r.Time < o.Until) && o.HasID(r.ID) &&
					(o.Tasks == nil || r.Task >= 0 && o.HasTask(r.Task)) &&
					(o.CPUs == nil || r.CPU >= 0 && o.HasCPU(r.CPU)) {
					want = append(want, lines[i])
				}
			}
			r := newReader(t, rec, append(opts, tracec.WithRecords(o))...)
			for ev := range r.All() {
				got = append(got, line(ev))
			}
			if !slices.Equal(got, want) || r.Err() != nil {
				t.Errorf("%s, %+v: %d events, want %d: %v\n%.300q\n%.300q", name, o, len(got), len(want), r.Err(), got,
					want)
			}
		}
	}
}

// namedLTTng is a trace in which the names of threads come before their events.
func namedLTTng(t *testing.T) *lttng.Recording {
	dir := t.TempDir()
	w, err := lttng.NewWriter(lttng.CreateIn(dir),
		lttng.Layout{Dialect: lttng.V26, WordSize: 8, Alignment: 8, BlockSize: 4096, CPUs: 2, Freq: 1_000_000_000})
	if err != nil {
		t.Fatal(err)
	}
	state := lttngtest.Mark(t, w, "task_state", "process_state", "pid %d parent_pid %d name %s type %d tgid %d")
	schedule := lttngtest.Mark(t, w, "kernel", "sched_schedule", "prev_pid %d next_pid %d prev_state #2d%ld")
	read := lttngtest.Mark(t, w, "fs", "read", "fd %d")
	event := func(i, cpu int, m *lttng.Mark, values ...any) {
		if err := w.Event(cpu, m, uint64(1000+10*i), values...); err != nil {
			t.Fatal(err)
		}
	}
	for i := range int32(4) {
		event(int(i), 0, state, 10+i, int32(1), fmt.Sprint("shell", i), int32(0), 20+i)
	}
	for i := 4; i < 400; i++ {
		if i%10 < 2 && i < 300 {
			event(i, i%2, schedule, int32(0), int32(10+i/10%4), int16(0))
		} else {
			event(i, i%2, read, int32(i))
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := lttng.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func openLTTng(t *testing.T, name string, formula lttng.Formula) *lttng.Recording {
	t.Helper()
	isTrace := func(p *input.Probe) bool { return p.Dir != nil && lttng.IsTrace(p.Dir) }
	in, err := input.Open(context.Background(), name, nil, 0, []input.Kind{{Detect: isTrace}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	rec, err := lttng.OpenFS(in.Dir, name, lttng.WithTime(formula))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}
