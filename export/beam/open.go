package beam

import (
	"context"
	"errors"
	"io"
	"os"
	"path"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/runtime/record"
)

// input is an open recording, and the temporary folder that it was copied to.
type input struct {
	record.Recording
	dir string // empty: it was read in place
}

// open opens the recording at a path, which it copies from file systems that are not local.
func open(ctx context.Context, name string) (in *input, err error) {
	in = &input{}
	if !local(name) {
		if in.dir, err = os.MkdirTemp("", "tracec-beam-"); err != nil {
			return nil, err
		}
		to := path.Join(in.dir, path.Base(name))
		if err := fetch(ctx, name, to); err != nil {
			return nil, errors.Join(err, os.RemoveAll(in.dir))
		}
		name = to
	}
	if in.Recording, err = all.Open(ctx, name); err != nil {
		if in.dir != "" {
			err = errors.Join(err, os.RemoveAll(in.dir))
		}
		return nil, err
	}
	return in, nil
}

// fetch copies a file to the local file system.
func fetch(ctx context.Context, name, to string) error {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	from, err := fs.OpenRead(ctx, name)
	if err != nil {
		return err
	}
	defer from.Close()
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// Close closes the recording and removes the copy.
func (in *input) Close() error {
	err := in.Recording.Close()
	if in.dir != "" {
		err = errors.Join(err, os.RemoveAll(in.dir))
	}
	return err
}

// failed logs why a recording, or a part of one, is not read.
func failed(ctx context.Context, path string, err error) {
	log.Errorf(ctx, "tracec: %s: %v", path, err)
}
