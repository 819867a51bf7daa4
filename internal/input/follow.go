package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/runtime/archive"
)

// ErrFollow reports an input that cannot be followed.
var ErrFollow = errors.New("cannot be followed")

// ErrWaiting reports that a followed input is not yet long enough.
var ErrWaiting = errors.New("not yet long enough to be recognized; waiting for more")

// Follow opens a file or a directory that is still being written. It waits until the kind of the
// input is known, or until is done. It passes ErrWaiting to wait. Containers open the files again:
// the result is in Dir, or in Dir and Base of File.
func Follow(ctx context.Context, path string, kinds []Kind, until context.Context, wait func(error)) (*Input, error) {
	o := &opener{ctx: ctx, kinds: kinds, progress: func(int64, int64) {}, in: &Input{Path: path, Name: path, Kind: -1}}
	if path == "-" {
		return nil, fmt.Errorf("standard input %w: it is always read as it comes", ErrFollow)
	}
	for first := true; ; first = false {
		ended := until.Err() != nil
		done, err := o.look(first)
		if done && err == nil || ended {
			return o.in, err
		}
		if err != nil {
			return nil, errors.Join(err, o.in.Close())
		}
		if first {
			wait(fmt.Errorf("%s: %w", path, ErrWaiting))
		}
		select {
		case <-until.Done():
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lookAgain):
		}
	}
}

// leastText is the length of a text that cannot be the beginning of a recording.
const leastText = 64

const lookAgain = 10 * time.Millisecond

// look tries to open the path. After the first attempt a missing path is not an error: it may be
// created later.
func (o *opener) look(first bool) (done bool, err error) {
	st, err := os.Stat(o.in.Path)
	switch {
	case err != nil && !first && errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case st.IsDir():
		return o.lookIn(folder.Open(o.in.Path))
	case !st.Mode().IsRegular():
		return false, fmt.Errorf("%s %w: it is not a regular file", o.in.Path, ErrFollow)
	}
	if kernel := o.ofKernel(st); kernel != "" {
		o.in.what, o.in.named = ofKernel(kernel), true
		return false, o.in.Unknown()
	}
	return o.lookAt(folder.Open(filepath.Dir(o.in.Path)), filepath.Base(o.in.Path))
}

// lookIn looks for a recording that is a directory, or is in one.
func (o *opener) lookIn(dir fs.FS) (done bool, err error) {
	o.in.Name = o.in.Path
	if err := o.directory(dir); err != nil {
		return false, err
	}
	if o.in.several != "" {
		return false, o.in.Unknown()
	}
	if kernel := folder.Kernel(dir); kernel != "" { // it will not become a recording
		if o.in.Kind < 0 {
			return false, o.in.Unknown()
		}
		return false, fmt.Errorf("%s %w: it is the kernel's (%s); tracec live records it", o.in.Path,
			ErrFollow, kernel)
	}
	return o.in.Kind >= 0, nil
}

// lookAt looks at the beginning of a file.
func (o *opener) lookAt(dir fs.FS, base string) (done bool, err error) {
	f, err := dir.Open(base)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, fmt.Errorf("%s: %w", o.in.Name, err)
	}
	head = head[:n]
	if archive.PackingOf(head) != nil || archive.IsTar(head) {
		return false, fmt.Errorf("%s %w: it is packed", o.in.Name, ErrFollow)
	}
	o.in.Kind = o.is(&Probe{Head: head})
	if o.in.Kind < 0 {
		// the file will not become a recording
		if o.in.what, o.in.named = describe(head); n >= leastText && (o.in.named || o.in.what == text) {
			return false, o.in.Unknown()
		}
	}
	st, err := f.Stat()
	if err != nil {
		return false, err
	}
	o.in.File = &File{ReaderAt: nothing{}, Size: st.Size(), Dir: dir, Base: base}
	return n == headSize || n >= soon && o.in.Kind >= 0, nil
}

// nothing represents a file that its container opens itself.
type nothing struct{}

func (nothing) ReadAt([]byte, int64) (int, error) { return 0, os.ErrClosed }
