package input

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/runtime/archive"
)

// search bounds the search in a directory.
type search struct{ levels, files int }

// Bounds for archives, and for directories of any kind.
const (
	maxLevels = 16
	maxFiles  = 100_000
)

var nearby = search{levels: 1, files: 1000}

// found is a recording in a directory, or a packed file that may be one.
type found struct {
	name string // "." for the directory itself
	kind int    // packed, or an index of kinds
	dir  bool
}

const packed = -2

// directory opens a directory that is a recording, or that contains one.
func (o *opener) directory(dir fs.FS) error {
	if o.in.Kind = o.is(&Probe{Dir: folder.LookAt(dir)}); o.in.Kind >= 0 {
		o.in.Dir = dir
		return nil
	}
	if kernel := folder.Kernel(dir); kernel != "" {
		o.in.Dir, o.in.named = dir, true
		o.in.what = ofKernel(kernel)
		return nil
	}
	look := folder.LookAt(dir)
	all := slices.DeleteFunc(o.search(look, nearby), func(f found) bool { return f.kind == packed })
	switch len(all) {
	case 0:
		o.in.Dir = dir
		o.nothingIn(look)
		return nil
	case 1:
		return o.take(dir, all[0], 1)
	}
	o.in.Dir, o.in.several, o.in.named = dir, severalOf(all), true
	return nil
}

// nothingIn describes a directory without a recording, and names its unsearched parts.
func (o *opener) nothingIn(searched *folder.Look) {
	look := folder.LookAt(o.in.Dir)
	if o.in.what, o.in.named = contents(look); o.in.named || o.in.what == emptyDir {
		return
	}
	if list := o.below(look); list != "" {
		o.in.what, o.in.below = "no recording, but folders below hold some: "+list, true
		return
	}
	if list := look.Elsewhere(); len(list) > 0 {
		o.in.what += "; other file systems are not looked into: " + short(list)
	}
	if searched.Full() || look.Full() {
		o.in.what += "; it is too large to search: name a file in it"
	}
}

// severalOf lists recordings for messages.
func severalOf(all []found) string { return fmt.Sprintf("%d recordings: %s", len(all), names(all)) }

// deeper bounds the search for recordings to name in a message.
var deeper = search{levels: 3, files: 1000}

// below lists the subdirectories that contain recordings.
func (o *opener) below(dir fs.FS) string {
	var list []string
	entries, _ := fs.ReadDir(dir, ".") // an unreadable directory counts as empty
	for _, e := range entries {
		sub, err := fs.Sub(dir, e.Name())
		if err != nil || !e.IsDir() {
			continue
		}
		if len(o.search(sub, deeper)) > 0 {
			list = append(list, e.Name())
		}
		if len(list) > mostNames {
			break
		}
	}
	return short(list)
}

// mostNames is the maximum number of names in a message.
const mostNames = 5

// take opens a recording that was found.
func (o *opener) take(dir fs.FS, f found, depth int) error {
	if f.name != "." {
		o.in.Name = filepath.ToSlash(o.in.Name) + "/" + f.name
		if o.in.Place != "" {
			o.in.Place = o.in.Name
		}
	}
	if f.dir {
		sub, err := fs.Sub(dir, f.name)
		o.in.Dir, o.in.Kind = sub, f.kind
		return err
	}
	return o.takeFile(dir, f.name, depth)
}

// takeFile opens a file of a directory.
func (o *opener) takeFile(dir fs.FS, name string, depth int) error {
	file, err := dir.Open(name)
	if err != nil {
		return fmt.Errorf("%s: %w", o.in.Name, err)
	}
	o.in.closer = append(o.in.closer, file)
	st, err := file.Stat()
	if err != nil {
		return fmt.Errorf("%s: %w", o.in.Name, err)
	}
	at, ok := file.(io.ReaderAt)
	if !ok {
		in := &inTurn{file: file}
		o.in.closer[len(o.in.closer)-1] = in
		return o.stream(in)
	}
	in, err := fs.Sub(dir, path.Dir(name))
	if err != nil {
		return fmt.Errorf("%s: %w", o.in.Name, err)
	}
	return o.fileAt(&File{ReaderAt: at, Size: st.Size(), Dir: in, Base: path.Base(name)}, nil, depth)
}

