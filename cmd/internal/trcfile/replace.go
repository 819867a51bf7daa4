package trcfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Replace gives a file new content, all of it or none: it writes a file beside it, with the same permissions, and renames
// that. A file that does not exist yet is created. Symbolic links are followed.
func Replace(name string, text []byte) error {
	mode := os.FileMode(0o644)
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	if st, err := os.Stat(name); err == nil {
		if !st.Mode().IsRegular() { // a device or pipe: there is nothing to keep
			return os.WriteFile(name, text, mode)
		}
		mode = st.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
