package command

import (
	"context"
	"errors"
	"io"
	"math"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

// parquetMemory is how much the process takes before the garbage collector works harder: twice what a data set needs for most recordings. GOMEMLIMIT sets
// another limit.
const parquetMemory = 100 << 20

// exportParquet writes all recordings to one data set.
func exportParquet(cmd *cobra.Command, args []string, o *exportOptions) error {
	if o.output == "" || o.output == "-" {
		return usagef("--to parquet writes a folder: -o DIR")
	}
	if err := keepInputs(cmd, "-o", o.output, args...); err != nil {
		return err
	}
	if slices.Contains(args, "-") {
		return usagef("a data set is made of files, not of standard input: a recording in it is known by its path and contents")
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(parquetMemory))
	}
	var sources []parquet.Source
	damaged := false
	for _, path := range args {
		sources = append(sources, parquet.Source{Path: path, Chosen: o.choice.Chosen(), Open: func(ctx context.Context) (*dynamic.Reader, io.Closer, error) {
			job := newJob(cmd, path)
			stop := watchSilent(cmd, job)
			rec, r, err := job.Events(ctx, &o.choice, dynamic.WithThreads())
			if err != nil {
				stop()
				return nil, nil, job.Finish(err)
			}
			return r, &parquetInput{ctx: ctx, job: job, rec: rec, r: r, o: &o.choice, stop: stop, damaged: &damaged}, nil
		}})
	}
	o.set.Workers, o.set.Tool = o.workers, "tracec "+version()
	o.set.Warn = newJob(cmd, "").Warn
	var wrote parquetWrote
	o.set.Done = wrote.add
	_, err := parquet.Write(cmd.Context(), o.output, sources, o.set)
	if err == nil || wrote.files+wrote.had > 0 {
		sayWrote(cmd, o.output, wrote.String())
	}
	if err == nil && damaged {
		err = report.ErrDamaged
	}
	return err
}

// parquetWrote is what was written of a data set.
type parquetWrote struct {
	files, rows, bytes int64
	had                int64 // recordings that it held before
}

func (w *parquetWrote) add(e *parquet.Entry, had bool) {
	if had {
		w.had++
		return
	}
	w.files += int64(len(e.Files))
	w.rows += e.Rows
	for _, f := range e.Files {
		w.bytes += f.Bytes
	}
}

// String returns it in words.
func (w *parquetWrote) String() string {
	text := amount(w.files, "file") + ", " + amount(w.rows, "event") + ", " + bytesText(w.bytes)
	if w.had > 0 {
		text += "; skipped " + amount(w.had, "recording") + " that it holds"
	}
	return text
}

// parquetInput is an open recording.
type parquetInput struct {
	ctx     context.Context
	job     *report.Job
	rec     record.Recording
	r       *dynamic.Reader
	o       *report.Options
	stop    func()
	damaged *bool
}

// Close says what could not be read.
func (p *parquetInput) Close() error {
	p.stop()
	err := tellExport(p.ctx, p.job, p.rec, p.r, p.o, nil)
	err = p.job.Finish(errors.Join(err, p.rec.Close()))
	if errors.Is(err, report.ErrDamaged) {
		*p.damaged, err = true, nil
	}
	return err
}
