package livetest

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// The environment variables of a workload: its actions, the file for its markers, and its name.
const (
	WorkloadVariable = "TRACEC_WORKLOAD"
	MarkerVariable   = "TRACEC_MARKER"
	WhoVariable      = "TRACEC_WHO"
)

// Workload performs the actions in the environment, if there are any, and ends the process. Tests
// run their own binary for that. The actions are performed in order:
//
//	wait        reads a byte from standard input
//	getppid=N   makes N system calls getppid
//	switch=N    sleeps N times, for a moment
//	marker=N    writes N numbered markers
//	run=N       makes N processes that make a system call getppid each
//	tell        writes a byte to standard output
//	exit=N      ends with this exit code
//
// System calls come from the thread whose number is that of the process. Workload must be called by
// an init function, which runs on that thread. TestMain may run on another one.
func Workload() {
	list := os.Getenv(WorkloadVariable)
	if list == "" {
		return
	}
	runtime.LockOSThread()
	for _, word := range strings.Fields(list) {
		name, number, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(number)
		if err := work(name, n); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(0)
}

func work(name string, n int) error {
	switch name {
	case "wait":
		os.Stdin.Read(make([]byte, 1))
	case "getppid":
		for range n {
			syscall.RawSyscall(syscall.SYS_GETPPID, 0, 0, 0)
		}
	case "switch":
		for range n {
			t := syscall.NsecToTimespec(int64(100 * time.Microsecond))
			syscall.RawSyscall(syscall.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&t)), 0, 0)
		}
	case "marker":
		f, err := os.OpenFile(os.Getenv(MarkerVariable), os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		for i := range n {
			fmt.Fprintf(f, "%d of %s", i, os.Getenv(WhoVariable))
		}
		return f.Close()
	case "run":
		for range n {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), WorkloadVariable+"=getppid=1")
			if err := c.Run(); err != nil {
				return err
			}
		}
	case "tell":
		_, err := os.Stdout.Write([]byte{1})
		return err
	case "exit":
		os.Exit(n)
	default:
		return fmt.Errorf("workload: %q", name)
	}
	return nil
}
