package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/fileset"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/record"
)

func newIndex() *cobra.Command {
	var check, remove bool
	cmd := &cobra.Command{
		Use:  "index",
		Args: one("recording", "tracec index trace.dat"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case remove:
				return removeIndex(cmd, args[0])
			}
			return work(cmd, args[0], func(ctx context.Context, job *report.Job) error {
				defer watchSilent(cmd, job)()
				return writeIndex(ctx, cmd, job, check)
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&check, "check", false, "compare the index with the recording")
	f.BoolVar(&remove, "remove", false, "remove the index")
	excludes(f, "check", "remove")
	recordingFlags(cmd)
	return cmd
}

// openPlain opens a recording without its index. A pipe, which has none, would wait for a writer.
func openPlain(ctx context.Context, job *report.Job) (*report.System, record.Recording, error) {
	if job.Opening.Formats != "" {
		return nil, nil, usagef("--formats: raw data of one CPU has no index; index the recording that it is of")
	}
	if st, err := os.Stat(job.Path); err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		return nil, nil, fmt.Errorf("%s: %w", job.Path, index.ErrNone)
	}
	sys, err := job.Find(ctx)
	if err != nil {
		return nil, nil, err
	}
	job.NoIndex = true
	rec, err := sys.Open(ctx, job)
	return sys, rec, err
}

// writeIndex writes the index of a recording, or compares the one that is there.
func writeIndex(ctx context.Context, cmd *cobra.Command, job *report.Job, check bool) error {
	sys, rec, err := openPlain(ctx, job)
	if err != nil {
		return err
	}
	defer rec.Close()
	lists, ok := rec.(index.Source)
	if !ok {
		return fmt.Errorf("%s: a recording of %s has no index: see tracec index --help", job.Path, sys.Title)
	}
	x, err := lists.Index(ctx)
	if err != nil {
		return report.Tell(job, rec, fmt.Errorf("%s: %w", job.Path, err))
	}
	name := index.Name(rec.Name())
	if check {
		return report.Tell(job, rec, checkIndex(cmd, name, x))
	}
	if err := keepInputs(cmd, "index:", name, rec.Name()); err != nil {
		return err
	}
	b, err := x.AppendBinary(nil)
	if err == nil {
		err = fileset.Replace(name, b)
	}
	if err == nil {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %d parts with %d records, %d bytes (%.2f %% of the recording)\n",
			name, x.Parts(), x.Records(), len(b), 100*float64(len(b))/float64(max(x.Size, 1)))
	}
	return report.Tell(job, rec, err)
}

// checkIndex compares an index with what it should be.
func checkIndex(cmd *cobra.Command, name string, want *index.Index) error {
	b, err := index.Read(name, want.Size)
	if err != nil {
		return err
	}
	is, err := want.AppendBinary(nil)
	if err != nil {
		return err
	}
	x, err := index.Parse(b)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case x.Size != want.Size || x.Probe != want.Probe || !x.Modified.Equal(want.Modified):
		return fmt.Errorf("%s: %w", name, index.ErrStale)
	case !bytes.Equal(b, is):
		return fmt.Errorf("%s: %w: it says something else than the recording", name, index.ErrCorrupt)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d parts with %d records are as it says\n", name, x.Parts(), x.Records())
	return err
}

// removeIndex removes the index of a recording, which need not be one any more. Where the path leads to a directory that has the recording in it, that is opened.
func removeIndex(cmd *cobra.Command, path string) error {
	err := os.Remove(index.Name(path))
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return work(cmd, path, func(ctx context.Context, job *report.Job) error {
		_, rec, err := openPlain(ctx, job)
		if err != nil {
			return err
		}
		defer rec.Close()
		if err = os.Remove(index.Name(rec.Name())); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: it has no index", rec.Name())
		}
		return err
	})
}
