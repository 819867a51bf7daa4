package mutate

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// Archives are the endings of archives.
var Archives = []string{".tar", ".tar.gz", ".tar.zst", ".tar.xz"}

// Pack writes a tree as an archive. It changes names, kinds, sizes and the order of its members, as
// an attacker would.
func Pack(r *rand.Rand, tree Tree, ending string) ([]byte, []string, error) {
	var steps []string
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range tree.names() {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: "rec/" + name, Mode: 0o644, Size: int64(len(tree[name]))}
		content := tree[name]
		if r.IntN(12) == 0 {
			steps = append(steps, member(r, h))
			if h.Typeflag != tar.TypeReg {
				content, h.Size = nil, 0
			}
		}
		if err := w.WriteHeader(h); err != nil { // tar cannot store the name
			steps = append(steps, err.Error())
			continue
		}
		if _, err := w.Write(content); err != nil {
			return nil, steps, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, steps, err
	}
	plain := b.Bytes()
	if r.IntN(3) == 0 {
		out, off, what := Blind(r, plain, nil)
		plain, steps = out, append(steps, fmt.Sprintf("the archive: %s at %d", what, off))
	}
	packed, err := compress(plain, ending)
	if err == nil && r.IntN(3) == 0 {
		out, off, what := Blind(r, packed, nil)
		packed, steps = out, append(steps, fmt.Sprintf("the packed archive: %s at %d", what, off))
	}
	return packed, steps, err
}

// PackIntact writes a tree as an archive.
func PackIntact(tree Tree, ending string) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range tree.names() {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "rec/" + name, Mode: 0o644,
			Size: int64(len(tree[name]))}); err != nil {
			return nil, err
		}
		if _, err := w.Write(tree[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return compress(b.Bytes(), ending)
}

func member(r *rand.Rand, h *tar.Header) string {
	base := h.Name[strings.LastIndexByte(h.Name, '/')+1:]
	switch r.IntN(9) {
	case 0:
		h.Name = "../" + h.Name
	case 1:
		h.Name = "/" + h.Name
	case 2:
		h.Name = "rec/" + strings.Repeat("x", 300) + "/" + base
	case 3:
		h.Name += "/" + base
	case 4:
		h.Typeflag, h.Linkname = tar.TypeSymlink, "/etc/passwd"
	case 5:
		h.Typeflag, h.Linkname = tar.TypeLink, "rec/info"
	case 6:
		h.Typeflag = tar.TypeFifo
	case 7:
		h.Typeflag, h.Name = tar.TypeDir, h.Name+"/"
	default:
		h.Name = "rec/info"
	}
	return fmt.Sprintf("member %s is %q of type %c", base, h.Name, h.Typeflag)
}

func compress(b []byte, ending string) ([]byte, error) {
	var out bytes.Buffer
	var w io.WriteCloser
	var err error
	switch ending {
	case ".tar":
		return b, nil
	case ".tar.gz":
		w = gzip.NewWriter(&out)
	case ".tar.zst":
		w, err = zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	default:
		w, err = xz.WriterConfig{DictCap: 1 << 16}.NewWriter(&out)
	}
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}