// inTurn is a file that is closed only between reads, since a stream reads on its own goroutine.
type inTurn struct {
	mu   sync.Mutex
	file fs.File
}

func (t *inTurn) Read(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.file.Read(p)
}

func (t *inTurn) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.file.Close()
}

// search lists the recordings in a directory, the outermost first. It skips files that belong to a
// recording. Files that are only likely to be recordings, and archives, count only if there are no
// certain recordings.
func (o *opener) search(root fs.FS, bound search) []found {
	var sure, likely, wrapped []found
	folders := root
	if l, ok := root.(*folder.Look); ok { // likely folders must not use up the bound
		folders = l.Again()
	}
	type level struct {
		dir   string
		depth int
	}
	for todo := []level{{".", 0}}; len(todo) > 0 && o.ctx.Err() == nil; todo = todo[1:] {
		at := todo[0]
		sub, err := fs.Sub(root, at.dir)
		if err != nil {
			continue
		}
		if probed, err := fs.Sub(folders, at.dir); err != nil {
			continue
		} else if kind := o.is(&Probe{Dir: probed}); kind >= 0 {
			sure = append(sure, found{at.dir, kind, true})
			continue
		}
		list, _ := fs.ReadDir(sub, ".") // an unreadable directory counts as empty
		folder.First(list, promises)
		for _, e := range list {
			name := path.Join(at.dir, e.Name())
			if e.IsDir() && at.depth < bound.levels {
				todo = append(todo, level{name, at.depth + 1})
			}
			if at.depth >= bound.levels && at.depth > 0 || bound.files == 0 || o.ctx.Err() != nil {
				continue
			}
			head := headOf(root, name)
			if len(head) == 0 {
				continue
			}
			bound.files--
			switch kind := o.is(&Probe{Head: head}); {
			case kind >= 0 && o.kinds[kind].Guess:
				likely = append(likely, found{name, kind, false})
			case kind >= 0:
				sure = append(sure, found{name, kind, false})
			case archive.PackingOf(head) != nil || archive.IsTar(head):
				wrapped = append(wrapped, found{name, packed, false})
			}
		}
	}
	for _, list := range [][]found{sure, withoutCPUs(likely), wrapped} {
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// promises reports whether the name of a file is usual for recordings or archives.
func promises(name string) bool {
	return promising().MatchString(name)
}

var promising = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)tra?c|\.(dat|raw|tar|tgz|gz|xz|bz2|zst|zip)(\.|$)|_\d+$`)
})

// headOf returns the first bytes of a regular file. It does not read files of size 0: they may be
// files of tracefs, which reading changes.
func headOf(dir fs.FS, name string) []byte {
	st, err := fs.Stat(dir, name)
	if err != nil || !st.Mode().IsRegular() || st.Size() == 0 {
		return nil
	}
	f, err := dir.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, min(headSize, st.Size()))
	n, _ := io.ReadFull(f, head)
	return head[:n]
}

// withoutCPUs removes the files of single processors, NAME-0 and so on, that belong to a file NAME.
func withoutCPUs(all []found) []found {
	base := map[string]bool{}
	for _, f := range all {
		base[f.name] = true
	}
	return slices.DeleteFunc(all, func(f found) bool {
		i := strings.LastIndexByte(f.name, '-')
		return i > 0 && base[f.name[:i]] && i+1 < len(f.name) && strings.Trim(f.name[i+1:], "0123456789") == ""
	})
}

// names lists recordings for a message.
func names(all []found) string {
	var list []string
	for _, f := range all {
		list = append(list, f.name)
	}
	return short(list)
}

// short lists names for a message.
func short(list []string) string {
	if len(list) > mostNames {
		list = append(slices.Clone(list[:mostNames]), "…")
	}
	return Shown(strings.Join(list, ", "))
}

// Shown returns names with escaped newlines, so that a message stays on its line.
func Shown(names string) string { return newlines.Replace(names) }

var newlines = strings.NewReplacer("\n", `\n`, "\r", `\r`)
