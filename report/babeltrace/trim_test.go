package babeltrace

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTrim prints messages in windows as babeltrace2 does. Babeltrace2 prints messages of several
// streams at a bound in any order.
func TestTrim(t *testing.T) {
	at := func(ns int64) *Moment { return &Moment{ns: ns} }
	for _, x := range []struct {
		group, name, what string
		w                 Window
	}{
		{"lttng", "lttng-2.13.ust-discard", "begin", Window{Begin: at(1795738174_714100000)}},
		{"lttng", "lttng-2.13.ust-discard", "middle",
			Window{Begin: at(1795738174_604000000), End: at(1795738174_605000000)}},
		{"lttng", "lttng-2.13.ust-discard", "early", Window{End: at(1795738174_582200000)}},
		{"lttng", "lttng-2.13.ust-discard", "none", Window{Begin: at(1795738274_000000000)}},
		{"odd", "wrap-1", "end", Window{End: at(12757466_067647002)}},
		{"odd", "clock-32khz-1", "middle",
			Window{Begin: at(1700000000_003082274), End: at(1700030517_581176757)}},
	} {
		job, out, said := sampleJob(sample(t, x.group, x.name))
		o := DefaultDetails()
		o.Compact, o.Metadata, o.Old = true, false, true
		err := job.Finish(PrintDetails(t.Context(), job, &o, &Graph{Window: x.w, Force: true}))
		sorted := func(text string) []string { return slices.Sorted(strings.Lines(text)) }
		want := sorted(saved(t, "trim-"+x.name+"-"+x.what))
		if diff := cmp.Diff(want, sorted(out.String())); diff != "" || err != nil {
			t.Errorf("%s, %s: %v (-want +got):\n%s%s", x.name, x.what, err, diff, said)
		}
	}
	job, out, _ := sampleJob(sample(t, "odd", "no-clock-1"))
	err := job.Finish(Count(t.Context(), job, &CounterOptions{}, &Graph{Window: Window{Begin: at(1)}}))
	if err == nil || !strings.Contains(err.Error(), "have no clock") || out.Len() > 0 {
		t.Errorf("without a clock: %v, %q", err, out)
	}
}

// TestTrimOverlap prints the messages in the intersection of streams, with metadata.
func TestTrimOverlap(t *testing.T) {
	job, out, _ := sampleJob(sample(t, "babeltrace", "1-intersection-3eventsintersect"))
	o := DefaultDetails()
	o.Compact, o.Old = true, true
	err := job.Finish(PrintDetails(t.Context(), job, &o, &Graph{Window: Window{Overlap: true}}))
	want := saved(t, "trim-1-intersection-3eventsintersect-overlap")
	if diff := cmp.Diff(want, out.String()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
