package parquet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A Digest is the size of a recording in bytes and a hash of its contents.
type Digest struct {
	Size   int64
	SHA256 string // in hexadecimal
}

// DigestOf returns the digest of a file, or of a directory with all files below it. For a directory
// it is the digest of a line "hash size name" for each file, sorted by name. Names contain slashes.
func DigestOf(ctx context.Context, path string) (Digest, error) {
	st, err := os.Stat(path)
	if err != nil {
		return Digest{}, err
	}
	if !st.IsDir() {
		return digestFile(ctx, path)
	}
	var all Digest
	sum := sha256.New()
	err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if st, err := os.Stat(name); err != nil || !st.Mode().IsRegular() { // for a link, the digest is of its target
			return err
		}
		one, err := digestFile(ctx, name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(path, name)
		all.Size += one.Size
		fmt.Fprintf(sum, "%s %d %q\n", one.SHA256, one.Size, filepath.ToSlash(rel))
		return err
	})
	all.SHA256 = encodeSum(sum)
	return all, err
}

func encodeSum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

func digestFile(ctx context.Context, name string) (Digest, error) {
	f, err := os.Open(name)
	if err != nil {
		return Digest{}, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.CopyBuffer(struct{ io.Writer }{sum}, &untilDone{ctx, f}, make([]byte, 256<<10))
	return Digest{n, encodeSum(sum)}, err
}

// untilDone is a reader that fails when its context is done.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (u *untilDone) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(b)
}
