package chrome_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/chrome"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/perfettotest"
	"github.com/tracec/tracec/runtime/record"
)

func open(t testing.TB, path string) record.Recording {
	t.Helper()
	rec, err := tracec.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func newReader(t testing.TB, rec record.Recording) *tracec.Reader {
	t.Helper()
	r, err := tracec.NewReader(rec, tracec.WithThreads())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// export returns the JSON of a recording.
func export(t testing.TB, rec record.Recording) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := chrome.Write(&b, newReader(t, rec), chrome.Options{}); err != nil {
		t.Log(err)
	}
	return b.Bytes()
}

// recordings are the paths of recordings of all kinds.
func recordings(t *testing.T) []string {
	var list []string
	for _, glob := range []string{"ftrace/*.dat", "aix/*.trc", "uftrace/*/data.tar.gz", "lttng/synthetic/v26*.tar.xz"} {
		found, err := filepath.Glob("../../testdata/" + glob)
		if err != nil || len(found) == 0 {
			t.Fatal(glob, err)
		}
		list = append(list, found...)
	}
	return list
}

// slice is a span or an instant in Perfetto.
type slice struct {
	name    string
	ts, dur uint64
	depth   int
}

// expected returns the slices of a timeline. A span without a recorded begin begins after earlier
// events on its track.
func expected(t *testing.T, rec record.Recording) map[slice]int {
	t.Helper()
	tl, err := timeline.New(newReader(t, rec))
	if err != nil {
		t.Fatal(err)
	}
	type begun struct{ at uint64 }
	all, last, open := map[slice]int{}, map[int]uint64{}, map[int][]begun{}
	for it := range tl.All() {
		track := it.Track.Index
		if it.Lost != 0 {
			all[slice{name: "lost events", ts: it.Time, depth: -1}]++
		}
		switch time := max(it.Time, last[track]); it.Kind {
		case timeline.Instant:
			all[slice{name: it.Name.Text, ts: it.Time, depth: -1}]++
		case timeline.Begin:
			if !it.Span.Unseen {
				time = it.Time
			}
			open[track] = append(open[track], begun{time})
			last[track] = time
		case timeline.End:
			n := len(open[track]) - 1
			b := open[track][n]
			open[track] = open[track][:n]
			s := slice{name: it.Name.Text, ts: b.at, dur: max(it.Time, b.at) - b.at, depth: n}
			if s.dur == 0 { // its order among slices with the same time is unknown
				s.depth = -1
			}
			all[s]++
		}
		last[track] = max(last[track], it.Time)
	}
	return all
}

// TestPerfetto: Perfetto has every span and instant of the timeline, with its time, length and
// nesting.
func TestPerfetto(t *testing.T) {
	for _, version := range []string{"v55", "v20"} {
		t.Run(version, func(t *testing.T) {
			e := perfettotest.Start(t, version)
			for _, path := range recordings(t) {
				t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
					rec := open(t, path)
					want := expected(t, rec)
					text := export(t, rec)
					var header struct {
						Metadata struct {
							Start uint64 `json:"start_ns,string"`
						}
					}
					if err := json.Unmarshal(text, &header); err != nil {
						t.Fatal(err)
					}
					a := e.Ask(t, text, "select name, ts, dur, depth from slice",
						"select name, value from stats where severity in ('error','data_loss') and value > 0")
					for _, row := range a.Results[1].Rows {
						t.Errorf("stats: %v", row)
					}
					bad := 0
					for _, row := range a.Results[0].Rows {
						n := [3]uint64{}
						for i := range n {
							n[i], _ = strconv.ParseUint(fmt.Sprint(row[i+1]), 10, 64)
						}
						s := slice{name: fmt.Sprint(row[0]), ts: n[0] + header.Metadata.Start, dur: n[1],
							depth: int(n[2])}
						at := s
						if s.dur == 0 {
							at.depth = -1
						}
						// it cuts lengths, as floats, to whole nanoseconds: 1.011 is 1010
						if at.dur++; version != "v20" || want[at] == 0 {
							at.dur--
						}
						if want[at]--; want[at] < 0 && bad < 10 {
							bad++
							t.Errorf("Perfetto has %+v", s)
						}
					}
					for _, s := range slices.SortedFunc(maps.Keys(want),
						func(a, b slice) int { return int(a.ts - b.ts) }) {
						if version == "v20" && s.depth < 0 { // it does not support instants of Chrome
							continue
						}
						if want[s] > 0 && bad < 20 {
							bad++
							t.Errorf("Perfetto does not have %+v", s)
						}
					}
				})
			}
		})
	}
}

// TestDevTools: the engine of Chrome's DevTools has every span and instant of the timeline, with
// its time, length and nesting.
func TestDevTools(t *testing.T) {
	root := needs.Consumer(t, "TRACEC_TRACE_ENGINE", "trace_engine", "node_modules/@paulirish/trace_engine")
	node := needs.Program(t, "node", "apt-get install nodejs")
	for _, path := range []string{
		"ftrace/amd64-syscalls.dat", "ftrace/amd64-extract.dat", "ftrace/made-graph.dat", "uftrace/threads/data.tar.gz",
		"uftrace/cpp-auto/data.tar.gz",
		"uftrace/finish/data.tar.gz", "uftrace/v3-binary-task/data.tar.gz", "aix/shop64.trc",
	} {
		t.Run(path, func(t *testing.T) {
			rec := open(t, "../../testdata/"+path)
			name := filepath.Join(t.TempDir(), "trace.json")
			if err := os.WriteFile(name, export(t, rec), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(node, "testdata/devtools.mjs", root, name)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %.500s", err, stderr.String())
			}
			var got [][4]any
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			want := expected(t, rec)
			for _, e := range got {
				ns := func(v any) uint64 { return uint64(math.Round(v.(float64) * 1000)) }
				s := slice{name: e[0].(string), ts: ns(e[1]), depth: int(e[3].(float64))}
				if e[2].(float64) > 0 {
					s.dur = ns(e[2])
				} else {
					s.depth = -1
				}
				// as sums of floats, an end and the next begin may overlap: DevTools nests neither
				// span
				for depth := 0; s.dur > 0 && s.depth < 0 && depth < 100; depth++ {
					if at := (slice{s.name, s.ts, s.dur, depth}); want[at] > 0 {
						s = at
					}
				}
				if want[s]--; want[s] < 0 {
					t.Errorf("DevTools has %+v", s)
				}
			}
			for s, n := range want {
				if n > 0 {
					t.Errorf("DevTools does not have %d of %+v", n, s)
				}
			}
		})
	}
}
