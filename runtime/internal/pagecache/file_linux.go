package pagecache

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// preadv2 returns the number of the system call, or 0 if it is unknown (arch/*/entry/syscalls and
// include/uapi/asm-generic/unistd.h of Linux). Package syscall does not have it, and a decoder must
// need few modules.
func preadv2() uintptr {
	switch runtime.GOARCH {
	case "amd64":
		return 327
	case "386":
		return 378
	case "arm":
		return 392
	case "arm64", "loong64", "riscv64":
		return 286
	case "ppc64", "ppc64le":
		return 380
	case "s390x":
		return 376
	}
	return 0
}

// rwfNowait is RWF_NOWAIT (include/uapi/linux/fs.h).
const rwfNowait = 8

// A file reads from the page cache with preadv2 and RWF_NOWAIT (Linux 4.14). If that call would
// block, and for everything else, it works like *os.File.
type file struct {
	*os.File
	conn  syscall.RawConn
	never atomic.Bool // the system, or the file system of the file, does not support it
	calls sync.Pool   // of *call
}

func open(f *os.File) handle {
	conn, err := f.SyscallConn()
	if err != nil || preadv2() == 0 {
		return f
	}
	return &file{File: f, conn: conn}
}

// ReadAt implements io.ReaderAt.
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if len(p) < least || len(p) > most || off < 0 || f.never.Load() {
		return f.File.ReadAt(p, off)
	}
	n := f.readNow(p, off)
	if n == len(p) {
		return n, nil
	}
	m, err := f.File.ReadAt(p[n:], off+int64(n))
	return n + m, err
}

// readNow reads the bytes that are available without blocking: the beginning of p, or nothing.
func (f *file) readNow(p []byte, off int64) int {
	c, ok := f.calls.Get().(*call)
	if !ok {
		c = new(call)
		c.do = c.read // created once, because a method value allocates
	}
	c.iov.Base, c.off, c.n, c.err = &p[0], off, 0, 0
	c.iov.SetLen(len(p))
	err := f.conn.Control(c.do) // Control keeps the file open during the call
	n, errno := c.n, c.err
	c.iov.Base = nil
	f.calls.Put(c)
	if err == nil && errno != 0 && errno != syscall.EAGAIN && errno != syscall.EINTR {
		f.never.Store(true)
	}
	return n // 0 after an error, which ReadAt will also return
}

// call is a call of preadv2.
type call struct {
	iov syscall.Iovec
	off int64
	n   int
	err syscall.Errno
	do  func(fd uintptr)
}

// wordBits is the size of an unsigned long. The kernel takes the offset as two of them.
const wordBits = 8 * unsafe.Sizeof(uintptr(0))

func (c *call) read(fd uintptr) {
	low, high := uintptr(c.off), uintptr(uint64(c.off)>>(wordBits-1)>>1)
	n, _, err := syscall.RawSyscall6(preadv2(), fd, uintptr(unsafe.Pointer(&c.iov)), 1, low, high, rwfNowait)
	if c.err = err; err == 0 {
		c.n = int(n)
	}
}
