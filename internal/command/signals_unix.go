//go:build unix

package command

import (
	"os"
	"os/signal"
	"syscall"
)

// stopSignals ask a process to end.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// catchPipe makes a write to a broken pipe an error on standard output as well. By default SIGPIPE
// would kill the process (package os/signal). Programs that it starts are still killed.
func catchPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
