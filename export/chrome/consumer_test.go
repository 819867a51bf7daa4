package chrome_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/export/chrome"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/perfettotest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/runtime/record"
)

func open(t testing.TB, path string) record.Recording {
	t.Helper()
	rec, err := report.Open(t.Context(), path, all.Systems())
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func newReader(t testing.TB, rec record.Recording) *dynamic.Reader {
	t.Helper()
	r, err := dynamic.NewReader(rec, dynamic.WithThreads())
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

// slice is a span or an instant as Perfetto has it.
type slice struct {
	name            string
	ts, dur         uint64
	tid, pid, depth int
}

// expected returns what a timeline has. A span whose begin was not recorded begins after what came before it on its track.
func expected(t *testing.T, rec record.Recording) map[slice]int {
	t.Helper()
	tl, err := timeline.New(newReader(t, rec))
	if err != nil {
		t.Fatal(err)
	}
	type begun struct {
		name string
		at   uint64
	}
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
			open[track] = append(open[track], begun{it.Name.Text, time})
			last[track] = time
		case timeline.End:
			n := len(open[track]) - 1
			b := open[track][n]
			open[track] = open[track][:n]
			all[slice{name: b.name, ts: b.at, dur: it.Time - b.at, depth: n}]++
		}
		last[track] = max(last[track], it.Time)
	}
	return all
}

// TestPerfetto: Perfetto has every span and instant of the timeline, with its time, length and nesting.
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
						s := slice{name: fmt.Sprint(row[0]), ts: n[0] + header.Metadata.Start, dur: n[1], depth: int(n[2])}
						at := s
						if want[s] == 0 && s.dur == 0 { // an instant
							at.depth = -1
						}
						if want[at]--; want[at] < 0 && bad < 10 {
							bad++
							t.Errorf("Perfetto has %+v", s)
						}
					}
					for _, s := range slices.SortedFunc(maps.Keys(want), func(a, b slice) int { return int(a.ts - b.ts) }) {
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
