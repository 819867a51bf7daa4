package command

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/tracec/tracec/internal/fileset"
	"github.com/tracec/tracec/internal/spool"
)

// stopped is the error for work that a signal ended.
type stopped struct{ signal os.Signal }

func (s stopped) Error() string {
	switch s.signal {
	case os.Interrupt:
		return "interrupted"
	case syscall.SIGTERM:
		return "terminated"
	}
	return "stopped: " + s.signal.String()
}

// code returns the exit code that a shell reports for a process killed by the signal.
func (s stopped) code() int {
	if n, ok := s.signal.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return exitFailed
}

// grace is the time that work may take to end after a signal. A blocked write would never end.
const grace = 2 * time.Second

// beforeExit is called before a process exits while its work continues.
var beforeExit []func()

// AtEnd returns a function to defer that cleans up. It is also called if the process exits earlier.
// clean runs only once.
func AtEnd(clean func() error) (done func()) {
	once := sync.OnceFunc(func() { clean() }) // an error can no longer be reported
	beforeExitMu.Lock()
	defer beforeExitMu.Unlock()
	beforeExit = append(beforeExit, once)
	return once
}

var beforeExitMu sync.Mutex

// exitNow ends a process while its work continues. It first removes the temporary files of that
// work.
func exitNow(s stopped) {
	spool.CloseAll()
	fileset.DiscardAll()
	beforeExitMu.Lock()
	for _, clean := range beforeExit {
		clean()
	}
	os.Stderr.WriteString("tracec: " + s.Error() + "\n")
	os.Exit(s.code())
}

// untilSignal returns a context that a signal ends, with the cause stopped. Work may take longer
// than grace if it still writes: written returns the number of bytes. A second signal removes the
// temporary files and ends the process at once. A third kills the process in the default way.
func untilSignal(written func() int64) (ctx context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	c := make(chan os.Signal, 1)
	for _, s := range stopSignals {
		if !signal.Ignored(s) { // ignored under nohup
			signal.Notify(c, s)
		}
	}
	done := make(chan struct{})
	go func() {
		select {
		case s := <-c:
			cancel(stopped{s})
			for n, before := written(), int64(-1); n != before; n, before = written(), n {
				select {
				case <-time.After(grace):
				case again := <-c:
					signal.Stop(c)
					exitNow(stopped{again})
				case <-done:
					return
				}
			}
			signal.Stop(c)
			exitNow(stopped{s})
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(c)
		close(done)
		cancel(nil)
	}
}

// concluded is the result of work that normally ends by a signal, such as following a recording.
type concluded struct{ err error }

func (c concluded) Error() string { return "concluded by a signal" }

func (c concluded) Unwrap() error { return c.err }

// signalled returns the signal that ended a context, if one did.
func signalled(ctx context.Context) (s stopped, ok bool) {
	return s, errors.As(context.Cause(ctx), &s)
}
