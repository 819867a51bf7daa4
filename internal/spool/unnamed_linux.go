package spool

import (
	"os"
	"syscall"
)

// tmpfile is __O_TMPFILE of include/uapi/asm-generic/fcntl.h, which the architectures of Go for
// Linux use. O_TMPFILE includes O_DIRECTORY, for which old kernels refuse to write.
const tmpfile = 0o20000000

// openUnnamed creates an unnamed file. It disappears even after SIGKILL.
func openUnnamed(dir string) (*os.File, error) {
	return OpenUnnamed(dir, os.O_RDWR|os.O_EXCL, 0o600)
}

// OpenUnnamed creates an unnamed file. Without os.O_EXCL it can get a name later.
func OpenUnnamed(dir string, flags int, perm os.FileMode) (*os.File, error) {
	return os.OpenFile(dir, tmpfile|syscall.O_DIRECTORY|flags, perm)
}
