package ctf

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/runtime/internal/memory"
)

// A Directory is one of several directories that are read as one recording.
type Directory struct {
	// Name is the path of the directory, with slashes. Paths of its traces and files begin with it.
	Name string
	FS   fs.FS
}

// OpenSeveral opens several directories as one recording. Each directory is a trace, or contains
// traces. A directory with a repeated name is read once, and traces of one UUID are one trace, as
// for [Open]. Such recordings cannot be followed.
func OpenSeveral(list []Directory, opts ...Option) (*Recording, error) {
	var all directories
	for _, d := range list {
		d.Name = path.Clean(d.Name)
		if !slices.ContainsFunc(all, func(x Directory) bool { return x.Name == d.Name }) {
			all = append(all, d)
		}
	}
	r := &Recording{dir: all, name: all.names()}
	for _, o := range opts {
		o(&r.config)
	}
	if r.config.follow != nil {
		return nil, &Damage{File: r.name, Err: errors.New("several directories cannot be followed")}
	}
	r.memory = memory.New(r.config.memory)
	left := mostFolders
	for _, d := range all {
		n := len(r.traces)
		if kernel := folder.Kernel(d.FS); kernel != "" {
			return nil, ofKernel(d.Name, kernel)
		}
		if err := r.find(d.Name, 0, &left); err != nil {
			return nil, err
		}
		if len(r.traces) == n && !all.within(r.traces, d.Name) {
			return nil, r.noTrace(d.Name)
		}
		for _, t := range r.traces[n:] {
			t.root = d.Name
		}
	}
	r.sortTraces()
	r.number()
	return r, nil
}

// Below returns the path of a trace below the directory that was opened.
func (t *Trace) Below() string {
	if t.root == "" {
		return t.Path
	}
	return directories{{Name: t.root}}.below(t.Path)
}

// directories is a file system of several directories. A name in it consists of the name of a
// directory, a slash, and a name in that directory.
type directories []Directory

// names returns the names, for messages.
func (l directories) names() string {
	var names []string
	for _, d := range l {
		names = append(names, d.Name)
	}
	return strings.Join(names, ", ")
}

// within reports whether a directory contains some of the traces, which were found in another one.
func (l directories) within(traces []*Trace, name string) bool {
	return slices.ContainsFunc(traces, func(t *Trace) bool { return directories{{Name: name}}.find(t.Path) != nil })
}

// find returns the directory of a file: the one with the longest name that fits, or nil.
func (l directories) find(name string) (found *Directory) {
	for i := range l {
		d := &l[i]
		fits := d.Name == name || strings.HasPrefix(name, strings.TrimSuffix(d.Name, "/")+"/") ||
			d.Name == "." && !path.IsAbs(name)
		if fits && (found == nil || len(d.Name) > len(found.Name)) {
			found = d
		}
	}
	return found
}

// below returns the name of a file in its directory.
func (l directories) below(name string) string {
	d := l.find(name)
	switch {
	case d.Name == ".":
		return name
	case d.Name == name:
		return "."
	}
	return strings.TrimPrefix(name[len(d.Name):], "/")
}

// in returns the directory of a file, and the file's name in it.
func (l directories) in(op, name string) (fs.FS, string, error) {
	d := l.find(name)
	if d == nil {
		return nil, "", &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return d.FS, l.below(name), nil
}

// named puts the full name into an error.
func named(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		p.Path = name
	}
	return err
}

// Open implements fs.FS.
func (l directories) Open(name string) (fs.File, error) {
	dir, below, err := l.in("open", name)
	if err != nil {
		return nil, err
	}
	f, err := dir.Open(below)
	return f, named(name, err)
}

// Stat implements fs.StatFS.
func (l directories) Stat(name string) (fs.FileInfo, error) {
	dir, below, err := l.in("stat", name)
	if err != nil {
		return nil, err
	}
	st, err := fs.Stat(dir, below)
	return st, named(name, err)
}

// ReadDir implements fs.ReadDirFS.
func (l directories) ReadDir(name string) ([]fs.DirEntry, error) {
	dir, below, err := l.in("readdir", name)
	if err != nil {
		return nil, err
	}
	list, err := fs.ReadDir(dir, below)
	return list, named(name, err)
}

// ofKernel returns the error for a directory in a kernel's file system. A search for traces in it
// would read all of its files.
func ofKernel(name, kernel string) error {
	return &Damage{File: name, Err: fmt.Errorf("the files of the kernel (%s): %w", kernel, ErrFormat)}
}
