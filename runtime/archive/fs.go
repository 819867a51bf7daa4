package archive

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tracec/tracec/runtime/internal/damage"
	"github.com/tracec/tracec/runtime/record"
)

// FS is the file system of the members of an archive. Its files read from the archive itself and
// implement io.Seeker and io.ReaderAt. Names are relative to the root of the archive, and .. does
// not leave it. If two members have one name, the last one counts.
type FS struct {
	root   *node
	dir    string // directory within the root
	damage damage.Log
	left   int // remaining part of maxIndex
}

// Limits of an index. An archive of a few KB can have millions of members, with names of a MiB.
const (
	maxIndex = 256 << 20 // bytes, approximate
	nodeSize = 256       // memory of a node without its name, approximate
	maxPath  = 4096      // PATH_MAX of Linux
	maxLinks = 40        // links to follow, as in Linux
)

func newFS() *FS {
	return &FS{root: &node{mode: fs.ModeDir, children: map[string]*node{}}, dir: ".", left: maxIndex}
}

// Damage returns the places of the archive that could not be read, at most 256.
func (f *FS) Damage() []*Damage { return f.damage.List() }

// DamageStats counts all damage.
func (f *FS) DamageStats() record.DamageStats { return f.damage.Stats() }

// A node is a member.
type node struct {
	mode     fs.FileMode // only the type bits
	modTime  time.Time
	size     int64
	src      io.ReaderAt // the data are size bytes at off
	off      int64
	link     string           // target of a symbolic link
	children map[string]*node // members of a directory
}

// clean converts the name of a member to a file system name.
func clean(name string) string {
	if name = path.Clean("/" + name)[1:]; name == "" {
		return "."
	}
	return name
}

// Reasons why a member cannot be in the file system.
var (
	errLong   = errors.New("the name is too long")
	errInFile = errors.New("it lies in a file")
	errIsDir  = errors.New("a directory has this name")
	errIsFile = errors.New("a file has this name")
	errLinks  = errors.New("too many links")
)

// add adds a member and its parent directories.
func (f *FS) add(name string, n *node) error {
	if len(name) > maxPath || strings.IndexByte(name, 0) >= 0 {
		return errLong
	}
	dir := f.root
	for {
		part, rest, deeper := strings.Cut(name, "/")
		old := dir.children[part]
		switch {
		case name == ".":
			if n.mode.IsDir() {
				f.root.modTime = n.modTime
			}
			return nil
		case old == nil:
			if f.left -= len(part) + nodeSize; f.left < 0 {
				return ErrTooLarge
			}
		case deeper && !old.mode.IsDir():
			return errInFile
		case !deeper && old.mode.IsDir() && !n.mode.IsDir():
			return errIsDir
		case !deeper && !old.mode.IsDir() && n.mode.IsDir():
			return errIsFile
		case !deeper && old.mode.IsDir():
			old.modTime = n.modTime
			return nil
		}
		if !deeper {
			if n.mode.IsDir() {
				n.children = map[string]*node{}
			}
			dir.children[strings.Clone(part)] = n
			return nil
		}
		if old == nil {
			old = &node{mode: fs.ModeDir, children: map[string]*node{}}
			dir.children[strings.Clone(part)] = old
		}
		dir, name = old, rest
	}
}

// find looks up a name from the root. It follows symbolic links on the way, and the last one if
// follow is set.
func (f *FS) find(name string, follow bool) (*node, error) {
	for range maxLinks {
		n, at, rest := f.walk(name)
		switch {
		case n == nil:
			return nil, fs.ErrNotExist
		case n.mode&fs.ModeSymlink == 0 || rest == "" && !follow:
			return n, nil
		case path.IsAbs(n.link):
			return nil, fs.ErrNotExist
		}
		name = path.Join(path.Dir(at), n.link, rest)
		if len(name) > maxPath || !fs.ValidPath(name) { // the link leads out of the archive
			return nil, fs.ErrNotExist
		}
	}
	return nil, errLinks
}

// walk goes to a member, or to the first symbolic link on the way. at is the name of the link.
func (f *FS) walk(name string) (n *node, at, rest string) {
	n, rest = f.root, name
	for rest != "" && rest != "." {
		if !n.mode.IsDir() {
			return nil, "", ""
		}
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		if n, at = n.children[part], path.Join(at, part); n == nil {
			return nil, "", ""
		}
		if n.mode&fs.ModeSymlink != 0 {
			return n, at, rest
		}
	}
	return n, at, ""
}

// lookup finds a name that a caller passed.
func (f *FS) lookup(op, name string) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	n, err := f.find(path.Join(f.dir, name), true)
	if err != nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return n, nil
}

// Sub implements fs.SubFS.
func (f *FS) Sub(dir string) (fs.FS, error) {
	n, err := f.lookup("sub", dir)
	if err == nil && !n.mode.IsDir() {
		err = &fs.PathError{Op: "sub", Path: dir, Err: errors.New("not a directory")}
	}
	if err != nil {
		return nil, err
	}
	return &FS{root: f.root, dir: path.Join(f.dir, dir)}, nil
}

// Stat implements fs.StatFS.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	n, err := f.lookup("stat", name)
	if err != nil {
		return nil, err
	}
	return info{path.Base(name), n}, nil
}

// ReadDir implements fs.ReadDirFS.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := f.lookup("readdir", name)
	if err == nil && !n.mode.IsDir() {
		err = &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a directory")}
	}
	if err != nil {
		return nil, err
	}
	return n.list(), nil
}

// Open implements fs.FS.
func (f *FS) Open(name string) (fs.File, error) {
	n, err := f.lookup("open", name)
	switch {
	case err != nil:
		return nil, err
	case n.mode.IsDir():
		return &openDir{info: info{path.Base(name), n}, rest: n.list()}, nil
	case n.mode.Type() != 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	return &openFile{io.NewSectionReader(n.src, n.off, n.size), info{path.Base(name), n}}, nil
}

// list returns the members of a directory, sorted by name.
func (n *node) list() []fs.DirEntry {
	list := make([]fs.DirEntry, 0, len(n.children))
	for name, c := range n.children {
		list = append(list, fs.FileInfoToDirEntry(info{name, c}))
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// info is a node under a name.
type info struct {
	name string
	*node
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) ModTime() time.Time { return i.modTime }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

// Mode implements fs.FileInfo. Everything is readable.
func (i info) Mode() fs.FileMode {
	if i.mode.IsDir() {
		return i.mode | 0o555
	}
	return i.mode | 0o444
}

type openFile struct {
	*io.SectionReader
	info info
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openDir struct {
	info info
	rest []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: errors.New("is a directory")}
}

// ReadDir implements fs.ReadDirFile.
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.rest)
	} else if len(d.rest) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.rest))
	list := d.rest[:n]
	d.rest = d.rest[n:]
	return list, nil
}
