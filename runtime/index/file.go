package index

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// probeSize is the number of bytes that are hashed at the beginning, the middle and the end of a
// recording.
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

// FileIdentity returns the identity of a recording that is a file.
func FileIdentity(r io.ReaderAt, size int64, modified time.Time) (Identity, error) {
	probe, err := ProbeOf(r, size)
	return Identity{size, modified, probe}, err
}

// Of returns nil if the index belongs to rec, and an [ErrStale] otherwise.
func (x *Index) Of(rec Identity) error {
	switch {
	case x.Size != rec.Size:
		return fmt.Errorf("%w: it has %d bytes instead of %d", ErrStale, rec.Size, x.Size)
	case x.Modified.UnixNano() != rec.Modified.UnixNano(): // in the precision of the file
		return fmt.Errorf("%w: at %s", ErrStale, rec.Modified.UTC().Format(time.RFC3339Nano))
	case x.Probe != rec.Probe:
		return fmt.Errorf("%w: other bytes, or other options of opening", ErrStale)
	}
	return nil
}

// MostBytes returns the maximum size of the index of a recording of size bytes.
func MostBytes(size int64) int64 { return 64<<10 + size/16 }

// Load reads the index in a file. If there is no such file, both results are nil. The index must
// belong to the recording whose identity of returns. of is called only if there is an index. most
// bounds its size in bytes.
func Load(name string, of func() (Identity, error), most int64) (*Index, error) {
	f, err := open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer f.Close()
	x, err := load(f, of, most)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return x, nil
}

// Read returns the bytes of an index of a recording of size bytes, for [Parse].
func Read(name string, size int64) ([]byte, error) {
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := read(f, MostBytes(size))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// open opens the file of an index. It must be a regular file: opening a pipe would wait for a
// writer.
func open(name string) (*os.File, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w: not a regular file", name, ErrCorrupt)
	}
	return os.Open(name)
}

func load(f *os.File, of func() (Identity, error), most int64) (*Index, error) {
	rec, err := of()
	if err != nil {
		return nil, err
	}
	b, err := read(f, min(most, MostBytes(rec.Size)))
	if err != nil {
		return nil, err
	}
	x, err := Parse(b)
	if err == nil {
		err = x.Of(rec)
	}
	return x, err
}

// read reads a file of at most most bytes.
func read(f *os.File, most int64) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size() > most {
		return nil, fmt.Errorf("%w: %d bytes, at most %d are possible", ErrCorrupt, st.Size(), most)
	}
	b := make([]byte, st.Size())
	_, err = io.ReadFull(f, b)
	return b, err
}
