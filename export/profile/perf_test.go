package profile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/perftest"
)

// sampled holds the sum of one type of values in a file of pprof.
type sampled struct {
	name, unit string
	sum        int64
}

// TestPeriods: the samples of each event and the sums of their periods equal perf report 6.1. It
// cannot read the last recording, which is compared with the lines of perf script 7.2.
func TestPeriods(t *testing.T) {
	const clock, nanoseconds = "cpu-clock", "nanoseconds"
	for name, want := range map[string][]sampled{
		"clock.p61":          {{"samples", "count", 107}, {clock, nanoseconds, 53526750}},
		"clock-fp.p61":       {{"samples", "count", 74}, {clock, nanoseconds, 49366214}},
		"clockid-real.p61":   {{"samples", "count", 34}, {clock, nanoseconds, 34034034}},
		"tracepoint-fp.p612": {{"samples", "count", 154}, {"events", "count", 154}},
		"many-terms.p72": {
			{"samples", "count", 38}, {"short", nanoseconds, 23333331},
			{"page-faults/call-graph=dwarf,stack-size=512/", "count", 135}, {"tall", nanoseconds, 28571420},
		},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, perftest.File(t, "amd64-6.18", name+".data"), 0o666); err != nil {
			t.Fatal(err)
		}
		rec, err := tracec.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := tracec.NewReader(rec, tracec.WithThreads())
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Write(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		got, shown := sampledIn(t, b.Bytes())
		if d := cmp.Diff(want, got, cmp.AllowUnexported(sampled{})); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if shown != want[1].name {
			t.Errorf("%s: %s is shown", name, shown)
		}
		rec.Close()
	}
}

// TestLargePeriod: a damaged period does not make a sum negative. It is omitted, with a warning.
func TestLargePeriod(t *testing.T) {
	data := bytes.Clone(perftest.File(t, "amd64-6.18", "clock.p61.data"))
	period := binary.LittleEndian.AppendUint64(nil, 500250)
	at := bytes.LastIndex(data, period)
	if at < 0 {
		t.Fatal("no sample of that period")
	}
	binary.LittleEndian.PutUint64(data[at:], 1<<63+1)
	path := filepath.Join(t.TempDir(), "perf.data")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	rec, err := tracec.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec, tracec.WithThreads())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	var warned []string
	if err := Write(&b, r, Options{Warn: func(m string) { warned = append(warned, m) }}); err != nil {
		t.Fatal(err)
	}
	got, _ := sampledIn(t, b.Bytes())
	want := []sampled{{"samples", "count", 107}, {"cpu-clock", "nanoseconds", 53526750 - 500250}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(sampled{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff([]string{"1 samples count without their periods: the sum would exceed 2^63-1"}, warned); d != "" {
		t.Errorf("-want +warned:\n%s", d)
	}
}

// TestSymbols: the period of each function equals perf report 6.1 with the same symbols (-F
// sample,period,sym --no-children --symfs DIR --kallsyms FILE).
func TestSymbols(t *testing.T) {
	for name, want := range map[string]map[string]int64{
		"clock.p61": {
			"leaf": 47523750, "finish_task_switch.isra.0": 4002000,
			"__perf_addr_filters_adjust": 500250, "exc_page_fault": 500250,
			"kmem_cache_alloc_node_noprof": 500250, "ld-linux-x86-64.so.2+0x9972": 500250,
		},
		"clock-fp.p61": {
			"leaf": 44696437, "finish_task_switch.isra.0": 1334222,
			"_raw_spin_unlock_irqrestore": 667111, "exc_page_fault": 667111,
			"handle_softirqs": 667111, "xas_load": 667111, "ld-linux-x86-64.so.2+0x1489e": 667111,
		},
	} {
		dir := t.TempDir()
		files := map[string]string{"perf.data": name + ".data", "kallsyms": "kallsyms", "opt/demo/hot": "hot"}
		for file, in := range files {
			path := filepath.Join(dir, file)
			if err := errors.Join(
				os.MkdirAll(filepath.Dir(path), 0o777),
				os.WriteFile(path, perftest.File(t, "amd64-6.18", in), 0o666),
			); err != nil {
				t.Fatal(err)
			}
		}
		rec, err := tracec.Open(t.Context(), filepath.Join(dir, "perf.data"),
			tracec.WithSymfs(dir), tracec.WithKallsyms(filepath.Join(dir, "kallsyms")))
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		var b bytes.Buffer
		if err := collectQuietly(t, rec, Options{}).Write(&b, Pprof); err != nil {
			t.Fatal(err)
		}
		got := map[string]int64{}
		for f, s := range read(t, b.Bytes(), "cpu-clock") {
			if s.self > 0 {
				got[f] = s.self
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// sampledIn returns the sums in a file of pprof and the name of the default one.
func sampledIn(t *testing.T, packed []byte) (list []sampled, shown string) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	all := fieldsOf(t, b)
	text := func(i uint64) string { return string(all[profileString][i].bytes) }
	for _, k := range all[profileSampleType] {
		f := fieldsOf(t, k.bytes)
		list = append(list, sampled{name: text(f.number(valueType)), unit: text(f.number(valueUnit))})
	}
	for _, s := range all[profileSample] {
		for i, v := range fieldsOf(t, s.bytes).numbers(t, sampleValue) {
			list[i].sum += int64(v)
		}
	}
	return list, text(all.number(profileDefaultType))
}
