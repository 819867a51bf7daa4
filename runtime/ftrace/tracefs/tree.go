package tracefs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/tracec/tracec/runtime/ftrace/btf"
)

// A tree holds the descriptions of an instance's events, laid out as a copy of tracefs: files of
// the instance, files that only the top instance has, and files of /proc.
type tree struct{ in *Instance }

// Open implements fs.FS.
func (t tree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	switch name {
	case "kallsyms":
		return os.Open("/proc/kallsyms")
	case "modules":
		return os.Open("/proc/modules")
	case btf.Dir:
		return os.Open("/sys/kernel/btf")
	case "uname":
		return &textFile{name: name, Reader: strings.NewReader(uname())}, nil
	}
	if file, ok := strings.CutPrefix(name, btf.Dir+"/"); ok {
		return os.Open(filepath.Join("/sys/kernel/btf", filepath.FromSlash(file)))
	}
	if strings.HasPrefix(name, "proc/") && initialPIDs() {
		return os.Open("/" + name)
	}
	dir := t.in.root
	if name == "." || name == "trace_clock" || name == "last_boot_info" || name == "events" ||
		strings.HasPrefix(name, "events/") {
		dir = t.in.dir
	}
	return os.Open(filepath.Join(dir, filepath.FromSlash(name)))
}

// initialPIDs reports whether /proc numbers threads as the kernel does, and not as a container
// (include/linux/proc_ns.h: PROC_PID_INIT_INO).
var initialPIDs = sync.OnceValue(func() bool {
	link, err := os.Readlink("/proc/self/ns/pid")
	return err == nil && link == "pid:[4026531836]"
})

// Running returns the descriptions of the running kernel if dir is a part of its tracefs, else nil.
// The name of the kernel is in the file uname, its type information in the directory btf.
func Running(dir string) fs.FS {
	mount, err := Mount()
	if err != nil {
		return nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	for _, root := range []string{mount, "/sys/kernel/tracing", "/sys/kernel/debug/tracing"} {
		if rel, err := filepath.Rel(root, abs); err == nil && filepath.IsLocal(rel) {
			return tree{&Instance{root: mount, dir: mount}}
		}
	}
	return nil
}

// A textFile is a file in memory.
type textFile struct {
	*strings.Reader
	name string
}

func (f *textFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *textFile) Close() error               { return nil }
func (f *textFile) Name() string               { return f.name }
func (f *textFile) Mode() fs.FileMode          { return 0o444 }
func (f *textFile) ModTime() time.Time         { return time.Time{} }
func (f *textFile) IsDir() bool                { return false }
func (f *textFile) Sys() any                   { return nil }
