package beam

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string, []byte), error](&writeFn{})
	register.DoFn4x1[context.Context, string, func(*[]byte) bool, func(string), error](&manifestFn{})
	register.Emitter2[string, []byte]()
	register.Iter1[[]byte]()
}

// SetOptions say how a data set is written.
type SetOptions struct {
	Events []string // globs as of dynamic.WithEvents
	Wide   bool     // one table of all events
	Host   string   // of recordings that do not say it
	Tool   string   // what the manifest says of who writes
}

// WriteDataSet writes the recordings at paths, a PCollection of strings, to the data set of Parquet files in a folder, as parquet.Write does: with the same files. It returns
// a PCollection of strings that has the name of the manifest once that is written. A data set that is there is continued.
func WriteDataSet(s sdk.Scope, dir string, paths sdk.PCollection, o SetOptions) sdk.PCollection {
	s = s.Scope("tracec.WriteDataSet")
	entries := sdk.ParDo(s, &writeFn{Dir: dir, Options: o}, sdk.Reshuffle(s, paths))
	return sdk.ParDo(s, &manifestFn{Dir: dir, Options: o}, sdk.GroupByKey(s, entries))
}

func (o SetOptions) parquet() parquet.Options {
	return parquet.Options{Wide: o.Wide, Host: o.Host, Tool: o.Tool, Resume: true}
}

// writeFn writes the files of a recording and emits its entry of the manifest.
type writeFn struct {
	Dir     string
	Options SetOptions
}

// ProcessElement writes the files of the recording at a path. Its error is one of the folder of the data set, after which Beam tries again: what is wrong with the
// recording is in the entry.
func (f *writeFn) ProcessElement(ctx context.Context, path string, emit func(string, []byte)) error {
	if err := os.MkdirAll(f.Dir, 0o777); err != nil {
		return err
	}
	e, err := f.write(ctx, path)
	if e == nil {
		return err
	}
	if err != nil {
		failed(ctx, path, err)
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	emit("", text)
	return nil
}

// write returns the entry of a recording, whose files it writes unless the data set has them.
func (f *writeFn) write(ctx context.Context, path string) (*parquet.Entry, error) {
	source := parquet.Source{Path: path, Open: func(ctx context.Context) (*dynamic.Reader, io.Closer, error) {
		in, err := open(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		r, err := dynamic.NewReader(in.Recording, dynamic.WithRecords(record.Options{Context: ctx}), dynamic.WithEvents(f.Options.Events...), dynamic.WithThreads())
		if err != nil {
			return nil, nil, errors.Join(err, in.Close())
		}
		return r, in, nil
	}}
	source.Chosen = (&report.Options{Events: f.Options.Events}).Chosen() // as tracec export has it
	o := f.Options.parquet()
	m, err := parquet.ReadManifest(f.Dir)
	if err == nil {
		if e, err := m.Done(ctx, source, o); e != nil && err == nil {
			return e, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return parquet.WriteSource(ctx, f.Dir, source, o)
}

// manifestFn writes the manifest of all entries, which have one key.
type manifestFn struct {
	Dir     string
	Options SetOptions
}

// ProcessElement adds the entries to the manifest of the data set.
func (f *manifestFn) ProcessElement(_ context.Context, _ string, entries func(*[]byte) bool, emit func(string)) error {
	m, err := parquet.ReadManifest(f.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		m, err = parquet.NewManifest(f.Options.parquet()), nil
	}
	if err != nil {
		return err
	}
	for text := []byte(nil); entries(&text); {
		e := &parquet.Entry{}
		if err := json.Unmarshal(text, e); err != nil {
			return err
		}
		m.Add(e)
	}
	if err := m.Write(f.Dir); err != nil {
		return err
	}
	emit(parquet.ManifestName)
	return nil
}
