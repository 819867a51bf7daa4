package beam

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/runtime/record"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&writeFn{})
	register.DoFn3x1[context.Context, []byte, func(*string) bool, error](&finishFn{})
	register.Iter1[string]()
}

// Options configure a data set. See the options of package parquet with the same names.
type Options struct {
	Wide, Text bool
	Host       string
	Tool       string
}

func (o *Options) parquet() parquet.Options {
	// Workers is 1, since Beam has a bundle for each processor.
	return parquet.Options{Wide: o.Wide, Text: o.Text, Host: o.Host, Tool: o.Tool, Workers: 1}
}

// WriteDataSet writes recordings, a PCollection of their paths, to the data set in a folder that
// all workers share. It continues an existing data set and skips recordings in its manifest. At the
// end, one worker writes the manifest.
func WriteDataSet(s beam.Scope, files beam.PCollection, dir string, o Options) {
	s = s.Scope("tracec.WriteDataSet")
	entries := beam.ParDo(s, &writeFn{dir, o}, beam.Reshuffle(s, files))
	beam.ParDo0(s, &finishFn{dir, o}, beam.Impulse(s), beam.SideInput{Input: entries})
}

// writeFn writes the files of a recording and emits its entry as JSON.
type writeFn struct {
	Dir     string
	Options Options
}

// ProcessElement is called for each path.
func (f *writeFn) ProcessElement(ctx context.Context, path string, emit func(string)) error {
	e, err := f.write(ctx, path)
	if err != nil {
		return err
	}
	if e == nil {
		return nil
	}
	for _, text := range e.Errors {
		log.Warn(ctx, text)
	}
	text, err := json.Marshal(e)
	if err == nil {
		emit(string(text))
	}
	return err
}

// write returns the entry of a recording, or nil if the manifest has it. Only temporary errors of
// the machine or of the data set's file system are returned. The runner then tries again.
func (f *writeFn) write(ctx context.Context, path string) (*parquet.Entry, error) {
	o := f.Options.parquet()
	if err := os.MkdirAll(f.Dir, 0o777); err != nil {
		return nil, err
	}
	old, err := manifest(f.Dir, o)
	if err != nil {
		return nil, err
	}
	local, remove, err := fetch(ctx, path)
	if err != nil {
		return unread(ctx, path, &f.Options, err)
	}
	defer remove()
	source := parquet.Source{Path: path, Open: func(ctx context.Context) (*tracec.Reader, io.Closer, error) {
		r, err := open(ctx, local, record.Options{},
			func(err error) { log.Warn(ctx, renamed(err.Error(), local, path)) })
		if err != nil {
			return nil, nil, err
		}
		return r.Reader, r, nil
	}}
	if source.Digest, err = parquet.DigestOf(ctx, local); err != nil {
		return unread(ctx, path, &f.Options, err)
	}
	id, err := source.ID(ctx, o)
	if err != nil {
		return nil, err
	}
	if e := old.Entry(id); e != nil && e.Whole() {
		return nil, nil
	}
	e, err := parquet.WriteSource(ctx, f.Dir, source, o)
	if e == nil || ctx.Err() != nil {
		return nil, errors.Join(err, ctx.Err())
	}
	if len(e.Errors) > 0 {
		err = nil // the entry has the error
	}
	for i := range e.Errors {
		e.Errors[i] = renamed(e.Errors[i], local, path)
	}
	for i := range e.Damage.Places {
		p := &e.Damage.Places[i]
		p.File, p.Text = renamed(p.File, local, path), renamed(p.Text, local, path)
	}
	return e, err
}

// unread returns the entry of a recording with unreadable bytes.
func unread(ctx context.Context, path string, o *Options, err error) (*parquet.Entry, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	source := parquet.Source{Path: path}
	return source.Unread(o.parquet(), err), nil
}

// manifest returns the manifest of a data set, or an empty one if it is missing.
func manifest(dir string, o parquet.Options) (*parquet.Manifest, error) {
	empty := parquet.NewManifest(o)
	m, err := parquet.ReadManifest(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return empty, nil
	case err != nil:
		return nil, err
	case m.Layout != empty.Layout:
		return nil, fmt.Errorf("%s: holds a data set of layout %s, not %s", dir, m.Layout, empty.Layout)
	}
	return m, nil
}

// finishFn writes the manifest, and removes files of killed writers. It may be tried again.
type finishFn struct {
	Dir     string
	Options Options
}

// ProcessElement is called once, with all entries.
func (f *finishFn) ProcessElement(ctx context.Context, _ []byte, next func(*string) bool) error {
	o := f.Options.parquet()
	m, err := manifest(f.Dir, o)
	if err != nil {
		return err
	}
	// Unreadable recordings were tried again.
	m.Sources = slices.DeleteFunc(m.Sources, func(e *parquet.Entry) bool { return e.SHA256 == "" })
	var entries []*parquet.Entry
	for text := ""; next(&text); {
		e := &parquet.Entry{}
		if err := json.Unmarshal([]byte(text), e); err != nil {
			return err
		}
		entries = append(entries, e)
	}
	// For equal contents the last entry is kept.
	slices.SortFunc(entries, func(a, b *parquet.Entry) int { return cmp.Compare(a.Path, b.Path) })
	m.Add(entries...)
	if err := os.MkdirAll(f.Dir, 0o777); err != nil {
		return err
	}
	if err := m.Write(f.Dir); err != nil {
		return err
	}
	if err := m.Sweep(f.Dir); err != nil {
		return err
	}
	return m.Compact(ctx, f.Dir)
}
