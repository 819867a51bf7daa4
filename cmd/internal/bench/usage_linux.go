package main

import (
	"os"
	"runtime/debug"
	"syscall"
	"time"
)

// canMeasure returns an error where processes cannot be measured.
func canMeasure() error { return nil }

// forgetPeak gives up the memory that this process no longer needs, and has its peak be what it
// takes now: a child's begins with it (proc(5), clear_refs).
func forgetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// usageOf returns what a process used: bytes at its peak, and time of the processor.
func usageOf(p *os.ProcessState) (peak int64, cpu time.Duration) {
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		peak = int64(usage.Maxrss) << 10 // in KiB
	}
	return peak, p.UserTime() + p.SystemTime()
}

// cpuTime returns the time of the processor that this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
