//go:build unix

package folder

import (
	"io/fs"
	"syscall"
)

// nonblocking has no open wait for the other end of a pipe that has just taken the place of a file.
const nonblocking = syscall.O_NONBLOCK

// A device is the system's number of a file system.
type device uint64

func deviceOf(st fs.FileInfo) (device, bool) {
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return device(sys.Dev), true
}
