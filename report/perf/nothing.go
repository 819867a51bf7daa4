package perf

import (
	"context"
	"fmt"
	"strings"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/perf"
)

// checkCPUs finds a selection of processors in a recording whose samples do not have them.
func (o *Options) checkCPUs(rec *perf.Recording) error {
	var has perf.SampleType
	for _, e := range rec.Attrs() {
		has |= e.Attr.SampleType
	}
	if o.CPUs != nil && len(rec.Attrs()) > 0 && has&perf.HasCPU == 0 {
		return fmt.Errorf("--cpu: no event of %s samples it", rec.Name())
	}
	return nil
}

// noteNothing reports that no event is of the selection.
func (o *Options) noteNothing(ctx context.Context, job *report.Job) {
	chosen := o.Chosen()
	words := []string{}
	if chosen != "" {
		words = append(words, chosen)
	}
	for _, c := range o.Comms {
		words = append(words, "--comms "+c)
	}
	for _, n := range o.PIDs {
		words = append(words, fmt.Sprint("--pid ", n))
	}
	for _, n := range o.TIDs {
		words = append(words, fmt.Sprint("--tid ", n))
	}
	if o.Times != "" {
		words = append(words, "--time "+o.Times)
	}
	switch all := strings.Join(words, " "); {
	case all == "":
	case all == chosen:
		job.Warn(job.Nothing(ctx, "event", &o.Options.Options))
	default:
		job.Warn(selection.Nothing(job.Path, "event", all))
	}
}
