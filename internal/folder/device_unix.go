//go:build unix

package folder

import (
	"io/fs"
	"syscall"
)

// nonblocking has no open wait for the other end of a pipe that has just taken the place of a file.
const nonblocking = syscall.O_NONBLOCK

// device is what the system numbers a file system by.
type device uint64

func deviceOf(st fs.FileInfo) (device, bool) {
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return device(sys.Dev), true
}
