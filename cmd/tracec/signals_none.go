//go:build !unix

package main

import (
	"os"
	"syscall"
)

// stopSignals ask a process to end.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

func catchPipe() {}
