package spool

import (
	"os"
	"syscall"
)

// tmpfile is __O_TMPFILE of include/uapi/asm-generic/fcntl.h, which the architectures of Go for
// Linux use. O_TMPFILE includes O_DIRECTORY, which an old kernel refuses to write to.
const tmpfile = 0o20000000

// openUnnamed creates a file that never had a name, so that not even SIGKILL at once leaves it.
func openUnnamed(dir string) (*os.File, error) {
	return OpenUnnamed(dir, os.O_RDWR|os.O_EXCL, 0o600)
}

// OpenUnnamed creates a file that has no name. Without os.O_EXCL it can be given one.
func OpenUnnamed(dir string, flags int, perm os.FileMode) (*os.File, error) {
	return os.OpenFile(dir, tmpfile|syscall.O_DIRECTORY|flags, perm)
}
