package program

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// ErrBuild reports that a file is of another build than the recorded one.
var ErrBuild = errors.New("another build than the recorded one")

// ErrUnsure reports that it is unknown whether a file of this machine is the recorded one.
var ErrUnsure = errors.New("the recording has no build id of it")

// A Search describes where the files of programs are.
type Search struct {
	// Root is a directory with files of the recorded machine. Files in it need no build id. If it
	// is empty, files of this machine are used if their build id is the recorded one.
	Root string
}

// Load returns the symbols of a program that was recorded with a path and a build id, which may be
// empty. The symbols of a stripped program come from its debug file, whose name contains the build
// id. Their memory stays taken. The error is a fs.ErrNotExist, ErrBuild, ErrUnsure, a
// memory.ErrLimit or an error of the file.
func (s Search) Load(name, buildID string, m *memory.Budget) (*Symbols, error) {
	if !strings.HasPrefix(name, "/") || strings.HasPrefix(name, "//") { // //anon, [vdso]
		return nil, fs.ErrNotExist
	}
	recorded := buildID
	f, err := s.open(name, buildID, m)
	if f != nil {
		defer f.Close()
		buildID = f.BuildID()
	}
	named, placed := f, f
	if f == nil || !f.hasTable() {
		if d := s.debug(buildID, m); d != nil {
			defer d.Close()
			named = d
		}
	}
	switch {
	case named == nil:
		return nil, err
	case placed == nil:
		placed = named
	}
	table, err := named.symbols(placed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	read := func() (lineTables, error) { return s.lineTables(name, recorded, m) }
	return &Symbols{table: table, loads: placed.segments(), lines: &lines{name: name, load: read, memory: m}}, nil
}

// open opens the program itself.
func (s Search) open(name, buildID string, m *memory.Budget) (*File, error) {
	f, err := Open(s.place(name), m)
	if err != nil {
		return nil, err
	}
	switch id := f.BuildID(); {
	case buildID == "" && s.Root == "":
		err = fmt.Errorf("%s: %w", name, ErrUnsure)
	case buildID != "" && !sameBuild(buildID, id):
		err = fmt.Errorf("%s: %w: build id %s, recorded %s", s.place(name), ErrBuild, id, buildID)
	default:
		return f, nil
	}
	return nil, errors.Join(err, f.Close())
}

func (s Search) place(name string) string {
	return filepath.Join(s.Root, filepath.FromSlash(path.Clean("/"+name)))
}

// debug opens the debug file of a build. It returns nil if there is none.
func (s Search) debug(buildID string, m *memory.Budget) *File {
	if strings.HasSuffix(buildID, "00000000") { // a short build id, which the recording has padded with zeros
		buildID = strings.TrimRight(buildID, "0")
		buildID += strings.Repeat("0", len(buildID)%2)
	}
	if len(buildID) < 4 {
		return nil
	}
	d, err := Open(s.place(path.Join("/usr/lib/debug/.build-id", buildID[:2], buildID[2:]+".debug")), m)
	if err != nil {
		return nil
	}
	if !sameBuild(buildID, d.BuildID()) || !d.hasTable() {
		d.Close()
		return nil
	}
	return d
}

// sameBuild compares build ids. Recordings pad short ones with zeros.
func sameBuild(a, b string) bool {
	return a != "" && b != "" && strings.TrimRight(a, "0") == strings.TrimRight(b, "0")
}
