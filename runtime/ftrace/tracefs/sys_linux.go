package tracefs

import (
	"syscall"
	"time"
	"unsafe"
)

const supported = true

// pollFd is struct pollfd (include/uapi/asm-generic/poll.h).
type pollFd struct {
	fd      int32
	events  int16
	revents int16
}

const pollIn = 1

// poll waits until one of fds can be read, for timeout at most. Signals end it early.
func poll(fds []pollFd, timeout time.Duration) error {
	for i := range fds {
		fds[i].revents = 0
	}
	ts := syscall.NsecToTimespec(int64(max(timeout, 0)))
	_, _, errno := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(unsafe.SliceData(fds))),
		uintptr(len(fds)), uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
	if errno != 0 && errno != syscall.EINTR {
		return errno
	}
	return nil
}

// again reports whether a non-blocking file has no data yet.
func again(err error) bool { return err == syscall.EAGAIN || err == syscall.EINTR }

func openRaw(name string) (fd int, err error) {
	return syscall.Open(name, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
}

func readRaw(fd int, b []byte) (int, error) { return syscall.Read(fd, b) }

func closeRaw(fd int) error { return syscall.Close(fd) }

// uname returns the machine's properties that trace-cmd records: system, host, release,
// architecture.
func uname() string {
	var u syscall.Utsname
	if syscall.Uname(&u) != nil {
		return ""
	}
	return text(u.Sysname[:]) + " " + text(u.Nodename[:]) + " " + text(u.Release[:]) + " " + text(u.Machine[:])
}

// text returns a C string. C characters are signed on some architectures.
func text[C int8 | uint8](chars []C) string {
	var b []byte
	for _, c := range chars {
		if c == 0 {
			break
		}
		b = append(b, byte(c))
	}
	return string(b)
}

// openPipe opens a pipe that takes many sub-buffers at once.
func openPipe(fds *[2]int) error {
	if err := syscall.Pipe2(fds[:], syscall.O_CLOEXEC); err != nil {
		return err
	}
	// F_SETPIPE_SZ of linux/fcntl.h
	const setPipeSize = 1031
	syscall.Syscall(syscall.SYS_FCNTL, uintptr(fds[1]), setPipeSize, uintptr(maxSplice)) // a smaller one works as well
	return nil
}

// spliceRaw moves bytes from one file to another. One of the files is a pipe. It does not wait for
// bytes from the kernel.
func spliceRaw(from, to, size int) (int64, error) {
	const moveNonblock = 1 | 2 // SPLICE_F_MOVE, SPLICE_F_NONBLOCK
	n, err := syscall.Splice(from, nil, to, nil, size, moveNonblock)
	return int64(n), err
}
