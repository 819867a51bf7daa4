// Package archive opens recordings that are directories and came as one file: .tar, plain or packed by gzip, xz or zstd.
// They are told by their content, whatever their name says.
package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// Limits of what is unpacked: an archive of a few KB can hold petabytes of zeros.
const (
	maxBytes = 16 << 30
	maxFiles = 1 << 20
	window   = 128 << 20 // of zstd
)

// ErrTooLarge says that an archive holds more than is unpacked.
var ErrTooLarge = errors.New("holds more than 16 GiB or a million files; unpack it with tar")

// ErrOther says that a file is no archive.
var ErrOther = errors.New("neither a directory nor an archive of one")

// ErrSeveral says that only the first of several recordings of an archive is read.
var ErrSeveral = errors.New("more recordings are in the archive, which are not read; unpack it with tar")

// ErrNoRoot says that no directory of an archive is what was looked for.
var ErrNoRoot = errors.New("holds no recording")

// Packed reports whether a file that begins with head is an archive, as far as that shows.
func Packed(head []byte) bool {
	return packing(head) != nil || isTar(head)
}

// An Entry is a file of an archive.
type Entry struct {
	Name string
	Head []byte // how it begins: 64 bytes at most
}

// Entries are the first files of an archive, as far as its beginning lets see. That may be all of it.
func Entries(beginning io.Reader) (entries []Entry) {
	r, err := unpacked(bufio.NewReader(beginning))
	if err != nil {
		return nil
	}
	defer r.Close()
	for t := tar.NewReader(io.LimitReader(r, 16<<20)); len(entries) < 1000; {
		h, err := t.Next()
		if err != nil { // the end of the beginning, if not of the archive
			return entries
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		head := make([]byte, 64)
		n, _ := io.ReadFull(t, head)
		entries = append(entries, Entry{h.Name, head[:n]})
	}
	return entries
}

// A Dir is an unpacked archive.
type Dir struct {
	fs.FS // the directory that was looked for
	temp  string
}

// Close removes the files. They must not be in use.
func (d *Dir) Close() error { return os.RemoveAll(d.temp) }

// OpenFile unpacks the archive of that name into a folder for temporary files. The directory of the result is the first for which
// isRoot holds, the outermost first. An archive that ends early yields the files before its end, and both a
// directory and an error.
func OpenFile(name string, isRoot func(fs.FS) bool) (*Dir, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Open(f, name, isRoot)
}

// Open is OpenFile for what r reads; name is for messages.
func Open(r io.Reader, name string, isRoot func(fs.FS) bool) (*Dir, error) {
	temp, err := os.MkdirTemp("", "tracec-")
	if err != nil {
		return nil, err
	}
	d := &Dir{temp: temp}
	in := bufio.NewReaderSize(r, 1<<16)
	head, _ := in.Peek(512)
	bad := unpack(in, temp)
	if bad != nil {
		bad = fmt.Errorf("%s: unpack: %w", name, bad)
	}
	if errors.Is(bad, ErrTooLarge) {
		d.Close()
		return nil, bad
	}
	var more int
	if d.FS, more = find(temp, isRoot); d.FS == nil {
		d.Close()
		if bad != nil && !Packed(head) {
			return nil, fmt.Errorf("%s: %w", name, ErrOther)
		}
		return nil, errors.Join(bad, fmt.Errorf("%s: %w", name, ErrNoRoot))
	}
	if more > 0 {
		bad = errors.Join(bad, fmt.Errorf("%s: %d %w", name, more, ErrSeveral))
	}
	return d, bad
}

// find looks for the root, breadth first. more is the number of others on its level: an archive may hold several recordings.
func find(temp string, isRoot func(fs.FS) bool) (root fs.FS, more int) {
	for level := []string{temp}; len(level) > 0; {
		var next []string
		for _, dir := range level {
			switch d := os.DirFS(dir); {
			case !isRoot(d):
			case root == nil:
				root = d
			default:
				more++
			}
			list, _ := os.ReadDir(dir) // unreadable is as good as empty
			for _, e := range list {
				if e.IsDir() {
					next = append(next, filepath.Join(dir, e.Name()))
				}
			}
		}
		if root != nil {
			return root, more
		}
		level = next
	}
	return nil, 0
}

// unpack writes the plain files below dir, with their times: chrome's output tells that of a recording.
func unpack(src *bufio.Reader, dir string) error {
	r, err := unpacked(src)
	if err != nil {
		return err
	}
	defer r.Close()
	root, err := os.OpenRoot(dir) // nothing outside of it can be written, whatever the names are
	if err != nil {
		return err
	}
	defer root.Close()
	left := int64(maxBytes)
	t := tar.NewReader(r)
	for n := 0; ; n++ {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case n >= maxFiles || h.Size > left:
			return ErrTooLarge
		case h.Typeflag != tar.TypeReg:
			continue
		}
		left -= h.Size
		name := path.Clean("/" + filepath.ToSlash(h.Name))[1:]
		if err := write(root, name, h, t); err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
}

func write(root *os.Root, name string, h *tar.Header, r io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close(), root.Chtimes(name, h.ModTime, h.ModTime))
}

// unpacked undoes the packing, if there is any.
func unpacked(r *bufio.Reader) (io.ReadCloser, error) {
	head, _ := r.Peek(8)
	if open := packing(head); open != nil {
		return open(r)
	}
	return io.NopCloser(r), nil
}

// packing is what undoes that of a file with this beginning; nil when there is none.
func packing(head []byte) func(io.Reader) (io.ReadCloser, error) {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return func(r io.Reader) (io.ReadCloser, error) {
			x, err := xz.NewReader(r)
			return io.NopCloser(x), err
		}
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return func(r io.Reader) (io.ReadCloser, error) {
			z, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(window), zstd.WithDecoderConcurrency(1))
			if err != nil {
				return nil, err
			}
			return z.IOReadCloser(), nil
		}
	}
	return nil
}

func isTar(head []byte) bool { return len(head) >= 262 && string(head[257:262]) == "ustar" }
