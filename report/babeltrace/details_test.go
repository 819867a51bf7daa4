package babeltrace

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
)

// sampleJob returns the job of a sample, with what it prints and says.
func sampleJob(s *ctftest.Sample) (job *report.Job, out, said *bytes.Buffer) {
	out, said = &bytes.Buffer{}, &bytes.Buffer{}
	return &report.Job{Job: sources.Job{Path: ".", FS: s.Dir, Workers: 1,
		Warn: func(err error) { fmt.Fprintln(said, err) }}, Out: out}, out, said
}

var streamPlace = regexp.MustCompile(`(?m)^  Name: (?:/t/[^/]*|.*/report/babeltrace)/`)

// TestDetails prints all samples as sink.text.details of babeltrace2 2.1.2 did.
func TestDetails(t *testing.T) {
	equal := 0
	for _, group := range []string{"lttng", "perf", "babeltrace", "odd"} {
		for i, s := range ctftest.Samples(t, group) {
			want := s.Texts["details.txt"]
			if want == "" || !needs.LongProofs(t) && i%4 > 0 {
				continue
			}
			job, out, said := sampleJob(s)
			o := DefaultDetails()
			if err := job.Finish(PrintDetails(t.Context(), job, &o, true)); err != nil {
				fmt.Fprintln(said, err)
			}
			plain := func(text string) string { return streamPlace.ReplaceAllString(text, "  Name: ") }
			if plain(want) != plain(out.String()) {
				t.Errorf("%s/%s: %s\n%s", group, s.Name, firstDifferent(plain(want), plain(out.String())), said)
				continue
			}
			equal++
		}
	}
	t.Logf("%d texts are equal", equal)
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
