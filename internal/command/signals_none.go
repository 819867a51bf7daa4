//go:build !unix

package command

import (
	"os"
	"syscall"
)

// stopSignals ask a process to end.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

func catchPipe() {}
