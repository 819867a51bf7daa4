package perf_test

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

func open(s *perftest.Sample) (*perf.Recording, error) {
	if s.Dir != nil {
		return perf.OpenFS(s.Dir, s.Name)
	}
	return perf.OpenReaderAt(bytes.NewReader(s.Data), int64(len(s.Data)), s.Name)
}

var counted = regexp.MustCompile(`(?m)^ +(\w+) events: +(\d+) `)

// TestCounts compares the number of records of each type with what perf counts. Times ascend.
func TestCounts(t *testing.T) {
	for _, s := range perftest.All(t) {
		t.Run(s.Group+"/"+s.Name, func(t *testing.T) {
			r, err := open(s)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			counts, last := map[string]int{}, uint64(0)
			m := r.Merge(record.Options{})
			for x, e := range m.All() {
				counts[kind(e)]++
				if x.Time < last {
					t.Errorf("%d after %d", x.Time, last)
				}
				last = x.Time
			}
			if err := m.Err(); err != nil {
				t.Error(err)
			}
			for _, f := range counted.FindAllStringSubmatch(s.Texts["stats.txt"], -1) {
				n, _ := strconv.Atoi(f[2])
				if f[1] == "TOTAL" || strings.HasPrefix(f[1], "COMPRESSED") {
					continue
				}
				if counts[f[1]] != n {
					t.Errorf("%s %d, perf %d", f[1], counts[f[1]], n)
				}
			}
		})
	}
}

func kind(e *perf.Entry) string {
	if e.Event.Attr != nil {
		return "SAMPLE"
	}
	return strings.TrimPrefix(e.Event.Name, "PERF_RECORD_")
}
