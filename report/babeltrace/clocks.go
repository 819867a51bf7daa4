package babeltrace

import (
	"context"
	"fmt"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// checkClocks returns an error if times of two streams cannot be compared, because the origins of
// their clocks are not known to be one (docs/spec/ctf.md 7.5).
func checkClocks(ctx context.Context, job *report.Job) error {
	rec, err := sources.OpenCTF(ctx, &job.Job)
	if err != nil {
		return err
	}
	defer rec.Close()
	var first *metadata.Clock
	var in *ctf.Trace
	for _, t := range rec.Traces() {
		for _, s := range t.Streams {
			switch c := s.Clock; {
			case c == nil:
			case first == nil:
				first, in = c, t
			case !comparable(first, c):
				return fmt.Errorf("%s: the clocks of %s and %s have no common origin; --clock-force-correlate compares them", job.Path, in.Path, t.Path)
			}
		}
	}
	return nil
}

// comparable reports whether the times of two clocks count from one origin.
func comparable(a, b *metadata.Clock) bool {
	switch {
	case a == b || a.Unix && b.Unix:
		return true
	case a.Unix != b.Unix:
		return false
	case a.Origin != (metadata.Name{}) || b.Origin != (metadata.Name{}):
		return a.Origin == b.Origin
	}
	return a.Name.UID != "" && a.Name.UID == b.Name.UID
}

// PrintMetadata prints the text of the metadata of the one trace of a job.
func PrintMetadata(ctx context.Context, job *report.Job) error {
	rec, err := sources.OpenCTF(ctx, &job.Job)
	if err != nil {
		return err
	}
	defer rec.Close()
	if n := len(rec.Traces()); n != 1 {
		return report.Usagef("%s: it has %d traces, and the metadata of one can be printed", job.Path, n)
	}
	text, err := rec.MetadataText(rec.Traces()[0])
	if _, failed := job.Out.Write(text); err == nil {
		err = failed
	}
	return report.Tell(job, rec, err)
}
