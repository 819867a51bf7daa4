//go:build unix && !linux && !aix && !solaris && !illumos

package ftrace

import (
	"os"
	"syscall"
)

func mapFile(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
}

func unmapFile(data []byte) error { return syscall.Munmap(data) }

func release([]byte, int, int) {}

func prefault([]byte, int, int) {}
