package babeltrace

import (
	"context"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
)

// PrintMetadata prints the text of the metadata of a job with one trace.
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
