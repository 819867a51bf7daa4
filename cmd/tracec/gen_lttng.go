package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/runtime/lttng"
)

// markers is gen for a trace of LTTng: all events that it describes.
func (o *genOptions) markers(ctx context.Context, cmd *cobra.Command, job *report.Job) error {
	if err := o.checkRecorded("markers", "traces of LTTng"); err != nil {
		return err
	}
	opened, err := textdump.Open(ctx, job)
	if err != nil {
		return err
	}
	defer opened.Close()
	rec, dir := opened.Recording, job.Path
	if err := textdump.Catalog(rec).CheckEvents("-events", o.events); err != nil {
		return err
	}
	match, err := report.EventMatcher(o.events)
	if err != nil {
		return usageError(err)
	}
	markers, errs := gen.RecordedMarkers(rec, match)
	o.tellMarkers(cmd, rec, markers, errs)
	if len(markers) == 0 {
		return fmt.Errorf("%s: the trace describes no marker", dir)
	}
	source, target := sourceName([]string{dir}), recorded.Target(recorded.Traces(rec)[0].Info())
	if o.dump == "ir" {
		var payloads []*gen.Payload
		for _, m := range markers {
			payloads = append(payloads, m.Payload)
		}
		err = dumpPayloads(cmd, "lttng", source, target, payloads)
	} else {
		err = o.emit(cmd, func(opts gen.Options) ([]gen.File, error) { return gen.GenerateMarkers(source, target, markers, opts) })
	}
	if err == nil && (len(errs) > 0 || rec.DamageStats().Count > 0) {
		err = report.ErrDamaged
	}
	return err
}

// tellMarkers prints what was left out and, when asked for, the markers.
func (o *genOptions) tellMarkers(cmd *cobra.Command, rec *lttng.Recording, markers []gen.Marker, errs []error) {
	w := cmd.ErrOrStderr()
	o.tellRecorded(w, rec, errs)
	if !o.verbose {
		return
	}
	fields := 0
	for _, m := range markers {
		n := 0
		if m.Payload != nil {
			n = len(m.Payload.Event.Values)
		}
		fields += n
		name := m.Name
		if m.Channel != "" {
			name = m.Channel + "." + m.Name
		}
		fmt.Fprintf(w, "%s: %d fields\n", name, n)
	}
	fmt.Fprintf(w, "%d markers, %d fields\n", len(markers), fields)
}
