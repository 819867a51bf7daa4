package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

// parquetCommand is the command that has what writes Parquet files: its library would triple the modules of those who build tracec.
const parquetCommand = "tracec-parquet"

// ParquetSource is a recording that becomes part of a data set.
type ParquetSource struct {
	Path   string
	Chosen string // what options choose of it, as on a command line
	// Open opens it. The closer says what is damaged.
	Open func(context.Context) (*dynamic.Reader, io.Closer, error)
}

// ParquetOptions are the options of tracec export that say how a data set is written.
type ParquetOptions struct {
	Wide, Text, Resume bool
	Host               string
	Workers            int // 0: as many as there are processors
	Tool               string
	Warn               func(error)
}

// Parquet writes recordings to a data set in a folder.
type Parquet func(ctx context.Context, dir string, sources []ParquetSource, o ParquetOptions) error

// parquet is what Main was given; nil in the command that lacks it.
var parquet Parquet

// exportParquet writes all recordings to one data set.
func exportParquet(cmd *cobra.Command, args []string, o *exportOptions) error {
	if o.output == "" || o.output == "-" {
		return usagef("--to parquet writes a folder: -o DIR")
	}
	if err := keepInputs(cmd, "-o", o.output, args...); err != nil {
		return err
	}
	if parquet == nil {
		return runParquet(cmd)
	}
	var sources []ParquetSource
	damaged := false
	for _, path := range args {
		sources = append(sources, ParquetSource{Path: path, Chosen: o.choice.Chosen(), Open: func(ctx context.Context) (*dynamic.Reader, io.Closer, error) {
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
	err := parquet(cmd.Context(), o.output, sources, o.set)
	if err == nil && damaged {
		err = report.ErrDamaged
	}
	return err
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

// childExit is the exit code of a command that has said itself what was wrong.
type childExit int

func (c childExit) Error() string { return fmt.Sprintf("%s: exit code %d", parquetCommand, int(c)) }

// runParquet runs the command that has the library, with the same arguments.
func runParquet(cmd *cobra.Command) error {
	path, err := findParquet()
	if err != nil {
		return err
	}
	child := exec.CommandContext(cmd.Context(), path, os.Args[1:]...)
	child.Stdin, child.Stdout, child.Stderr = cmd.InOrStdin(), os.Stdout, os.Stderr
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = 2 * time.Second
	var exit *exec.ExitError
	if err = child.Run(); errors.As(err, &exit) && exit.ExitCode() >= 0 {
		return childExit(exit.ExitCode())
	}
	return err
}

// findParquet finds the command beside this one, or where the system looks for commands.
func findParquet() (string, error) {
	name := parquetCommand
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(self), name); isExecutable(beside) {
			return beside, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("--to parquet needs the command %s beside tracec or in the path; it is in every release, and built by\n  go install %s@latest",
			parquetCommand, "github.com/tracec/tracec/export/parquet/"+parquetCommand)
	}
	return path, nil
}

func isExecutable(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular() && (runtime.GOOS == "windows" || st.Mode()&0o111 != 0)
}
