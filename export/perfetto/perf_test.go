package perfetto_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/perfetto"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/perfettotest"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/runtime/record"
)

// openSample opens the perf.data of a sample.
func openSample(t *testing.T, s *perftest.Sample, opts ...tracec.OpenOption) record.Recording {
	t.Helper()
	name := filepath.Join(t.TempDir(), "perf.data")
	if err := os.WriteFile(name, s.Data, 0o666); err != nil {
		t.Fatal(err)
	}
	rec, err := tracec.Open(t.Context(), name, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// sampleQuery returns a row for each sample: time, thread, mode, and number of frames.
const sampleQuery = `select ts || ' ' || tid || ' ' || ifnull(cpu_mode, '') || ' ' || ifnull(c.depth + 1, 0), count(*)
	from perf_sample s join thread using (utid) left join stack_profile_callsite c on c.id = s.callsite_id group by 1`

// leafQuery counts samples by the function of the innermost frame.
const leafQuery = `select f.name, count(*) from perf_sample s join stack_profile_callsite c on c.id = s.callsite_id
	join stack_profile_frame f on f.id = c.frame_id group by 1`

// sampledEvents holds the expected contents of a trace in the trace processor.
type sampledEvents struct {
	samples map[string]int // in the form of sampleQuery
	leaves  map[string]int
	kernel  map[string]int // events of ftrace, by name
	stats   map[string]int
	sched   map[string]slice // by processor and thread
	periods map[string]int   // by event
}

func expectSamples(t *testing.T, rec record.Recording) sampledEvents {
	t.Helper()
	x := sampledEvents{samples: map[string]int{}, leaves: map[string]int{}, kernel: map[string]int{},
		stats: map[string]int{}, sched: map[string]slice{}, periods: map[string]int{}}
	running, since := map[int32]int64{}, map[int32]uint64{}
	for ev := range newReader(t, rec).All() {
		if ev.Type.System != "" {
			x.kernel[eventName(ev.Type.System, ev.Type.Name)]++
		} else if ev.Lost != 0 && ev.CPU >= 0 {
			x.stats[fmt.Sprint("perf_cpu_lost_records ", ev.CPU)] += int(ev.Lost)
		}
		if ev.Type.Stack() == tracec.CallChain {
			x.sample(ev)
		}
		if ev.Type.Name != "sched_switch" {
			continue
		}
		prev, _ := ev.Field("prev_pid")
		next, _ := ev.Field("next_pid")
		if was, ok := running[ev.CPU]; ok {
			if was == prev.Int() {
				who := fmt.Sprint(ev.CPU, " ", was)
				x.sched[who] = x.sched[who].plus(ev.Time - since[ev.CPU])
			} else {
				x.stats["mismatched_sched_switch_tids "]++
			}
		}
		running[ev.CPU], since[ev.CPU] = next.Int(), ev.Time
	}
	return x
}

func (x *sampledEvents) sample(ev *tracec.Event) {
	frames, mode := ev.AppendFrames(nil), ""
	if len(frames) > 0 {
		x.leaves[frames[0].Name()]++
		if mode = "user"; frames[0].Kernel {
			mode = "kernel"
		}
	}
	x.samples[fmt.Sprint(ev.Time, " ", ev.Task, " ", mode, " ", len(frames))]++
	if n, ok := ev.Period(); ok {
		name := ev.Type.Name
		if ev.Type.System != "" {
			name = ev.Type.System + ":" + name
		}
		x.periods[name] += int(n)
	}
}

// TestPerf: samples, events of ftrace, losses and the running times of threads equal the
// recording's, and the trace processor reports no other errors.
func TestPerf(t *testing.T) {
	t.Parallel()
	e := startEngine(t, "v55")
	all := slices.DeleteFunc(perftest.All(t), func(s *perftest.Sample) bool { return s.Dir != nil })
	samples := 0
	for _, s := range needs.Some(t, all, 8) {
		t.Run(s.Group+"/"+s.Name, func(t *testing.T) {
			rec := openSample(t, s)
			want := expectSamples(t, rec)
			a := e.ask(t, export(t, rec), sampleQuery, leafQuery,
				"select name, count(*) from ftrace_event group by name",
				"select name || ' ' || ifnull(idx, ''), sum(value) from stats where severity in ('error', 'data_loss') and value > 0 group by 1",
				"select cpu || ' ' || tid, count(*), sum(dur) from sched join thread using (utid) where dur >= 0 group by 1",
				"select name, cast(sum(most) as int) from (select t.name, max(value) most from counter c join counter_track t on c.track_id = t.id where type = 'perf_cpu_counter' group by t.id) group by 1")
			if t.Failed() {
				return
			}
			compareCounts(t, counts(a.Results[0].Rows), want.samples)
			compareCounts(t, counts(a.Results[1].Rows), want.leaves)
			compareCounts(t, counts(a.Results[2].Rows), want.kernel)
			compareCounts(t, counts(a.Results[3].Rows), want.stats)
			compareSlices(t, sums(a.Results[4].Rows), want.sched, nil)
			compareCounts(t, counts(a.Results[5].Rows), want.periods)
			samples += len(want.samples)
		})
	}
	if samples == 0 {
		t.Error("no recording has samples")
	}
}

// TestPerfItself: the trace processor reads some recordings of perf directly, without names of
// functions. It finds the same samples, threads and periods.
func TestPerfItself(t *testing.T) {
	t.Parallel()
	e := startEngine(t, "v55")
	const (
		threads = "select tid || ' ' || name, 1 from thread where name is not null and tid > 0"
		periods = "select name, cast(sum(most) as int) from (select t.name, max(value) most from counter c join counter_track t on c.track_id = t.id where type like 'perf_%' group by t.id) group by 1"
	)
	for _, name := range []string{
		"clock-fp.p61", "clock.p72", "user-callchain.p72", "switch-events.p612", "tracepoint-fp.p612",
	} {
		file := perftest.File(t, "amd64-6.18", name+".data")
		own := e.ask(t, file, sampleQuery, threads, periods)
		a := e.ask(t, export(t, openSample(t, &perftest.Sample{Data: file})), sampleQuery, threads, periods)
		for i, what := range []string{"samples", "threads", "periods"} {
			want, got := counts(own.Results[i].Rows), counts(a.Results[i].Rows)
			if i == 1 { // it does not read the threads of tracepoints
				maps.DeleteFunc(got, func(thread string, _ int) bool { return want[thread] == 0 })
			}
			if d := cmp.Diff(want, got); d != "" || len(want) == 0 {
				t.Errorf("%s: %s (-itself +export):\n%s", name, what, d)
			}
		}
	}
}

// TestPerfScript: the leaf functions equal perf script 6.1 with the same symbols. For frames
// without symbols, perf script prints an address in their file.
func TestPerfScript(t *testing.T) {
	t.Parallel()
	e := startEngine(t, "v55")
	dir, text := t.TempDir(), ""
	for _, s := range perftest.Samples(t, "amd64-6.18") {
		if s.Name == "clock-fp.p61" {
			text = s.Texts["script.txt"]
		}
	}
	if err := errors.Join(
		os.MkdirAll(filepath.Join(dir, "opt/demo"), 0o777),
		os.WriteFile(filepath.Join(dir, "opt/demo/hot"), perftest.File(t, "amd64-6.18", "hot"), 0o666),
		os.WriteFile(filepath.Join(dir, "kallsyms"), perftest.File(t, "amd64-6.18", "kallsyms"), 0o666),
	); err != nil {
		t.Fatal(err)
	}
	rec := openSample(t, &perftest.Sample{Data: perftest.File(t, "amd64-6.18", "clock-fp.p61.data")},
		tracec.WithSymfs(dir), tracec.WithKallsyms(filepath.Join(dir, "kallsyms")))
	want := map[string]int{}
	leaf := regexp.MustCompile(`(?m)^\S.*: *\n\s+([0-9a-f]+) (\S+?)(?:\+0x[0-9a-f]+)? \((.*)\)$`)
	for _, m := range leaf.FindAllStringSubmatch(text, -1) {
		if name := m[2]; name != "[unknown]" {
			want[name]++
		} else {
			want[filepath.Base(m[3])+"+0x"+m[1]]++
		}
	}
	a := e.ask(t, export(t, rec), leafQuery)
	if d := cmp.Diff(want, counts(a.Results[0].Rows)); d != "" || len(want) < 5 {
		t.Errorf("-perf script +export:\n%s", d)
	}
}

// TestPerfStacks: a stack has its frames outermost first, with files and offsets.
func TestPerfStacks(t *testing.T) {
	t.Parallel()
	e := startEngine(t, "v55")
	file := perftest.File(t, "amd64-6.18", "clock-fp.p61.data")
	a := e.ask(t, export(t, openSample(t, &perftest.Sample{Data: file})), `with recursive up(id, n, line) as (
		select callsite_id, 0, '' from perf_sample where ts = 1128695220358
		union all select c.parent_id, n + 1, line || m.name || ' ' || printf('%x', f.rel_pc) || ';'
			from up join stack_profile_callsite c using (id) join stack_profile_frame f on f.id = c.frame_id
			join stack_profile_mapping m on m.id = f.mapping)
		select line from up where id is null`)
	// perf script 6.1 prints the same addresses
	want := "/opt/demo/hot 11f7;/opt/demo/hot 123e;/opt/demo/hot 12e6;/usr/lib/x86_64-linux-gnu/libc.so.6 891f5;"
	if got := rowsOf(a); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestPerfDamaged: the readable part of damaged recordings is converted, and the trace processor
// loads the trace.
func TestPerfDamaged(t *testing.T) {
	t.Parallel()
	e := startEngine(t, "v55")
	random := rand.New(rand.NewPCG(2, 7))
	for _, name := range []string{"tracepoint-fp.p612", "lost.p612", "clock-fp.p61"} {
		whole := perftest.File(t, "amd64-6.18", name+".data")
		for range needs.Cases(t, 2, 40) {
			damaged := bytes.Clone(whole)
			for range 1 + random.IntN(40) {
				damaged[104+random.IntN(len(damaged)-104)] ^= byte(1 + random.IntN(255))
			}
			path := filepath.Join(t.TempDir(), "perf.data")
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			rec, err := tracec.Open(t.Context(), path)
			if err != nil {
				continue
			}
			want := expectSamples(t, rec)
			var b bytes.Buffer
			if err := perfetto.Write(&b, newReader(t, rec), perfetto.Options{}); err != nil {
				if damage := (*record.DamageError)(nil); !errors.As(err, &damage) {
					t.Errorf("%s: %v", name, err)
				}
			}
			a := e.ask(t, b.Bytes(), "select 'samples', count(*) from perf_sample")
			n := 0
			for key, k := range want.samples {
				time, _, _ := strings.Cut(key, " ")
				if _, err := strconv.ParseInt(time, 10, 64); err == nil { // it reports later times as errors
					n += k
				}
			}
			compareCounts(t, counts(a.Results[0].Rows), map[string]int{"samples": n})
			rec.Close()
		}
	}
}

func rowsOf(a perfettotest.Answer) string {
	var b bytes.Buffer
	for _, row := range a.Results[0].Rows {
		fmt.Fprint(&b, row...)
	}
	return strings.TrimSpace(b.String())
}
