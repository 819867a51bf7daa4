package beam

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // for paths without a scheme
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

func init() {
	register.Function3x1(match)
	register.Emitter1[string]()
}

// Match returns the paths that a glob matches in the file system of its scheme, as a PCollection of
// strings. The pipeline fails if there is no match.
func Match(s beam.Scope, glob string) beam.PCollection {
	filesystem.ValidateScheme(glob)
	s = s.Scope("tracec.Match")
	return beam.ParDo(s, match, beam.Create(s, glob))
}

func match(ctx context.Context, glob string, emit func(string)) error {
	fs, err := filesystem.New(ctx, glob)
	if err != nil {
		return err
	}
	defer fs.Close()
	found, err := fs.List(ctx, glob)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("%s: no recordings", glob)
	}
	for _, name := range found {
		emit(name)
	}
	return nil
}

// fetch returns a local path with the contents of a path in any file system of Beam, and a function
// that removes the local file if it is a copy.
func fetch(ctx context.Context, name string) (local string, remove func(), err error) {
	if !strings.Contains(name, "://") {
		return name, func() {}, nil
	}
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return "", nil, err
	}
	defer fs.Close()
	from, err := fs.OpenRead(ctx, name)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", name, err)
	}
	defer from.Close()
	dir, err := os.MkdirTemp("", "tracec-beam-")
	if err != nil {
		return "", nil, err
	}
	local = filepath.Join(dir, path.Base(name))
	if err := save(local, from); err != nil {
		os.RemoveAll(dir)
		return "", nil, fmt.Errorf("%s: %w", name, err)
	}
	return local, func() { os.RemoveAll(dir) }, nil
}

// renamed replaces the path of a fetched copy in a text by the original path.
func renamed(text, local, path string) string {
	if local == path {
		return text
	}
	return strings.ReplaceAll(text, local, path)
}

// save writes a file.
func save(name string, from io.Reader) error {
	to, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// opened is a recording, opened in the same way as by tracec export.
type opened struct {
	*tracec.Reader
	job *report.Job
}

// open opens a local recording with the selection of o, until the context is done. Damage of its
// archive goes to warn.
func open(ctx context.Context, local string, o record.Options, warn func(error)) (*opened, error) {
	job := &report.Job{Job: sources.Job{Path: local, Warn: warn}, Out: io.Discard}
	choice, err := job.Choose(ctx, &report.Options{})
	if err != nil {
		return nil, job.Finish(err)
	}
	o.Context = ctx
	r, err := choice.Reader(o, tracec.WithThreads())
	if err != nil {
		return nil, job.Finish(errors.Join(err, choice.Recording.Close()))
	}
	return &opened{r, job}, nil
}

// Close implements io.Closer. Damage is not an error, since warn has received it.
func (o *opened) Close() error {
	err := o.job.Finish(o.Recording().Close())
	if errors.Is(err, report.ErrDamaged) {
		return nil
	}
	return err
}
