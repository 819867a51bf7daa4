package lttng

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tracec/tracec/runtime/internal/damage"
)

// Limits of the search: 4096 processors have fewer than 30 channels each, and a set of traces is a
// few folders deep.
const (
	maxFiles = 1 << 17
	maxDepth = 8
	maxLinks = 1 << 10
)

// finder looks for the files of a recording.
type finder struct {
	rec   *Recording
	bad   []*Damage
	links []string      // to directories; they are followed last, because their targets may be in the recording
	seen  []fs.FileInfo // directories
	full  bool
}

// findFiles lists the files with a magic number, including files in folders (lttng.md 3.5).
func (r *Recording) findFiles() error {
	f := &finder{rec: r}
	r.roots = map[string]bool{}
	if err := f.folder(".", 0, false); err != nil {
		return err
	}
	for i := 0; i < len(f.links); i++ { // the loop may find more of them
		if err := f.folder(f.links[i], strings.Count(f.links[i], "/")+1, true); err != nil {
			f.note(f.links[i], err)
		}
	}
	if len(r.files) == 0 { // files without the magic number belong to something else
		var errs []error
		for _, d := range f.bad {
			if !errors.Is(d, ErrFormat) {
				errs = append(errs, damage.In(r.name, d))
			}
		}
		return errors.Join(errs...)
	}
	for _, d := range f.bad {
		if r.watch == nil { // otherwise files may still be growing: missed reports the rest
			r.damage.Add(d, 0)
		}
	}
	return nil
}

func (f *finder) note(name string, err error) {
	var d *Damage
	if !errors.As(err, &d) {
		d = &Damage{File: name, Err: err}
	}
	f.bad = append(f.bad, d)
}

// folder examines all entries of a directory. linked reports whether the path to it is a symbolic
// link.
func (f *finder) folder(dir string, depth int, linked bool) error {
	if depth > maxDepth {
		return fmt.Errorf("folders more than %d deep are skipped: %w", maxDepth, ErrFormat)
	}
	st, err := fs.Stat(f.rec.dir, dir)
	if err != nil {
		return err
	}
	if linked && slices.ContainsFunc(f.seen, func(s fs.FileInfo) bool { return os.SameFile(s, st) }) {
		return nil
	}
	f.seen = append(f.seen, st)
	list, err := fs.ReadDir(f.rec.dir, dir)
	if err != nil && len(list) == 0 {
		return err
	}
	if err != nil {
		f.note(dir, err)
	}
	before := len(f.rec.files)
	var odd []string // directories with the name of a file
	for _, d := range list {
		if f.full {
			return nil
		}
		name := path.Join(dir, d.Name())
		if strings.HasPrefix(d.Name(), ".") || d.Name() == "eventdefs" {
			continue
		}
		if d.IsDir() {
			n := len(f.rec.files)
			if err := f.folder(name, depth+1, linked); err != nil {
				f.note(name, err)
			} else if isNumbered(name) && len(f.rec.files) == n {
				odd = append(odd, name)
			}
			continue
		}
		f.file(name, d)
	}
	if slices.ContainsFunc(f.rec.files[before:], func(x *File) bool { return path.Dir(x.Path) == dir }) {
		for _, name := range odd {
			f.note(name, errNotRegular(fs.ModeDir))
		}
	}
	return nil
}

// file examines an entry that is not a directory.
func (f *finder) file(name string, d fs.DirEntry) {
	mode, err := d.Type(), error(nil)
	if mode&fs.ModeSymlink != 0 {
		var st fs.FileInfo
		if st, err = fs.Stat(f.rec.dir, name); err == nil {
			mode = st.Mode()
		}
	}
	switch {
	case err == nil && mode.IsDir():
		if len(f.links) < maxLinks {
			f.links = append(f.links, name)
			return
		}
		err = fmt.Errorf("more than %d links to directories; this one is skipped: %w", maxLinks, ErrFormat)
	case err == nil && mode.IsRegular():
		f.probe(name)
		return
	case err == nil:
		err = errNotRegular(mode)
	}
	if isNumbered(name) || isFolder(path.Base(path.Dir(name))) { // otherwise it may be anything
		f.note(name, err)
	}
}

// probe adds a file if it belongs to a trace.
func (f *finder) probe(name string) {
	r := f.rec
	if len(r.files) >= maxFiles {
		f.full = true
		f.note(name, fmt.Errorf("more than %d files; this file and all later ones are skipped: %w", maxFiles,
			ErrCorrupt))
		return
	}
	x, err := r.probe(name)
	if err != nil {
		f.note(name, err)
	}
	if x == nil {
		return
	}
	r.files = append(r.files, x)
	if base := path.Base(name); !x.head.dialect.perChannel() &&
		(strings.HasPrefix(base, "facilities_") || strings.HasPrefix(base, "metadata_")) {
		if dir := path.Dir(name); path.Base(dir) == "control" {
			r.roots[path.Dir(dir)] = true
		}
	}
}
