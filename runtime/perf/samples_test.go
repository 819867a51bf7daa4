package perf_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

func open(t testing.TB, s *perftest.Sample) (*perf.Recording, error) {
	if s.Dir != nil {
		return perf.OpenFS(s.Dir, s.Name)
	}
	return perf.OpenReaderAt(bytes.NewReader(s.Data), int64(len(s.Data)), s.Name)
}

var counted = regexp.MustCompile(`(?m)^ +(\w+) events: +(\d+) `)

// TestCounts compares the number of records of each type with what perf counts.
func TestCounts(t *testing.T) {
	for _, s := range perftest.Samples(t) {
		r, err := open(t, s)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		counts := map[string]int{}
		m := r.Merge(record.Options{})
		last := uint64(0)
		for x, e := range m.All() {
			counts[strings.TrimPrefix(kind(e), "PERF_RECORD_")]++
			if x.Time < last {
				t.Errorf("%s: %d after %d", s.Name, x.Time, last)
			}
			last = x.Time
		}
		if err := m.Err(); err != nil {
			t.Error(s.Name, err)
		}
		for _, d := range r.Damage() {
			t.Logf("%s: %v", s.Name, d)
		}
		text, ok := s.Text(t, "stats.txt")
		if !ok {
			t.Log(s.Name, "no stats")
			continue
		}
		head, _, _ := strings.Cut(text, " stats:\n ")
		_ = head
		for _, f := range counted.FindAllStringSubmatch(text, -1) {
			n, _ := strconv.Atoi(f[2])
			if f[1] == "TOTAL" || strings.HasPrefix(f[1], "COMPRESSED") {
				continue
			}
			if counts[f[1]] != n {
				t.Errorf("%s: %s %d, perf %d", s.Name, f[1], counts[f[1]], n)
			}
		}
		r.Close()
	}
}

func kind(e *perf.Entry) string {
	if e.Event.Attr != nil {
		return "SAMPLE"
	}
	return fmt.Sprint(e.Event.Name)
}
