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

// TestCounts compares the number of records of each type with perf's counts. Times ascend.
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

// TestParts: the parts of a sample end where the sample ends. If its last word is missing, they do
// not fit.
func TestParts(t *testing.T) {
	samples := append(perftest.All(t), perftest.Samples(t, perftest.Made)...)
	n := 0
	for _, s := range samples {
		r, err := open(s)
		if err != nil {
			t.Fatal(err)
		}
		m := r.Merge(record.Options{})
		for _, e := range m.All() {
			a := e.Event.Attr
			if a == nil || a.SampleType&perf.HasAux != 0 {
				continue
			}
			var p perf.Parts
			if !e.Parts(&p) {
				t.Fatalf("%s: the parts of a sample of %s at %d do not fit", s.Name, e.Event.Name, e.Offset)
			}
			if n++; n%16 != 0 && s.Group != perftest.Made {
				continue
			}
			for cut := *e; len(cut.Body) > 0; {
				cut.Body = cut.Body[:len(cut.Body)-1]
				if cut.Parts(&p) {
					t.Fatalf("%s: %d of %d bytes of a sample of %s at %d have its parts", s.Name, len(cut.Body),
						len(e.Body), e.Event.Name, e.Offset)
				}
			}
		}
		r.Close()
	}
	t.Logf("%d samples", n)
}
