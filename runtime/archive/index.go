package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/tracec/tracec/runtime/record"
)

// A Damage is a place of an archive that could not be read. Its Part is the member. Its Offset is
// in the unpacked archive.
type Damage = record.Damage

// Errors of an archive.
var (
	ErrCut      = errors.New("the archive ends early")
	ErrTooLarge = errors.New("too many members; unpack it with tar")
	ErrHeader   = errors.New("no header of a member")
	ErrMember   = errors.New("left out")
	ErrRest     = errors.New("something follows the end of the archive and is left out")
)

// Index lists the members of a tar archive of size bytes, which it reads from src. name is for
// messages. The result always is a file system of all readable members; its Damage lists the rest.
// cut is the reason why src ends early, or nil.
func Index(ctx context.Context, name string, src io.ReaderAt, size int64, cut error) *FS {
	x := &indexer{ctx: ctx, name: name, src: src, size: size, cut: cut, fs: newFS()}
	for more := true; more; {
		more = x.section()
	}
	return x.fs
}

type indexer struct {
	ctx  context.Context
	name string
	src  io.ReaderAt
	size int64
	cut  error
	fs   *FS
	at   int64 // offset of the header of the next member
}

// section adds members up to the end, or to damage. It reports whether there may be more.
func (x *indexer) section() (more bool) {
	begin := x.at
	src := io.NewSectionReader(x.src, begin, x.size-begin)
	for t := tar.NewReader(src); ; {
		if err := x.ctx.Err(); err != nil {
			x.damage("", x.at, err)
			return false
		}
		h, err := t.Next()
		if errors.Is(err, tar.ErrInsecurePath) { // such names are harmless here
			err = nil
		}
		pos, _ := src.Seek(0, io.SeekCurrent) // cannot fail
		if err != nil {
			return x.trouble(err, begin+pos)
		}
		err = x.member(h, t, begin+pos)
		pos, _ = src.Seek(0, io.SeekCurrent)
		switch {
		case errors.Is(err, ErrTooLarge):
			x.damage(h.Name, x.at, err)
			return false
		case errors.Is(err, ErrCut):
			x.damage(h.Name, x.size, err)
			return false
		case err != nil:
			x.damage(h.Name, x.at, fmt.Errorf("%w: %w", ErrMember, err))
		}
		x.at = begin + pos
		if !sparse(h) && hasData(h) {
			x.at += h.Size
		}
		x.at = (x.at-begin+blockSize-1)/blockSize*blockSize + begin
	}
}

// blockSize is the unit of an archive (POSIX, pax).
const blockSize = 512

// trouble handles err, the error of reading the next member. at is the offset up to which the
// archive was read. It reports whether there may be more members.
func (x *indexer) trouble(err error, at int64) (more bool) {
	switch {
	case errors.Is(err, io.EOF):
		x.end(at)
		return false
	case errors.Is(err, io.ErrUnexpectedEOF):
		x.damage("", x.at, x.early())
		return false
	case !errors.Is(err, tar.ErrHeader) && !strings.HasPrefix(err.Error(), "archive/tar: "):
		x.damage("", x.at, err) // an error of the file
		return false
	}
	next, err := x.search(x.at + 1)
	if err != nil {
		x.damage("", x.at, err)
		return false
	}
	x.damage("", x.at, fmt.Errorf("%w: %d bytes are left out", ErrHeader, next-x.at))
	x.at = next
	if next == x.size && x.cut != nil {
		x.damage("", x.size, x.early())
	}
	return next < x.size
}

// early returns the error of an archive without an end.
func (x *indexer) early() error {
	if x.cut == nil {
		return ErrCut
	}
	return fmt.Errorf("%w: %w", ErrCut, x.cut)
}

// end checks the bytes after the last member: two blocks of zeros, and more of them up to the size
// of a record.
func (x *indexer) end(at int64) {
	if x.at >= x.size {
		x.damage("", x.size, x.early())
		return
	}
	b := make([]byte, 64<<10)
	for x.ctx.Err() == nil {
		n, err := x.src.ReadAt(b, at)
		for i, c := range b[:n] {
			if c != 0 {
				x.damage("", at+int64(i), ErrRest)
				return
			}
		}
		if at += int64(n); err != nil || n == 0 {
			break
		}
	}
	if x.cut != nil { // for example a wrong checksum
		x.damage("", x.size, x.cut)
	}
}

func (x *indexer) damage(member string, at int64, err error) {
	part := ""
	if member != "" {
		part = "member " + member
	}
	x.fs.damage.Add(&Damage{File: x.name, Part: part, Offset: at, Err: err}, 0)
}

// search finds the next header at or after an offset. It need not be aligned, because bytes may be
// missing. Without a header, search returns the size.
func (x *indexer) search(from int64) (int64, error) {
	const window = 1 << 20
	b := make([]byte, window)
	for ; from < x.size; from += window - blockSize + 1 {
		if err := x.ctx.Err(); err != nil {
			return 0, err
		}
		n, err := x.src.ReadAt(b, from)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		for rest, skipped := b[:n], 0; len(rest) >= blockSize; {
			i := bytes.Index(rest[magicAt:len(rest)-blockSize+magicAt+len(magic)], []byte(magic))
			if i < 0 {
				break
			}
			if rest, skipped = rest[i:], skipped+i; hasChecksum(rest) {
				return from + int64(skipped), nil
			}
			rest, skipped = rest[1:], skipped+1
		}
	}
	return x.size, nil
}

// member adds a member whose data begin at at.
func (x *indexer) member(h *tar.Header, t io.Reader, at int64) error {
	n := &node{modTime: h.ModTime}
	switch h.Typeflag {
	case tar.TypeXGlobalHeader, 'V': // a header for all members; the label of the archive
		return nil
	case tar.TypeDir, 'D':
		n.mode = fs.ModeDir
	case tar.TypeSymlink:
		n.mode, n.link = fs.ModeSymlink, h.Linkname
	case tar.TypeLink:
		target, err := x.fs.find(clean(h.Linkname), false)
		if err != nil {
			return fmt.Errorf("a link to %s: %w", h.Linkname, err)
		}
		n = target
	case tar.TypeFifo:
		n.mode = fs.ModeNamedPipe
	case tar.TypeChar, tar.TypeBlock:
		n.mode = fs.ModeDevice
	case tar.TypeReg, tar.TypeCont, tar.TypeGNUSparse:
		if sparse(h) {
			return errors.New("it is sparse; unpack the archive with tar")
		}
		n.src, n.off, n.size = x.src, at, min(h.Size, x.size-at)
		if err := x.fs.add(clean(h.Name), n); err != nil || n.size == h.Size {
			return err
		}
		return fmt.Errorf("%d of %d bytes are there: %w", n.size, h.Size, x.early())
	default:
		return fmt.Errorf("type %q is not known", h.Typeflag)
	}
	return x.fs.add(clean(h.Name), n)
}

// hasData reports whether data follow the header.
func hasData(h *tar.Header) bool {
	switch h.Typeflag {
	case tar.TypeLink, tar.TypeSymlink, tar.TypeChar, tar.TypeBlock, tar.TypeDir, tar.TypeFifo, tar.TypeXGlobalHeader:
		return false
	}
	return true
}

func sparse(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}
