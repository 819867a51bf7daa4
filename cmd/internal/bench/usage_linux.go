package main

import (
	"os"
	"runtime/debug"
	"syscall"
	"time"
)

// canMeasure returns an error if processes cannot be measured.
func canMeasure() error { return nil }

// forgetPeak returns unused memory of this process to the system, and resets its peak to the
// current use. The peak of a child begins with the peak of its parent (proc(5), clear_refs).
func forgetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// usageOf returns the resources of a process: its peak in bytes, and its processor time.
func usageOf(p *os.ProcessState) (peak int64, cpu time.Duration) {
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		peak = int64(usage.Maxrss) << 10 // in KiB
	}
	return peak, p.UserTime() + p.SystemTime()
}

// cpuTime returns the processor time that this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
