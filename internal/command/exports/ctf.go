package exports

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/ctf"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
)

// writeCTF writes a recording to a directory.
func writeCTF(cmd *cobra.Command, paths []string, o *command.ExportOptions) error {
	if o.Output == "" || o.Output == "-" {
		return report.Usagef("--to ctf writes a folder: -o DIR")
	}
	if len(paths) > 1 {
		return report.Usagef("--to ctf: want one recording, whose streams become the files of the folder")
	}
	if err := command.KeepInputs(cmd, "-o", o.Output, paths...); err != nil {
		return err
	}
	return command.Work(cmd, paths[0], func(ctx context.Context, job *report.Job) (err error) {
		defer command.WatchSilent(cmd, job)()
		rec, r, err := job.Events(ctx, &o.Choice, tracec.WithThreads())
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rec.Close()) }()
		options := ctf.Options{Version: o.CTFVersion, Text: o.Text, Tracer: sources.Of(rec).Name, Tool: o.Tool}
		gaps, err := ctf.Write(o.Output, r, options)
		if errors.Is(err, ctf.ErrTaken) {
			return &report.UsageError{Err: err}
		}
		if gaps > 0 {
			job.Warn(fmt.Errorf("unknown numbers of events were lost in %s: packet_seq_num skips a packet there",
				command.Amount(gaps, "place")))
		}
		err = command.TellExport(ctx, job, rec, r, &o.Choice, err)
		if err == nil || errors.Is(err, report.ErrDamaged) {
			command.SayWrote(cmd, o.Output,
				command.Amount(r.Count(), "event")+"; babeltrace2, Trace Compass and tracec report read it")
		}
		return err
	})
}
