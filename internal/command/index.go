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
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/record"
)

func newIndex() *cobra.Command {
	var o indexOptions
	cmd := &cobra.Command{
		Use:  "index",
		Args: Some("recording", "tracec index trace.dat"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.check, "check", false, "compare the index with the recording")
	f.BoolVar(&o.remove, "remove", false, "remove the index")
	excludes(f, "check", "remove")
	OutputFlags(cmd, JSONPart)
	RecordingFlags(cmd)
	return cmd
}

// indexOptions are the flags of index.
type indexOptions struct{ check, remove bool }

func (o *indexOptions) run(cmd *cobra.Command, args []string) error {
	doc := facts.Document[*indexFacts]{Schema: facts.Schema("index"), Tracec: Version(), Recordings: []*indexFacts{}}
	err := EachFile(cmd, args, func(ctx context.Context, job *report.Job) error {
		if o.remove {
			return removeIndex(ctx, job)
		}
		defer WatchSilent(cmd, job)()
		f, err := writeIndex(ctx, cmd, job, o.check)
		if f != nil {
			doc.Recordings = append(doc.Recordings, f)
		}
		return err
	})
	if AsJSON(cmd) && (len(doc.Recordings) > 0 || err == nil) {
		err = errors.Join(facts.Write(cmd.OutOrStdout(), doc), err)
	}
	return err
}

// indexFacts is the JSON output for an index.
type indexFacts struct {
	facts.Recording
	Index   string `json:"index"` // path of the index file
	Parts   int64  `json:"parts"`
	Records int64  `json:"records"`
	Bytes   int64  `json:"bytes"`
}

// openPlain opens a recording without its index. It rejects a pipe, which has no index. Opening it
// would wait for a writer.
func openPlain(ctx context.Context, job *report.Job) (*sources.Source, record.Recording, error) {
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
	rec, err := sys.Open(ctx, &job.Job)
	return sys, rec, err
}

// writeIndex writes the index of a recording, or compares the existing index.
func writeIndex(ctx context.Context, cmd *cobra.Command, job *report.Job, check bool) (*indexFacts, error) {
	sys, rec, err := openPlain(ctx, job)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	lists, ok := rec.(index.Source)
	if !ok {
		why := ""
		if sys.NoIndex != "" {
			why = ": " + sys.NoIndex
		}
		return nil, usagef("%s: recordings of %s cannot have an index%s", job.Path, sys.Title, why)
	}
	x, err := lists.Index(ctx)
	if err != nil {
		return nil, report.Tell(job, rec, fmt.Errorf("%s: %w", job.Path, err))
	}
	name := index.Name(rec.Name())
	if !check {
		if err := KeepInputs(cmd, "index:", name, rec.Name()); err != nil {
			return nil, err
		}
		tellParts(cmd, name)
	}
	b, err := x.AppendBinary(nil)
	if err != nil {
		return nil, report.Tell(job, rec, err)
	}
	f := &indexFacts{Index: name, Parts: int64(x.Parts()), Records: int64(x.Records()), Bytes: int64(len(b))}
	if check {
		err = checkIndex(cmd, rec.Name(), x, b)
	} else if err = fileset.Replace(name, b); err == nil {
		SayWrote(cmd, name, fmt.Sprintf("%s with %s%s (%.2f %% of the recording)",
			Amount(int64(x.Parts()), "part"), Amount(int64(x.Records()), "record"), sizeOnDisk(name),
			100*float64(len(b))/float64(max(x.Size, 1))))
	}
	if err = report.Tell(job, rec, err); err != nil && !errors.Is(err, report.ErrDamaged) {
		return nil, err
	}
	f.Recording = facts.Of(job.Path, sys.Name, rec)
	return f, err
}

// checkIndex compares the stored index with the expected one.
func checkIndex(cmd *cobra.Command, path string, want *index.Index, is []byte) error {
	name := index.Name(path)
	b, err := index.Read(name, want.Size)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(cmd.ErrOrStderr(), "tracec: %s: has no index; tracec index %s writes one\n", path, path)
		return report.ErrDamaged
	}
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
		return fmt.Errorf("%s: %w: it differs from the recording", name, index.ErrCorrupt)
	}
	if AsJSON(cmd) {
		return nil
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s with %s are as in the index\n", name,
		Amount(int64(x.Parts()), "part"),
		Amount(int64(x.Records()), "record"))
	return err
}

// removeIndex removes the index of a path, which need not be a recording any more. If the path is a
// directory that contains the recording, that recording is opened.
func removeIndex(ctx context.Context, job *report.Job) error {
	err := os.Remove(index.Name(job.Path))
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, rec, err := openPlain(ctx, job)
	if err != nil {
		return err
	}
	defer rec.Close()
	if err = os.Remove(index.Name(rec.Name())); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: has no index", rec.Name())
	}
	return err
}
