package lttng

import (
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/tracec/tracec/internal/folder"
)

// Limits of the detection: the directory may contain anything.
const (
	mostFiles    = 1000 // in one directory
	mostOther    = 64   // with names that only files of old programs have
	traceDepth   = 3
	traceFolders = 1 << 12
)

// IsTrace reports whether a directory is a trace. This is so if one of its files, or of its folder
// control, has the magic number of a sub-buffer at its place. Files named like files of traces are
// examined first.
func IsTrace(dir fs.FS) bool { return isTrace(dir, true) }

// isTrace is IsTrace, for files of any name or only for files named like files of traces.
func isTrace(dir fs.FS, anyName bool) bool {
	for _, at := range []string{"control", "."} {
		list, err := fs.ReadDir(dir, at)
		if err != nil {
			continue
		}
		folder.First(list, isNumbered)
		other := 0
		for _, d := range list[:min(len(list), mostFiles)] { // a folder of other files can be large
			if !isNumbered(d.Name()) {
				if other++; !anyName || other > mostOther {
					break
				}
			}
			if hasMagic(dir, path.Join(at, d.Name()), d) {
				return true
			}
		}
	}
	return false
}

// IsSet reports whether at least two folders of a directory are traces or hold some. It looks at
// all of a level before the next one: the first folder may have no end. Every trace has files with
// the names of traces.
func IsSet(dir fs.FS) bool {
	type place struct {
		dir fs.FS
		top string // the folder of the directory that contains it
	}
	found, folders := map[string]bool{}, 0
	level := []place{{dir: dir}}
	for range traceDepth {
		var next []place
		for _, at := range level {
			if found[at.top] {
				continue
			}
			list, _ := fs.ReadDir(at.dir, ".") // an unreadable directory counts as empty
			for _, d := range list {
				if strings.HasPrefix(d.Name(), ".") || !isDir(at.dir, d) {
					continue
				}
				sub, err := fs.Sub(at.dir, d.Name())
				if err != nil {
					continue
				}
				if folders++; folders > traceFolders {
					return false
				}
				top := at.top
				if top == "" {
					top = d.Name()
				}
				if !isTrace(sub, false) {
					next = append(next, place{sub, top})
				} else if found[top] = true; len(found) == 2 {
					return true
				}
			}
		}
		level = next
	}
	return false
}

// isDir reports whether an entry is a directory, or a link to one.
func isDir(dir fs.FS, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink != 0 {
		st, err := fs.Stat(dir, d.Name())
		return err == nil && st.IsDir()
	}
	return d.IsDir()
}

// isRegular reports whether an entry is a file, or a link to one. Opening a pipe could block for
// ever.
func isRegular(dir fs.FS, name string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink != 0 {
		st, err := fs.Stat(dir, name)
		return err == nil && st.Mode().IsRegular()
	}
	return d.Type().IsRegular()
}

// hasMagic reports whether an entry is a file that begins like a sub-buffer. Files that report a
// smaller size are not read. Virtual files of the kernel report size 0, and reading changes some of
// them.
func hasMagic(dir fs.FS, name string, d fs.DirEntry) bool {
	if !isRegular(dir, name, d) {
		return false
	}
	head := make([]byte, magicOld+4)
	if st, err := fs.Stat(dir, name); err != nil || st.Size() < magicNew+4 {
		return false
	}
	f, err := dir.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	n, _ := io.ReadFull(f, head)
	return IsHead(head[:n])
}

// IsHead reports whether b is the beginning of a sub-buffer. b must have at least 44 bytes.
func IsHead(b []byte) bool {
	var h header
	return len(b) >= magicNew+4 && isMagic(b[magicNew:], &h.order) ||
		len(b) >= magicOld+4 && isMagic(b[magicOld:], &h.order)
}
