package exports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

// parquetMemory is the memory of the process above which the garbage collector works harder. It is
// twice the memory of a data set for most recordings. GOMEMLIMIT sets another limit.
const parquetMemory = 100 << 20

// writeParquet writes all recordings to one data set.
func writeParquet(cmd *cobra.Command, paths []string, o *command.ExportOptions) error {
	if o.Output == "" || o.Output == "-" {
		return report.Usagef("--to parquet writes a folder: -o DIR")
	}
	if err := command.KeepInputs(cmd, "-o", o.Output, paths...); err != nil {
		return err
	}
	if slices.Contains(paths, "-") {
		return report.Usagef("a data set is made of files, not of standard input: a recording in it is known by its path and contents")
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(parquetMemory))
	}
	var sources []parquet.Source
	damaged := false
	for _, path := range paths {
		sources = append(sources, parquetSource(cmd, path, o, &damaged))
	}
	if c := &o.Choice; o.Tables && (len(c.Events)+len(c.Filters)+len(c.Tasks) > 0 || c.Limit > 0) {
		command.NewJob(cmd, "").Note("--tables: -e, -F, --pid and --limit select events, but not the rows of these tables")
	}
	wrote := parquetWrote{unit: "event"}
	if o.Tables {
		wrote.unit = "row"
	}
	m, err := parquet.Write(cmd.Context(), o.Output, sources, parquet.Options{
		Wide: o.Wide, Tables: o.Tables, Text: o.Text, Host: o.Host, Resume: o.Resume, Workers: o.Workers, Tool: o.Tool,
		Warn: command.NewJob(cmd, "").Warn, Done: wrote.add,
	})
	if errors.Is(err, parquet.ErrHeld) || errors.Is(err, parquet.ErrUnfinished) {
		return fmt.Errorf("%w; --resume continues it", err)
	}
	if wrote.count(m); err == nil || wrote.files+wrote.had > 0 {
		command.SayWrote(cmd, o.Output, wrote.String())
	}
	if err == nil && damaged {
		err = report.ErrDamaged
	}
	return err
}

// parquetSource returns the source of a recording. It sets damaged if the recording is damaged.
func parquetSource(cmd *cobra.Command, path string, o *command.ExportOptions, damaged *bool) parquet.Source {
	var walk func() *tables.Walk
	return parquet.Source{
		Path: path, Chosen: o.Choice.Chosen(),
		Open: func(ctx context.Context) (*tracec.Reader, io.Closer, error) {
			job := command.NewJob(cmd, path)
			stop := command.WatchSilent(cmd, job)
			c, err := job.Choose(ctx, &o.Choice)
			if err != nil {
				stop()
				return nil, nil, job.Finish(err)
			}
			r, err := job.Read(c, tracec.WithThreads())
			if err != nil {
				stop()
				return nil, nil, job.Finish(err)
			}
			walk = func() *tables.Walk { return walkOf(job, c) }
			return r, &parquetInput{ctx: ctx, job: job, rec: c.Recording, r: r, o: &o.Choice, stop: stop,
				damaged: damaged}, nil
		},
		Walk: func(*tracec.Reader) *tables.Walk { return walk() },
	}
}

// parquetWrote counts the written data set.
type parquetWrote struct {
	unit               string // unit of rows
	files, rows, bytes int64
	had                int64 // number of recordings that it already held
	ids                map[string]bool
}

func (w *parquetWrote) add(e *parquet.Entry, had bool) {
	if had {
		w.had++
		return
	}
	if w.ids == nil {
		w.ids = map[string]bool{}
	}
	w.ids[e.ID] = true
	w.rows += e.Rows
}

// count counts the written files with rows. Several recordings may share one.
func (w *parquetWrote) count(m *parquet.Manifest) {
	if m == nil {
		return
	}
	seen := map[string]bool{}
	for _, e := range m.Sources {
		for _, f := range e.Files {
			if w.ids[e.ID] && !seen[f.Path] {
				seen[f.Path] = true
				w.files++
				w.bytes += f.Bytes
			}
		}
	}
}

// String describes the data set.
func (w *parquetWrote) String() string {
	text := command.Amount(w.files, "file") + ", " + command.Amount(w.rows, w.unit) + ", " + command.BytesText(w.bytes)
	if w.had > 0 {
		text += "; skipped " + command.Amount(w.had, "recording") + " that it holds"
	}
	return text
}

// parquetInput is an open recording.
type parquetInput struct {
	ctx     context.Context
	job     *report.Job
	rec     record.Recording
	r       *tracec.Reader
	o       *report.Options
	stop    func()
	damaged *bool
}

// Close reports data that could not be read.
func (p *parquetInput) Close() error {
	p.stop()
	err := command.TellExport(p.ctx, p.job, p.rec, p.r, p.o, nil)
	err = p.job.Finish(errors.Join(err, p.rec.Close()))
	if errors.Is(err, report.ErrDamaged) {
		*p.damaged, err = true, nil
	}
	return err
}
