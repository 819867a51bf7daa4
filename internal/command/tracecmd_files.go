package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
)

// fileInput is the recording that a command of trace-cmd reads: the value of -i, or the last
// argument, or trace.dat.
type fileInput struct{ path string }

func (f *fileInput) define(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.path, "input", "i", "", "read `FILE` (default trace.dat)")
}

// choose takes the file from the arguments unless -i was given.
func (f *fileInput) choose(args []string) error {
	switch {
	case len(args) > 0 && f.path != "":
		return usagef("%q: give the recording either by -i or as the last argument", args[0])
	case len(args) > 1:
		return usagef("%q: only one recording can be read", args[1])
	case len(args) > 0:
		f.path = args[0]
	case f.path == "":
		f.path = "trace.dat"
		return defaultFile(f.path, "tracec trace-cmd COMMAND -i FILE")
	}
	return nil
}

// defaultFile returns the error for a missing default file of a tool.
func defaultFile(name, example string) error {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: no such file (the default); %s", name, example)
	}
	return nil
}

// run opens the recording for do, with a progress bar from watch or WatchSilent.
func (f *fileInput) run(
	cmd *cobra.Command, watch func(*cobra.Command, *report.Job) (stop func()),
	do func(context.Context, *ftrace.Recording, *report.Job) error,
) error {
	return Work(cmd, f.path, func(ctx context.Context, job *report.Job) error {
		defer watch(cmd, job)()
		rec, err := sources.OpenFTrace(ctx, &job.Job, job.Path, job.Memory)
		if err != nil {
			return err
		}
		return errors.Join(do(ctx, rec, job), rec.Close())
	})
}
