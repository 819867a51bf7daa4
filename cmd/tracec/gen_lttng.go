package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/lttng/recorded"
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
	unit, errs := recorded.Unit(rec, match)
	o.tellMarkers(cmd, rec, unit, errs)
	if len(unit.Events) == 0 {
		return fmt.Errorf("%s: the trace describes no marker", dir)
	}
	return o.generateRecorded(cmd, rec, dir, unit, errs)
}

// tellMarkers prints what was left out and, when asked for, the markers.
func (o *genOptions) tellMarkers(cmd *cobra.Command, rec *lttng.Recording, unit *ir.Unit, errs []error) {
	w := cmd.ErrOrStderr()
	o.tellRecorded(w, rec, errs)
	if !o.verbose {
		return
	}
	fields := 0
	for _, m := range unit.Events {
		fields += len(m.Values)
		name := m.Name
		if m.Group != "" {
			name = m.Group + "." + m.Name
		}
		fmt.Fprintf(w, "%s: %d fields\n", name, len(m.Values))
	}
	fmt.Fprintf(w, "%d markers, %d fields\n", len(unit.Events), fields)
}
