package beam

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"github.com/tracec/tracec/runtime/record"
)

func init() {
	register.Function1x1(kind)
	register.Function2x1(countText)
	register.Function1x1(failedPath)
}

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

// testMain removes temporary files of Beam: one for each pipeline (runnerlib.Execute).
func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "tracec-beam-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv("TMPDIR", dir)
	return ptest.MainRet(m)
}

const largest = 4 << 20 // bytes of recordings in a default run

// recordings are some of the repository and, with TRACEC_SHARED or in ../shared, of the shared
// data, of all kinds.
func recordings(t *testing.T) []string {
	t.Helper()
	shared := os.Getenv("TRACEC_SHARED")
	if shared == "" {
		shared = "../../../shared"
	}
	var list []string
	for _, p := range []struct {
		pattern string
		most    int
	}{
		{"../../testdata/ftrace/*.dat", 15}, {"../../testdata/ftrace/*.tar.zst", 2}, {"../../testdata/aix/*.trc", 6},
		{"../../testdata/uftrace/*/data.tar.gz", 16}, {"../../testdata/lttng/*/*.tar.xz", 8},
		{shared + "/data/ftrace-public/*.dat", 2}, {shared + "/data/ftrace/*/*.dat", 6},
	} {
		found, err := filepath.Glob(p.pattern)
		if err != nil {
			t.Fatal(err)
		}
		found = slices.DeleteFunc(found, func(name string) bool {
			st, err := os.Stat(name)
			return err != nil || st.Size() > largest
		})
		list = append(list, found[:min(len(found), p.most)]...)
	}
	if len(list) < 20 {
		t.Fatalf("%d recordings", len(list))
	}
	return list
}

// TestShards: each record of a recording is in one shard, with the same fields.
func TestShards(t *testing.T) {
	defer func(old int) { shardEvents = old }(shardEvents)
	shardEvents = 1000
	split := 0
	for _, path := range recordings(t) {
		t.Run(strings.TrimPrefix(path, "../../testdata/"), func(t *testing.T) {
			want := map[string]int{}
			r, err := open(t.Context(), path, record.Options{}, func(error) {})
			if err != nil {
				t.Skip(err)
			}
			defer r.Close()
			m := r.Recording().Machine()
			for ev := range r.All() {
				want[key(row(path, &m, ev))]++
			}
			shards, have := 0, map[string]int{}
			err = plan(t.Context(), path, func(s Shard) {
				shards++
				if err := readShard(t.Context(), s, func(r Row) { have[key(r)]++ }); err != nil {
					t.Error(err)
				}
			}, func(Failure) {})
			if err != nil {
				t.Fatal(err)
			}
			if shards > 1 {
				split++
			}
			if !maps.Equal(want, have) {
				t.Errorf("%d shards: %s", shards, firstDifference(want, have))
			}
		})
	}
	if split < 10 {
		t.Errorf("%d recordings were divided", split)
	}
}

// key is a row without the name of its thread, which other shards may know.
func key(r Row) string {
	r.Comm = ""
	return fmt.Sprint(r)
}

func firstDifference(want, have map[string]int) string {
	keys := maps.Clone(want)
	maps.Copy(keys, have)
	n, first := 0, ""
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if want[k] != have[k] {
			if n++; first == "" {
				first = fmt.Sprintf("%d times, want %d: %.300s", have[k], want[k], k)
			}
		}
	}
	return fmt.Sprintf("%d differ: %s", n, first)
}

// kind is the key by which TestReadTrace counts rows.
func kind(r Row) string { return fmt.Sprintf("%s %s.%s %v", r.Path, r.System, r.Event, r.Exit) }

func countText(kind string, n int) string { return fmt.Sprint(kind, " ", n) }

func failedPath(f Failure) string { return f.Path }

// TestReadTrace: a runner returns as many rows of each event type as a reader yields. A file that
// is not a recording does not affect others.
func TestReadTrace(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.dat")
	if err := os.WriteFile(none, []byte("no recording"), 0o666); err != nil {
		t.Fatal(err)
	}
	files := []string{
		"../../testdata/ftrace/amd64-extract.dat", "../../testdata/uftrace/args-auto/data.tar.gz",
		"../../testdata/aix/shop64.trc",
		"../../testdata/lttng/synthetic/v26-le64-bigevent.tar.xz",
	}
	counts := map[string]int{}
	for _, path := range files {
		r, err := open(t.Context(), path, record.Options{}, func(error) {})
		if err != nil {
			t.Fatal(err)
		}
		m := r.Recording().Machine()
		for ev := range r.All() {
			counts[kind(row(path, &m, ev))]++
		}
		r.Close()
	}
	var want []any
	for k, n := range counts {
		want = append(want, countText(k, n))
	}
	slices.SortFunc(want, func(a, b any) int { return cmp.Compare(a.(string), b.(string)) })

	p, s := beam.NewPipelineWithRoot()
	rows, failures := ReadTraceFailures(s, beam.CreateList(s, append(files, none)))
	passert.Equals(s, beam.ParDo(s, countText, stats.Count(s, beam.ParDo(s, kind, rows))), want...)
	passert.Equals(s, beam.ParDo(s, failedPath, failures), none)
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
}
