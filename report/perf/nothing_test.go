package perf_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/perf"
)

// TestNothing selects events that a recording does not have. If no sample has a processor, perf 6.1
// refuses to select processors. In the other cases it prints nothing.
func TestNothing(t *testing.T) {
	for _, c := range []struct {
		sample string
		opts   perf.Options
		want   string
	}{
		{"clock.p61", perf.Options{Options: report.Options{Options: selection.Options{
			CPUs: selection.CPUSet{{First: 0, Last: 0}}}}}, "--cpu: no event of "},
		{"sched.p61", perf.Options{Options: report.Options{Options: selection.Options{
			CPUs: selection.CPUSet{{First: 9, Last: 9}}}}}, "no event matches --cpu 9"},
		{"sched.p61", perf.Options{Comms: []string{"nobody"}, PIDs: []int32{5}},
			"no event matches --comms nobody --pid 5"},
		{"sched.p61", perf.Options{Times: "5,6"}, "no event matches --time 5,6"},
		{"clock.p61", perf.Options{Fields: []string{"trace:time,event,trace"}}, ""},
		{"clock.p61", perf.Options{Fields: []string{"+addr", "comm,tid"}}, ""},
		{"clock.p61", perf.Options{Fields: []string{"comm,tid", "+addr"}}, "-F addr: no event of "},
		{"clock.p61", perf.Options{Fields: []string{"sw:comm,cpu"}}, "it is not printed"},
		{"clock.p61", perf.Options{Fields: []string{"sw:comm,trace"}}, "-F trace: no event of "},
	} {
		for _, s := range perftest.Samples(t, "amd64-6.18") {
			if s.Name == c.sample {
				if got := told(t, s, &c.opts); !strings.Contains(got, c.want) || c.want == "" && got != "" {
					t.Errorf("%s: %q, not %q", c.sample, got, c.want)
				}
			}
		}
	}
}

// told returns the messages of perf script.
func told(t *testing.T, s *perftest.Sample, o *perf.Options) string {
	path := filepath.Join(t.TempDir(), "perf.data")
	if err := os.WriteFile(path, s.Data, 0o666); err != nil {
		t.Fatal(err)
	}
	var out, said bytes.Buffer
	job := &report.Job{Out: &out, Job: sources.Job{
		Path: path, Warn: func(err error) { said.WriteString(err.Error()) },
	}}
	if err := perf.Script(context.Background(), job, o); err != nil {
		said.WriteString(err.Error())
	}
	return said.String()
}
