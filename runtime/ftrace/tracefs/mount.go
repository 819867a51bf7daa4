package tracefs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Mount returns the mount point of tracefs. The error is errors.ErrUnsupported on systems without
// tracefs, and fs.ErrNotExist if it is not mounted.
func Mount() (string, error) {
	if !supported {
		return "", fmt.Errorf("tracefs: %w: it needs Linux", errors.ErrUnsupported)
	}
	for _, dir := range []string{"/sys/kernel/tracing", "/sys/kernel/debug/tracing"} {
		if isTracefs(dir) {
			return dir, nil
		}
	}
	if text, err := os.ReadFile("/proc/mounts"); err == nil {
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 2 && f[2] == "tracefs" && isTracefs(f[1]) {
				return f[1], nil
			}
		}
	}
	if os.Geteuid() != 0 {
		return "", fmt.Errorf("tracefs: %w: not mounted in a place that this user may read (usually only root may)",
			os.ErrPermission)
	}
	return "", fmt.Errorf("tracefs: %w: it is not mounted: mount -t tracefs tracefs /sys/kernel/tracing",
		os.ErrNotExist)
}

// isTracefs reports whether a directory is a tracefs with instances.
func isTracefs(dir string) bool {
	st, err := os.Stat(filepath.Join(dir, "instances"))
	return err == nil && st.IsDir()
}
