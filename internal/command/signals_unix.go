//go:build unix

package command

import (
	"os"
	"os/signal"
	"syscall"
)

// stopSignals are the signals that end a process.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// catchPipe makes a write to a broken pipe an error on standard output as well. By default SIGPIPE
// would kill the process (package os/signal). It still kills programs that the process starts.
func catchPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
