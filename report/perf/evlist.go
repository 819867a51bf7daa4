package perf

import (
	"context"
	"slices"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/perf"
)

// Evlist prints the recorded events as perf evlist does. If verbose is set, it prints all
// attributes.
func Evlist(ctx context.Context, job *report.Job, like string, verbose bool) error {
	rec, err := sources.OpenPerf(ctx, &job.Job)
	if err != nil {
		return err
	}
	defer rec.Close()
	var out []byte
	style, big := likeOf(rec, like), rec.Machine().BigEndian
	for _, e := range rec.Attrs() {
		out = append(out, e.Name...)
		if verbose {
			out = appendAttr(append(out, ": "...), e, ": ", big, style)
		}
		out = append(out, '\n')
	}
	if slices.ContainsFunc(rec.Attrs(), (*perf.Event).IsTracepoint) {
		out = append(out, "# Tip: use 'perf evlist --trace-fields' to show fields for tracepoint events\n"...)
	}
	if len(rec.Info().Groups) > 0 && style.named {
		out = append(out, "# Tip: use 'perf evlist -g' to show group information\n"...)
	}
	_, err = job.Out.Write(out)
	return report.Tell(job, rec, err)
}
