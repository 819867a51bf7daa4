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
	"github.com/tracec/tracec/cmd/internal/report/tracecmd"
	"github.com/tracec/tracec/cmd/internal/report/trcrpt"
	native "github.com/tracec/tracec/cmd/internal/report/uftrace"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/graph"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/replay"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/summary"
)

// The exit codes, as `tracec help` documents them.
const (
	exitOK      = 0
	exitDamaged = 1 // something was damaged or could not be compiled; everything else was done
	exitUsage   = 2
	exitFailed  = 3 // a file cannot be opened, read or written
)

// usageError is a wrong command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// run is main without the process around it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := newRoot()
	root.SetArgs(oneDash(args))
	root.SetIn(stdin)
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
	var usage usageError
	var option *report.UsageError
	var late *tracecmd.UsageError
	var later *trcrpt.UsageError
	var latest *native.UsageError
	var syntax *filter.SyntaxError
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE): // whoever reads has seen enough
		return exitOK
	case errors.Is(err, report.ErrDamaged):
		return exitDamaged
	case errors.As(err, &usage), errors.As(err, &option), errors.As(err, &late), errors.As(err, &later), errors.As(err, &latest), errors.As(err, &syntax):
		return exitUsage
	case nativeUsage(err):
		return exitUsage
	}
	return exitFailed
}

// nativeUsage knows the errors of uftrace's commands that are about an option.
func nativeUsage(err error) bool {
	var usage summary.UsageError
	var field *summary.FieldError
	var other *graph.FieldError
	var third *replay.FieldError
	return errors.As(err, &usage) || errors.As(err, &field) || errors.As(err, &other) || errors.As(err, &third)
}

// message is the error without what only libraries need.
func message(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return strings.TrimSpace(err.Error())
}
