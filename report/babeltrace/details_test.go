package babeltrace

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
)

// sampleJob returns the job of a sample, with buffers for its output and its messages.
func sampleJob(s *ctftest.Sample) (job *report.Job, out, said *bytes.Buffer) {
	out, said = &bytes.Buffer{}, &bytes.Buffer{}
	return &report.Job{Job: sources.Job{Path: ".", FS: s.Dir, Workers: 1,
		Warn: func(err error) { fmt.Fprintln(said, err) }}, Out: out}, out, said
}

var streamPlace = regexp.MustCompile(`(?m)^  Name: (?:/t/[^/]*|.*/report/babeltrace)/`)

// TestDetails prints all samples as sink.text.details of babeltrace2 2.1.2 did.
func TestDetails(t *testing.T) {
	equal, listed := 0, 0
	for _, group := range []string{"lttng", "perf", "babeltrace", "odd"} {
		for i, s := range ctftest.Samples(t, group) {
			want := s.Texts["details.txt"]
			if want == "" || !needs.LongProofs(t) && i%4 > 0 {
				continue
			}
			job, out, said := sampleJob(s)
			o := DefaultDetails()
			if err := job.Finish(PrintDetails(t.Context(), job, &o, &Graph{Force: true})); err != nil {
				fmt.Fprintln(said, err)
			}
			plain := func(text string) string { return streamPlace.ReplaceAllString(text, "  Name: ") }
			want, got := plain(want), plain(out.String())
			if want == got {
				equal++
				continue
			}
			if !listedDetails(s.Name, want, got, said.String()) {
				t.Errorf("%s/%s: %s\n%s", group, s.Name, firstDifferent(want, got), said)
			}
			listed++
		}
	}
	t.Logf("%d texts are equal, %d listed", equal, listed)
}

var (
	streamOf = regexp.MustCompile(`(?m)^  Name: .*\n`)
	// wrapped matches the losses of odd/lost-* where a counter wraps.
	wrapped = regexp.MustCompile(`(?s)\n\[39 cycles[^{]*\[49 cycles[^{]*{[^}]*}\nDiscarded events \(5 events\)\n|` +
		`\n\[59 cycles[^{]*\[60 cycles[^{]*{[^}]*}\nDiscarded packets \(1 packets\)\n`)
)

// listedDetails reports whether testdata/differences.md lists a difference.
func listedDetails(sample, want, got, said string) bool {
	match := func(glob string) bool { ok, _ := path.Match(glob, sample); return ok }
	switch {
	case match("*tracefile*"):
		return streamOf.ReplaceAllString(want, "") == streamOf.ReplaceAllString(got, "")
	case match("lost-?"):
		return wrapped.ReplaceAllString(got, "") == want
	case sample == "fail-magic-1":
		return strings.Contains(said, "the magic number is")
	}
	return strings.HasPrefix(got, want) && strings.Contains(said, "damaged")
}

func firstDifferent(want, ours string) string {
	a, b := strings.Split(want, "\n"), strings.Split(ours, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d of %d and %d\n- %.300s\n+ %.300s", i+1, len(a), len(b), a[i], b[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(a), len(b))
}
