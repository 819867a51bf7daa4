package aix

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/tracec/tracec/runtime/internal/growing"
	"github.com/tracec/tracec/runtime/record"
)

// openFollowed opens a stream that is still being written. It takes ownership of f, the file named
// file in dir.
func openFollowed(dir fs.FS, file string, f fs.File, name string, cfg *config) (*Recording, error) {
	r := newRecording(cfg)
	r.watch = growing.New(*cfg.follow)
	grow, err := r.watch.Open(dir, file, name, false)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	src := &source{name: name, size: -1, r: grow, file: grow, grow: grow}
	if err := r.await(src); err != nil {
		return nil, errors.Join(err, src.Close())
	}
	if err := r.open(src); err != nil {
		return nil, err
	}
	r.finish()
	return r, nil
}

// await waits until the kind of the stream is known. It also waits for the scale of its clock, or
// for so many entries that no scale is expected.
func (r *Recording) await(src *source) error {
	return r.watch.Await(context.Background(), func() (bool, error) {
		head, err := src.head(headSize)
		if err != nil && !errors.Is(err, record.ErrPending) && !errors.Is(err, io.EOF) {
			return false, err
		}
		kind := r.config.kind
		if kind == KindUnknown {
			kind = detect(head, r.config.maxBuffer)
		}
		if kind.IsLog() {
			return false, fmt.Errorf("%s: a log file cannot be followed, because its buffers are overwritten; follow the output of trace -o -: %w", src.name, errors.ErrUnsupported)
		}
		return len(head) == headSize || r.config.enough(head), nil
	})
}

// live returns the state shared by the streams of one walk, or nil if the recording is not
// followed.
func (r *Recording) live(opts *record.Options) *record.Live {
	if r.watch == nil {
		return nil
	}
	return r.watch.Live(opts.Context)
}
