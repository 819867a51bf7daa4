package fileset

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"

	"github.com/tracec/tracec/internal/spool"
)

// openUnnamed creates an unnamed file in a directory. If the process is killed, the file
// disappears.
func openUnnamed(dir string) (*os.File, error) {
	f, err := spool.OpenUnnamed(dir, os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(handle(f)); err != nil { // without /proc it could not be named later
		f.Close()
		return nil, err
	}
	return f, nil
}

// Constants of include/uapi/linux/fcntl.h: a name relative to the working directory, and following
// a symbolic link.
const (
	atCWD           = -100
	atSymlinkFollow = 0x400
)

// linkUnnamed gives an unnamed file a name, which must be free.
func linkUnnamed(f *os.File, name string) error {
	from, err := syscall.BytePtrFromString(handle(f))
	if err != nil {
		return err
	}
	to, err := syscall.BytePtrFromString(name)
	if err != nil {
		return err
	}
	here := atCWD
	_, _, errno := syscall.Syscall6(syscall.SYS_LINKAT, uintptr(here), uintptr(unsafe.Pointer(from)), uintptr(here),
		uintptr(unsafe.Pointer(to)), atSymlinkFollow, 0)
	if errno != 0 {
		return &os.LinkError{Op: "link", Old: f.Name(), New: name, Err: errno}
	}
	return nil
}

func handle(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }
