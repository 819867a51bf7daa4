//go:build unix

package folder

import (
	"io/fs"
	"syscall"
)

// nonblocking keeps open from waiting for the other end of a pipe, which may just have replaced a
// file.
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
