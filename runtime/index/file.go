package index

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// probeSize is how much of the begin, the middle and the end of a recording is looked at.
const probeSize = 64 << 10

// ProbeOf returns a hash of parts of a recording.
func ProbeOf(r io.ReaderAt, size int64) (sum [32]byte, err error) {
	h := sha256.New()
	for _, at := range []int64{0, max(0, size/2-probeSize/2), max(0, size-probeSize)} {
		if _, err := io.Copy(h, io.NewSectionReader(r, at, min(probeSize, size-at))); err != nil {
			return sum, err
		}
	}
	return [32]byte(h.Sum(nil)), nil
}

// Describe notes which recording the index is of.
func (x *Index) Describe(r io.ReaderAt, size int64, modified time.Time) (err error) {
	x.Size, x.Modified = size, modified
	x.Probe, err = ProbeOf(r, size)
	return err
}

// Matches returns nil when the index is of a recording, else an [ErrStale].
func (x *Index) Matches(r io.ReaderAt, size int64, modified time.Time) error {
	switch {
	case x.Size != size:
		return fmt.Errorf("%w: it has %d bytes, and had %d", ErrStale, size, x.Size)
	case !x.Modified.Equal(modified):
		return fmt.Errorf("%w: at %s", ErrStale, modified.UTC().Format(time.RFC3339Nano))
	}
	probe, err := ProbeOf(r, size)
	if err == nil && probe != x.Probe {
		err = fmt.Errorf("%w: other bytes", ErrStale)
	}
	return err
}

// MostBytes returns how long an index of a recording may be.
func MostBytes(size int64) int64 { return 64<<10 + size/16 }

// Load reads the index in a file if that is there: without it both results are nil. It must be of the recording. most bounds its size in bytes.
func Load(dir fs.FS, name string, r io.ReaderAt, size int64, modified time.Time, most int64) (*Index, error) {
	f, err := dir.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	most = min(most, MostBytes(size))
	if !st.Mode().IsRegular() || st.Size() > most {
		return nil, fmt.Errorf("%s: %w: %d bytes, at most %d are possible", name, ErrCorrupt, st.Size(), most)
	}
	b, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, err
	}
	x, err := Parse(b)
	if err == nil {
		err = x.Matches(r, size, modified)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return x, nil
}
