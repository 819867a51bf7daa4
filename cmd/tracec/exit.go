package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/cmd/internal/report/filter"
)

// The exit codes, as `tracec help` documents them.
const (
	exitOK      = 0
	exitDamaged = 1 // something was damaged or could not be compiled; everything else was done
	exitUsage   = 2
	exitFailed  = 3 // a file cannot be opened, read or written
)

// usageError says that err is about the command line.
func usageError(err error) error { return &report.UsageError{Err: err} }

func usagef(format string, args ...any) error { return report.Usagef(format, args...) }

// run is main without the process around it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := newRoot()
	root.SetArgs(oneDash(args))
	root.SetIn(stdin)
	stdout, stderr = report.ForTerminal(stdout), report.ForTerminal(stderr)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	code := exitCode(err)
	if code != exitOK && !errors.Is(err, report.ErrDamaged) {
		fmt.Fprintln(stderr, "tracec: "+message(err))
	}
	return code
}

func exitCode(err error) int {
	var usage *report.UsageError
	var syntax *filter.SyntaxError
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE): // whoever reads has seen enough
		return exitOK
	case errors.Is(err, report.ErrDamaged):
		return exitDamaged
	case errors.As(err, &usage), errors.As(err, &syntax):
		return exitUsage
	}
	return exitFailed
}

// message is the error without what only libraries need.
func message(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return strings.TrimSpace(err.Error())
}
