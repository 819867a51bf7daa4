package folder

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
)

// Bounds of a Look, since a guess must not read endless directories, such as the root of a system.
const (
	mostEntries = 1 << 16
	mostFiles   = 1 << 10
)

// Reasons for omissions of a Look.
var (
	errSkipped = errors.New("not looked at")
	errMounted = errors.New("another file system, which is not searched")
)

// A Look is a bounded view of a directory for guessing its contents. It opens no files of a
// kernel's file system. It omits file systems mounted below it, since a server may not answer. But
// it follows links to them, since a user has made the link. It is for one goroutine.
type Look struct {
	dir  fs.FS
	base string // path from the directory of LookAt
	*left
}

// left holds the rest of the bounds, and the omissions.
type left struct {
	entries, files int
	full           bool
	elsewhere      []string
}

// LookAt returns a view of a directory.
func LookAt(dir fs.FS) *Look {
	return &Look{dir: dir, base: ".", left: &left{entries: mostEntries, files: mostFiles}}
}

// Again returns a view of the same directory with fresh bounds.
func (l *Look) Again() *Look { return LookAt(l.dir) }

// Full reports whether the bounds were reached.
func (l *Look) Full() bool { return l.full }

// Elsewhere returns the omitted directories of other file systems.
func (l *Look) Elsewhere() []string { return l.elsewhere }

// Sub implements fs.SubFS. It returns an error for a directory that the Look omits.
func (l *Look) Sub(name string) (fs.FS, error) {
	if name == "." {
		return l, nil
	}
	sub, err := fs.Sub(l.dir, name)
	if err != nil {
		return nil, err
	}
	at := path.Join(l.base, name)
	if d, ok := sub.(*Dir); ok {
		if sub, err = d.entered(); err != nil {
			if errors.Is(err, errMounted) && !slices.Contains(l.elsewhere, at) {
				l.elsewhere = append(l.elsewhere, at)
			}
			return nil, &fs.PathError{Op: "sub", Path: name, Err: err}
		}
	}
	return &Look{dir: sub, base: at, left: l.left}, nil
}

// entered returns the directory for a Look. The error is the reason for omitting it.
func (d *Dir) entered() (*Dir, error) {
	st, err := os.Lstat(d.path)
	if err != nil {
		return nil, err
	}
	if st.Mode()&fs.ModeSymlink != 0 {
		d = Open(d.path)
	} else if of, ok := deviceOf(st); ok && d.known && of != d.of {
		return nil, errMounted
	}
	if d.kernel != "" {
		return nil, errSkipped
	}
	return d, nil
}

// Stat implements fs.StatFS.
func (l *Look) Stat(name string) (fs.FileInfo, error) { return fs.Stat(l.dir, name) }

// Open implements fs.FS.
func (l *Look) Open(name string) (fs.File, error) {
	if Kernel(l.dir) != "" || l.files <= 0 {
		l.full = l.full || l.files <= 0
		return nil, &fs.PathError{Op: "open", Path: name, Err: errSkipped}
	}
	l.files--
	return l.dir.Open(name)
}

// ReadDir implements fs.ReadDirFS. It updates the bounds.
func (l *Look) ReadDir(name string) ([]fs.DirEntry, error) {
	sub, err := l.Sub(name)
	if err != nil {
		return nil, err
	}
	list, more, err := entries(sub.(*Look).dir, l.left.entries)
	l.left.entries -= len(list)
	l.full = l.full || more
	return list, err
}

// entries lists a directory, up to a number of entries.
func entries(dir fs.FS, most int) (list []fs.DirEntry, more bool, err error) {
	if most <= 0 {
		return nil, true, &fs.PathError{Op: "readdir", Path: ".", Err: errSkipped}
	}
	f, err := dir.Open(".")
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok { // the file system lists directories in its own way
		list, err = fs.ReadDir(dir, ".")
	} else if list, err = d.ReadDir(most + 1); errors.Is(err, io.EOF) {
		err = nil
	}
	if more = len(list) > most; more {
		list = list[:most]
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return list, more, err
}

// First moves the entries with promising names to the front.
func First(list []fs.DirEntry, promises func(name string) bool) {
	rank := func(e fs.DirEntry) int {
		if promises(e.Name()) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b fs.DirEntry) int { return rank(a) - rank(b) })
}
