package lttng

import (
	"io"
	"io/fs"
	"path"
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
