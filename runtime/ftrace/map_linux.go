package ftrace

import (
	"os"
	"syscall"
)

func mapFile(f *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
}

func unmapFile(data []byte) error { return syscall.Munmap(data) }

// release gives the resident pages of data[from:to] back. They stay readable: touching one maps it again.
// Without this the resident size of a walk grows to the size of the file.
func release(data []byte, from, to int) {
	mask := os.Getpagesize() - 1
	from = (from + mask) &^ mask
	if to &^= mask; from < to {
		_ = syscall.Madvise(data[from:to], syscall.MADV_DONTNEED)
	}
}

// prefault maps data[from:to] in one call instead of a fault for every few pages. Kernels before 5.14 do not
// know MADV_POPULATE_READ and refuse, which is as good as no call.
func prefault(data []byte, from, to int) {
	const populateRead = 22 // include/uapi/asm-generic/mman-common.h
	from &^= os.Getpagesize() - 1
	if from < to {
		_ = syscall.Madvise(data[from:to], populateRead)
	}
}
