package about

import "fmt"

// exitText describes the end of the program. 65536 is not a wait status: a finish trigger ended the
// recording. The status is in the format of Linux, where recordings are made, regardless of the
// system that reads them (wait(2), <bits/waitstatus.h>).
func exitText(status int) string {
	const byTrigger = 1 << 16
	signal := status & 0x7f
	switch {
	case status == byTrigger:
		return "terminated by finish trigger"
	case signal == 0:
		return fmt.Sprintf("exited with code: %d", status>>8&0xff)
	case signal != 0x7f:
		return fmt.Sprintf("terminated by signal: %d (%s)", signal, signalName(signal))
	}
	return fmt.Sprintf("unknown exit status: %d", status)
}

// signalNames are the texts of the C library from signal 1 on (strsignal(3)).
var signalNames = [...]string{
	"Hangup", "Interrupt", "Quit", "Illegal instruction", "Trace/breakpoint trap", "Aborted", "Bus error",
	"Floating point exception", "Killed", "User defined signal 1", "Segmentation fault",
	"User defined signal 2", "Broken pipe", "Alarm clock", "Terminated", "Stack fault", "Child exited",
	"Continued", "Stopped (signal)", "Stopped", "Stopped (tty input)", "Stopped (tty output)",
	"Urgent I/O condition", "CPU time limit exceeded", "File size limit exceeded", "Virtual timer expired",
	"Profiling timer expired", "Window changed", "I/O possible", "Power failure", "Bad system call",
}

// The first real-time signal, after two that the C library reserves, and the last one (signal(7)).
const firstRealTime, lastRealTime = 34, 64

func signalName(s int) string {
	switch {
	case s <= len(signalNames):
		return signalNames[s-1]
	case firstRealTime <= s && s <= lastRealTime:
		return fmt.Sprintf("Real-time signal %d", s-firstRealTime)
	}
	return fmt.Sprintf("Unknown signal %d", s)
}
