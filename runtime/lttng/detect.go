package lttng

import (
	"io"
	"io/fs"
	"path"
	"strings"
)

// IsTrace reports whether a directory is a trace: whether one of its files, or of its folder control, has the magic number where
// a sub-buffer has it.
func IsTrace(dir fs.FS) bool {
	for _, folder := range []string{"control", "."} {
		list, err := fs.ReadDir(dir, folder)
		if err != nil {
			continue
		}
		for _, d := range list[:min(len(list), 1000)] { // a folder of something else can be large
			if isRegular(dir, path.Join(folder, d.Name()), d) && hasMagic(dir, path.Join(folder, d.Name())) {
				return true
			}
		}
	}
	return false
}

// Bounds of what HasTraces looks at: the directory may be of anything.
const (
	traceDepth   = 3
	traceFolders = 1 << 12
)

// HasTraces reports whether a directory is a trace or holds some in its folders, three levels deep at most. Open reads them as one
// recording.
func HasTraces(dir fs.FS) bool {
	folders := traceFolders
	return countTraces(dir, 1, traceDepth, &folders) > 0
}

// IsSet reports whether two folders or more of a directory hold traces.
func IsSet(dir fs.FS) bool {
	folders := traceFolders
	return foldersOfTraces(dir, 2, traceDepth, &folders) == 2
}

// countTraces is 1 for a trace, else in how many folders there are some, up to most.
func countTraces(dir fs.FS, most, depth int, folders *int) int {
	if *folders--; *folders < 0 {
		return 0
	}
	if IsTrace(dir) {
		return 1
	}
	return foldersOfTraces(dir, most, depth, folders)
}

func foldersOfTraces(dir fs.FS, most, depth int, folders *int) (n int) {
	if depth == 0 {
		return 0
	}
	list, err := fs.ReadDir(dir, ".")
	if err != nil {
		return 0
	}
	for _, d := range list {
		if n == most {
			break
		}
		if !isDir(dir, d) || strings.HasPrefix(d.Name(), ".") {
			continue
		}
		if sub, err := fs.Sub(dir, d.Name()); err == nil {
			n += countTraces(sub, 1, depth-1, folders)
		}
	}
	return n
}

// isDir reports whether an entry is a directory, or a link to one.
func isDir(dir fs.FS, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink != 0 {
		st, err := fs.Stat(dir, d.Name())
		return err == nil && st.IsDir()
	}
	return d.IsDir()
}

// isRegular reports whether an entry is a file, or a link to one. To open a pipe could take for ever.
func isRegular(dir fs.FS, name string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink != 0 {
		st, err := fs.Stat(dir, name)
		return err == nil && st.Mode().IsRegular()
	}
	return d.Type().IsRegular()
}

func hasMagic(dir fs.FS, name string) bool {
	f, err := dir.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, magicOld+4)
	n, _ := io.ReadFull(f, head)
	return IsHead(head[:n])
}

// IsHead reports whether a file that begins with b, 44 bytes or more, begins as a sub-buffer does.
func IsHead(b []byte) bool {
	var h header
	return len(b) >= magicNew+4 && isMagic(b[magicNew:], &h.order) || len(b) >= magicOld+4 && isMagic(b[magicOld:], &h.order)
}
