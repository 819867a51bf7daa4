package index

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"io/fs"
)

// probePage is the number of bytes that are hashed at the beginning and the end of each file of a
// directory.
const probePage = 4096

// A Digest computes the identity of a recording that is a directory. Facts on which the index
// depends are written to it. Writing does not fail.
type Digest struct {
	*bufio.Writer
	sum hash.Hash
	is  Identity
}

// NewDigest returns an empty Digest.
func NewDigest() *Digest {
	sum := sha256.New()
	return &Digest{Writer: bufio.NewWriterSize(sum, probeSize), sum: sum}
}

// File adds a regular file of a directory: its name, size and time, its beginning and its end. The
// error is [ErrNone] if the file cannot be read at arbitrary offsets.
func (d *Digest) File(dir fs.FS, name string) error {
	st, err := fs.Stat(dir, name)
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() { // opening a pipe would wait for a writer
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, err := dir.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	at, ok := f.(io.ReaderAt)
	if !ok {
		return fmt.Errorf("%s: %w", name, ErrNone)
	}
	d.is.Size += st.Size()
	if st.ModTime().After(d.is.Modified) {
		d.is.Modified = st.ModTime()
	}
	fmt.Fprintf(d, "%q %d %d\n", name, st.Size(), st.ModTime().UnixNano())
	for _, off := range []int64{0, max(0, st.Size()-probePage)} {
		if _, err := io.Copy(d, io.NewSectionReader(at, off, probePage)); err != nil {
			return err
		}
	}
	return nil
}

// Identity returns the identity of all added data.
func (d *Digest) Identity() Identity {
	d.Flush()
	d.is.Probe = [32]byte(d.sum.Sum(nil))
	return d.is
}
