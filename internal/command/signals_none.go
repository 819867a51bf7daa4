//go:build !unix

package command

import (
	"os"
	"syscall"
)

// stopSignals are the signals that end a process.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

func catchPipe() {}
